// SPDX-License-Identifier: MIT
/* Queues: one for each ring, whose jobs run in the order of their submission. */
#include <errno.h>
#include <unistd.h>

#include <xf86drm.h>

#include "icd.h"

VkResult icd_queues_open(struct icd_device *device)
{
	uint32_t i;

	for (i = 0; i < ICD_QUEUES; i++) {
		struct icd_queue *queue = &device->queues[i];

		set_loader_magic_value(queue);
		queue->object.type = VK_OBJECT_TYPE_QUEUE;
		queue->device = device;
		queue->ring = i;
		if (drmSyncobjCreate(device->fd, DRM_SYNCOBJ_CREATE_SIGNALED, &queue->done))
			return VK_ERROR_OUT_OF_HOST_MEMORY;
	}
	return VK_SUCCESS;
}

/* The syncobjs go with the file. */
void icd_queues_close(struct icd_device *device)
{
	uint32_t i;

	for (i = 0; i < ICD_QUEUES; i++)
		icd_free(&icd_default_alloc, device->queues[i].object.name);
}

/* How the jobs behind a syncobj ended; waits for them. */
VkResult icd_sync_result(struct icd_device *device, uint32_t syncobj)
{
	struct drm_fault_sim_wait wait = { .syncobj = syncobj, .timeout_ns = INT64_MAX };
	int ret = icd_ioctl(device->fd, DRM_IOCTL_FAULT_SIM_WAIT, &wait);

	if (ret == -ENODEV)
		return icd_device_lose(device, "the GPU is gone");
	if (ret)
		return VK_ERROR_OUT_OF_DEVICE_MEMORY;
	switch (wait.result) {
	case 0:
		return VK_SUCCESS;
	case -EFAULT:
		return icd_device_lose(device, "a job faulted");
	case -ETIMEDOUT:
		return icd_device_lose(device, "a job ran too long");
	default:
		return icd_device_lose(device, "a job was cancelled since another failed");
	}
}

/* Too many jobs are under way: those of this queue, or those of the others. */
static void wait_for_room(struct icd_device *device)
{
	uint32_t i;

	for (i = 0; i < ICD_QUEUES; i++)
		drmSyncobjWait(device->fd, &device->queues[i].done, 1, INT64_MAX,
			       DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL, NULL);
}

static VkResult run(struct icd_queue *queue, uint64_t start, uint32_t in_syncobj)
{
	struct icd_device *device = queue->device;
	/* What is masked is told, and the job goes on. */
	bool masked = device->features.robust_access && !device->features.lost_on_masked;
	struct drm_fault_sim_submit submit;
	int ret;

	do {
		submit = (struct drm_fault_sim_submit){
			.start = start,
			.ring = queue->ring,
			.flags = masked ? DRM_FAULT_SIM_SUBMIT_NONFATAL : 0,
			.in_syncobj = in_syncobj,
			.out_syncobj = queue->done,
		};
		ret = icd_ioctl(device->fd, DRM_IOCTL_FAULT_SIM_SUBMIT, &submit);
		if (ret == -EAGAIN)
			wait_for_room(device);
	} while (ret == -EAGAIN);
	if (ret == -ECANCELED)
		return icd_device_lose(device, "a job failed before");
	if (ret == -ENODEV)
		return icd_device_lose(device, "the GPU is gone");
	return ret ? VK_ERROR_OUT_OF_DEVICE_MEMORY : VK_SUCCESS;
}

/* Gives the fence of the queue's last job to others. */
static VkResult signal_when_done(struct icd_queue *queue, uint32_t syncobj)
{
	int fd = queue->device->fd, file, ret;

	if (drmSyncobjExportSyncFile(fd, queue->done, &file))
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	ret = drmSyncobjImportSyncFile(fd, syncobj, file);
	close(file);
	return ret ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS;
}

static VkResult submit_one(struct icd_queue *queue, const VkSubmitInfo *info)
{
	struct icd_device *device = queue->device;
	VkResult result = VK_SUCCESS;
	uint32_t i;
	size_t j;

	/* A job can wait for one: so many jobs that do nothing else. */
	for (i = 0; i < info->waitSemaphoreCount && !result; i++) {
		uint32_t *syncobj = &ICD_OBJECT(semaphore, info->pWaitSemaphores[i])->syncobj;

		result = run(queue, device->idle.address, *syncobj);
		drmSyncobjReset(device->fd, syncobj, 1);
	}
	for (i = 0; i < info->commandBufferCount; i++) {
		const struct icd_command_buffer *cmd =
			ICD_OBJECT(command_buffer, info->pCommandBuffers[i]);

		for (j = 0; j < cmd->start_count && !result; j++)
			result = run(queue, cmd->starts[j], 0);
	}
	for (i = 0; i < info->signalSemaphoreCount && !result; i++)
		result = signal_when_done(
			queue, ICD_OBJECT(semaphore, info->pSignalSemaphores[i])->syncobj);
	return result;
}

VkResult icd_QueueSubmit(VkQueue handle, uint32_t submitCount, const VkSubmitInfo *pSubmits,
			 VkFence fence)
{
	struct icd_queue *queue = ICD_OBJECT(queue, handle);
	VkResult result = VK_SUCCESS;
	uint32_t i;

	if (queue->device->lost)
		return VK_ERROR_DEVICE_LOST;
	for (i = 0; i < submitCount && !result; i++)
		result = submit_one(queue, &pSubmits[i]);
	if (!result && fence)
		result = signal_when_done(queue, ICD_OBJECT(fence, fence)->syncobj);
	return result;
}

VkResult icd_QueueWaitIdle(VkQueue handle)
{
	struct icd_queue *queue = ICD_OBJECT(queue, handle);

	if (queue->device->lost)
		return VK_ERROR_DEVICE_LOST;
	return icd_sync_result(queue->device, queue->done);
}

VkResult icd_DeviceWaitIdle(VkDevice handle)
{
	struct icd_device *device = ICD_OBJECT(device, handle);
	VkResult result = VK_SUCCESS;
	uint32_t i;

	for (i = 0; i < ICD_QUEUES && !result; i++)
		result = icd_QueueWaitIdle((VkQueue)&device->queues[i]);
	return result;
}

/* No queue family has sparse binding. */
VkResult icd_QueueBindSparse(VkQueue queue, uint32_t bindInfoCount,
			     const VkBindSparseInfo *pBindInfo, VkFence fence)
{
	(void)queue;
	(void)bindInfoCount;
	(void)pBindInfo;
	(void)fence;
	return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}
