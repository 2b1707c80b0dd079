// SPDX-License-Identifier: MIT
/* The words of a command buffer: where the commands put their instructions. */
#include <string.h>

#include "icd.h"

#define CHUNK_SIZE   (4 * ICD_PAGE)
#define FIRST_STARTS 8

static size_t chunk_words(const struct icd_chunk *chunk)
{
	return chunk->bo.size / sizeof(uint64_t);
}

static struct icd_chunk *add_chunk(struct icd_command_buffer *cmd, uint64_t size)
{
	struct icd_device *device = cmd->device;
	struct icd_chunk *chunk;

	chunk = icd_alloc(&device->alloc, sizeof(*chunk), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
	if (!chunk) {
		cmd->result = VK_ERROR_OUT_OF_HOST_MEMORY;
		return NULL;
	}
	cmd->result = icd_bo_create(device, size, ICD_ZONE_CODE, &chunk->bo);
	if (cmd->result) {
		icd_free(&device->alloc, chunk);
		return NULL;
	}
	icd_report_binding(device, &cmd->object, chunk->bo.address, chunk->bo.size,
			   VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT, 0);
	chunk->next = cmd->chunks;
	cmd->chunks = chunk;
	cmd->used = 0;
	return chunk;
}

static void remove_chunk(struct icd_command_buffer *cmd)
{
	struct icd_chunk *chunk = cmd->chunks;

	cmd->chunks = chunk->next;
	icd_report_binding(cmd->device, &cmd->object, chunk->bo.address, chunk->bo.size,
			   VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT, 0);
	icd_bo_destroy(cmd->device, &chunk->bo);
	icd_free(&cmd->device->alloc, chunk);
}

VkResult icd_record_open(struct icd_command_buffer *cmd)
{
	add_chunk(cmd, CHUNK_SIZE);
	return cmd->result;
}

void icd_record_close(struct icd_command_buffer *cmd)
{
	while (cmd->chunks)
		remove_chunk(cmd);
	icd_free(&cmd->device->alloc, cmd->starts);
}

/* The first chunk stays. */
void icd_record_reset(struct icd_command_buffer *cmd)
{
	while (cmd->chunks->next)
		remove_chunk(cmd);
	cmd->used = 0;
	cmd->start_count = 0;
	cmd->result = VK_SUCCESS;
}

/* The last word of a chunk is kept for the jump to the next. */
uint64_t icd_record_at(struct icd_command_buffer *cmd, size_t count)
{
	struct icd_chunk *full = cmd->chunks, *chunk = full;
	uint64_t size = (count + 1) * sizeof(uint64_t);
	size_t end = cmd->used;

	if (cmd->result)
		return 0;
	if (end + count + 1 > chunk_words(full)) {
		chunk = add_chunk(cmd, size > CHUNK_SIZE ? size : CHUNK_SIZE);
		if (!chunk)
			return 0;
		((uint64_t *)full->bo.cpu)[end] = DRM_FAULT_SIM_JUMP(chunk->bo.address);
	}
	return chunk->bo.address + cmd->used * sizeof(uint64_t);
}

void icd_record(struct icd_command_buffer *cmd, const uint64_t *words, size_t count)
{
	if (!icd_record_at(cmd, count))
		return;
	memcpy((uint64_t *)cmd->chunks->bo.cpu + cmd->used, words, count * sizeof(*words));
	cmd->used += count;
}

static bool grow_starts(struct icd_command_buffer *cmd)
{
	size_t room = cmd->start_room ? 2 * cmd->start_room : FIRST_STARTS;
	uint64_t *starts;

	starts = icd_alloc(&cmd->device->alloc, room * sizeof(*starts),
			   VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
	if (!starts) {
		cmd->result = VK_ERROR_OUT_OF_HOST_MEMORY;
		return false;
	}
	if (cmd->starts)
		memcpy(starts, cmd->starts, cmd->start_count * sizeof(*starts));
	icd_free(&cmd->device->alloc, cmd->starts);
	cmd->starts = starts;
	cmd->start_room = room;
	return true;
}

void icd_record_program(struct icd_command_buffer *cmd, uint64_t start)
{
	if (!start)
		start = icd_record_at(cmd, 1);
	if (cmd->result || (cmd->start_count == cmd->start_room && !grow_starts(cmd)))
		return;
	cmd->starts[cmd->start_count++] = start;
}
