// SPDX-License-Identifier: MIT
#include "icd.h"

VkResult icd_CreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *pCreateInfo,
			       const VkAllocationCallbacks *pAllocator, VkCommandPool *pCommandPool)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	struct icd_command_pool *pool;

	(void)pCreateInfo; /* a command runs on every ring */
	pool = icd_object_create(pAllocator ? pAllocator : &device->alloc, sizeof(*pool),
				 VK_OBJECT_TYPE_COMMAND_POOL);
	if (!pool)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	*pCommandPool = ICD_HANDLE(VkCommandPool, pool);
	return VK_SUCCESS;
}

static void destroy_buffer(struct icd_command_buffer *cmd)
{
	struct icd_command_buffer **link = &cmd->pool->buffers;

	while (*link != cmd)
		link = &(*link)->next;
	*link = cmd->next;
	icd_record_close(cmd);
	icd_object_destroy(&cmd->device->alloc, cmd);
}

void icd_DestroyCommandPool(VkDevice handle, VkCommandPool pool_handle,
			    const VkAllocationCallbacks *pAllocator)
{
	struct icd_command_pool *pool = ICD_OBJECT(command_pool, pool_handle);
	struct icd_device *device = ICD_OBJECT(device, handle);

	if (!pool)
		return;
	while (pool->buffers)
		destroy_buffer(pool->buffers);
	icd_object_destroy(pAllocator ? pAllocator : &device->alloc, pool);
}

VkResult icd_ResetCommandPool(VkDevice device, VkCommandPool pool, VkCommandPoolResetFlags flags)
{
	struct icd_command_buffer *cmd;

	(void)device;
	(void)flags;
	for (cmd = ICD_OBJECT(command_pool, pool)->buffers; cmd; cmd = cmd->next)
		icd_record_reset(cmd);
	return VK_SUCCESS;
}

/* Nothing is kept that could be given back. */
void icd_TrimCommandPool(VkDevice device, VkCommandPool pool, VkCommandPoolTrimFlags flags)
{
	(void)device;
	(void)pool;
	(void)flags;
}

static VkResult create_buffer(struct icd_device *device, struct icd_command_pool *pool,
			      VkCommandBuffer *handle)
{
	struct icd_command_buffer *cmd;
	VkResult result;

	cmd = icd_object_create(&device->alloc, sizeof(*cmd), VK_OBJECT_TYPE_COMMAND_BUFFER);
	if (!cmd)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	cmd->device = device;
	cmd->pool = pool;
	cmd->next = pool->buffers;
	pool->buffers = cmd;
	result = icd_record_open(cmd);
	if (result)
		destroy_buffer(cmd);
	else
		*handle = (VkCommandBuffer)cmd;
	return result;
}

VkResult icd_AllocateCommandBuffers(VkDevice handle, const VkCommandBufferAllocateInfo *pInfo,
				    VkCommandBuffer *pCommandBuffers)
{
	struct icd_command_pool *pool = ICD_OBJECT(command_pool, pInfo->commandPool);
	struct icd_device *device = ICD_OBJECT(device, handle);
	VkResult result = VK_SUCCESS;
	uint32_t i;

	for (i = 0; i < pInfo->commandBufferCount; i++)
		pCommandBuffers[i] = VK_NULL_HANDLE;
	for (i = 0; i < pInfo->commandBufferCount && !result; i++)
		result = create_buffer(device, pool, &pCommandBuffers[i]);
	if (!result)
		return VK_SUCCESS;
	icd_FreeCommandBuffers(handle, pInfo->commandPool, pInfo->commandBufferCount,
			       pCommandBuffers);
	for (i = 0; i < pInfo->commandBufferCount; i++)
		pCommandBuffers[i] = VK_NULL_HANDLE;
	return result;
}

void icd_FreeCommandBuffers(VkDevice device, VkCommandPool pool, uint32_t commandBufferCount,
			    const VkCommandBuffer *pCommandBuffers)
{
	uint32_t i;

	(void)device;
	(void)pool;
	for (i = 0; i < commandBufferCount; i++)
		if (pCommandBuffers[i])
			destroy_buffer(ICD_OBJECT(command_buffer, pCommandBuffers[i]));
}
