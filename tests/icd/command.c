// SPDX-License-Identifier: MIT
/* Recording commands, each as instructions of the GPU. */
#include <string.h>

#include "icd.h"

#define WORD sizeof(uint64_t)

static const uint64_t end_of_program = DRM_FAULT_SIM_END;

VkResult icd_BeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo *pBeginInfo)
{
	struct icd_command_buffer *cmd = ICD_OBJECT(command_buffer, handle);

	(void)pBeginInfo; /* it may be submitted any number of times, at once too */
	icd_record_reset(cmd);
	icd_record_program(cmd, 0);
	return cmd->result;
}

VkResult icd_EndCommandBuffer(VkCommandBuffer handle)
{
	struct icd_command_buffer *cmd = ICD_OBJECT(command_buffer, handle);

	/* Nothing behind the last launch: that ends the last job. */
	if (cmd->start_count > 1 && cmd->starts[cmd->start_count - 1] == icd_record_at(cmd, 1))
		cmd->start_count--;
	else
		icd_record(cmd, &end_of_program, 1);
	return cmd->result;
}

VkResult icd_ResetCommandBuffer(VkCommandBuffer handle, VkCommandBufferResetFlags flags)
{
	(void)flags;
	icd_record_reset(ICD_OBJECT(command_buffer, handle));
	return VK_SUCCESS;
}

void icd_CmdFillBuffer(VkCommandBuffer handle, VkBuffer buffer_handle, VkDeviceSize dstOffset,
		       VkDeviceSize size, uint32_t data)
{
	struct icd_command_buffer *cmd = ICD_OBJECT(command_buffer, handle);
	struct icd_buffer *buffer = ICD_OBJECT(buffer, buffer_handle);
	uint64_t bytes = size == VK_WHOLE_SIZE ? buffer->size - dstOffset : size;
	uint64_t loop = icd_record_at(cmd, 7) + 3 * WORD;
	const uint64_t words[] = {
		DRM_FAULT_SIM_SET(0, buffer->address + dstOffset),
		DRM_FAULT_SIM_SET(1, data),
		DRM_FAULT_SIM_SET(2, bytes / 4),
		DRM_FAULT_SIM_STORE(4, 1, 0, 0),
		DRM_FAULT_SIM_ADD(0, 0, 4),
		DRM_FAULT_SIM_ADD(2, 2, -1),
		DRM_FAULT_SIM_JUMP_NONZERO(2, loop),
	};

	if (bytes / 4)
		icd_record(cmd, words, ARRAY_SIZE(words));
}

static void record_copy(struct icd_command_buffer *cmd, uint64_t to, uint64_t from, uint64_t size)
{
	const uint64_t words[] = {
		DRM_FAULT_SIM_SET(0, to),
		DRM_FAULT_SIM_SET(1, from),
		DRM_FAULT_SIM_SET(2, size),
		DRM_FAULT_SIM_COPY(0, 1, 2),
	};

	icd_record(cmd, words, ARRAY_SIZE(words));
}

void icd_CmdCopyBuffer(VkCommandBuffer handle, VkBuffer srcBuffer, VkBuffer dstBuffer,
		       uint32_t regionCount, const VkBufferCopy *pRegions)
{
	struct icd_buffer *from = ICD_OBJECT(buffer, srcBuffer);
	struct icd_buffer *to = ICD_OBJECT(buffer, dstBuffer);
	uint32_t i;

	for (i = 0; i < regionCount; i++)
		record_copy(ICD_OBJECT(command_buffer, handle), to->address + pRegions[i].dstOffset,
			    from->address + pRegions[i].srcOffset, pRegions[i].size);
}

/* The data lie among the instructions, which go around them. */
void icd_CmdUpdateBuffer(VkCommandBuffer handle, VkBuffer dstBuffer, VkDeviceSize dstOffset,
			 VkDeviceSize dataSize, const void *pData)
{
	struct icd_command_buffer *cmd = ICD_OBJECT(command_buffer, handle);
	uint64_t to = ICD_OBJECT(buffer, dstBuffer)->address + dstOffset;
	size_t words = (dataSize + WORD - 1) / WORD;
	uint64_t at = icd_record_at(cmd, words + 1);
	uint64_t jump = DRM_FAULT_SIM_JUMP(at + (words + 1) * WORD);

	if (!at)
		return;
	icd_record(cmd, &jump, 1);
	memcpy((uint64_t *)cmd->chunks->bo.cpu + cmd->used, pData, dataSize);
	cmd->used += words;
	record_copy(cmd, to, at + WORD, dataSize);
}

/* Instructions take effect in their order, and jobs of a queue too. */
void icd_CmdPipelineBarrier(VkCommandBuffer cmd, VkPipelineStageFlags srcStageMask,
			    VkPipelineStageFlags dstStageMask, VkDependencyFlags dependencyFlags,
			    uint32_t memoryBarrierCount, const VkMemoryBarrier *pMemoryBarriers,
			    uint32_t bufferMemoryBarrierCount,
			    const VkBufferMemoryBarrier *pBufferMemoryBarriers,
			    uint32_t imageMemoryBarrierCount,
			    const VkImageMemoryBarrier *pImageMemoryBarriers)
{
	(void)cmd;
	(void)srcStageMask;
	(void)dstStageMask;
	(void)dependencyFlags;
	(void)memoryBarrierCount;
	(void)pMemoryBarriers;
	(void)bufferMemoryBarrierCount;
	(void)pBufferMemoryBarriers;
	(void)imageMemoryBarrierCount;
	(void)pImageMemoryBarriers;
}

void icd_CmdSetDeviceMask(VkCommandBuffer cmd, uint32_t deviceMask)
{
	(void)cmd;
	(void)deviceMask;
}

/* Their programs are run between those of this one. */
void icd_CmdExecuteCommands(VkCommandBuffer handle, uint32_t commandBufferCount,
			    const VkCommandBuffer *pCommandBuffers)
{
	struct icd_command_buffer *cmd = ICD_OBJECT(command_buffer, handle);
	uint32_t i;
	size_t j;

	icd_record(cmd, &end_of_program, 1);
	for (i = 0; i < commandBufferCount; i++) {
		struct icd_command_buffer *secondary =
			ICD_OBJECT(command_buffer, pCommandBuffers[i]);

		for (j = 0; j < secondary->start_count; j++)
			icd_record_program(cmd, secondary->starts[j]);
	}
	icd_record_program(cmd, 0);
}
