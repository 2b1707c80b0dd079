/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_VULKAN_DEVICE_H
#define DRMFAULT_VULKAN_DEVICE_H

#include <pthread.h>

#include "internal.h"

#define DEVICE_REASON_SIZE 128

/* Reports that wait for the application, oldest first. */
struct report_ring {
	VkDeviceFaultInfoKHR reports[DRMFAULT_VK_MAX_FAULTS];
	uint32_t first;
	uint32_t count;
	/* Events were lost, and no report after them has been made. */
	bool overflow;
	/* The stream has ended: its GPU is gone. */
	bool ended;
	/* A fault was fatal, so the others need not wait for the loss any more. */
	bool fatal;
	/* The report with DEVICE_LOST was returned. */
	bool closed;
	/* Reports ever made, and the group of the last. */
	uint64_t made;
	uint64_t group;
};

struct drmfault_vk_device {
	VkAllocationCallbacks allocator;
	struct drmfault_vk_identity identity;
	VkApplicationInfo application;
	char *names;
	bool report_masked;
	bool (*is_foreign)(void *data, const struct drmfault_record *record);
	void *foreign_data;
	/* Why faults are not heard of, or 0. */
	int support;
	struct drmfault_device *gpu;
	struct drmfault_stream *stream;
	uint64_t created_ns;
	/* Readable from the loss on. */
	int lost_fd;

	/* Of all that follows. */
	pthread_mutex_t lock;
	bool lost;
	char reason[DEVICE_REASON_SIZE];
	/* What every query on the lost device is answered from; does not change once taken. */
	bool frozen;
	/* Why that could not be read, or 0. */
	int missed;
	struct drmfault_snapshot *snapshot;
	struct report_ring ring;
};

/* How the fault device is opened; the unit tests have another one. */
typedef int (*open_fault)(const struct drmfault_memory *memory, struct drmfault **fault);

VkResult device_create_with(open_fault open, const struct drmfault_vk_device_info *info,
			    const VkAllocationCallbacks *pAllocator,
			    struct drmfault_vk_device **device);

/* Memory as the application wants it; @allocator NULL or without functions: malloc(). */
void *memory_allocate(const VkAllocationCallbacks *allocator, size_t size);
void memory_free(const VkAllocationCallbacks *allocator, void *memory);

/* The same for libdrmfault; @allocator must stay where it is. */
struct drmfault_memory memory_of(VkAllocationCallbacks *allocator);

/* CLOCK_MONOTONIC, which is the kernel's clock of faults. */
uint64_t clock_ns(void);

/* That it is lost, and what the driver said; and why no fault is known. */
void describe_loss(struct text *text, const struct drmfault_vk_device *device);
void describe_nothing(struct text *text, const struct drmfault_vk_device *device);

void report_of_record(const struct drmfault_record *record, VkDeviceFaultInfoKHR *report);
void report_of_loss(const struct drmfault_vk_device *device, VkDeviceFaultInfoKHR *report);

/* With the lock held: all that the kernel has now, as far as there is room. */
void ring_fill(struct drmfault_vk_device *device);
/* With the lock held: reports that may be returned now. */
uint32_t ring_available(const struct drmfault_vk_device *device);
/* With the lock held: the oldest of them. */
void ring_take(struct drmfault_vk_device *device, VkDeviceFaultInfoKHR *report);

#endif /* DRMFAULT_VULKAN_DEVICE_H */
