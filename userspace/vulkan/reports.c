// SPDX-License-Identifier: MIT
/* vkGetDeviceFaultReportsKHR: what waits, and how to wait for it. */
#define _GNU_SOURCE
#include <poll.h>
#include <time.h>

#include "device.h"

#define NS_PER_S 1000000000u
#define FOREVER	 UINT64_MAX
/* How long nothing is looked at where nothing can be waited for. */
#define PAUSE_NS 10000000

/* What can bring a report; none of it: only time goes by. */
static unsigned int sources(struct drmfault_vk_device *device, struct pollfd fds[2])
{
	unsigned int count = 0;

	pthread_mutex_lock(&device->lock);
	if (!device->ring.closed) {
		if (device->stream && !device->ring.ended)
			fds[count++] = (struct pollfd){
				.fd = drmfault_stream_fd(device->stream),
				.events = POLLIN,
			};
		fds[count++] = (struct pollfd){ .fd = device->lost_fd, .events = POLLIN };
	}
	pthread_mutex_unlock(&device->lock);
	return count;
}

/*
 * The file of the loss, which is the last, was closed by somebody who closed all, or its
 * number is another file's by now: what is said of it is no loss.
 */
static bool is_not_ours(struct drmfault_vk_device *device, const struct pollfd *fds,
			unsigned int count)
{
	return count && fds[count - 1].revents && !drmfault_vk_device_is_lost(device);
}

/* Returns false when the time is over. A signal or another thread's luck costs no time. */
static bool wait_until(struct drmfault_vk_device *device, uint64_t deadline)
{
	const struct timespec rest = { .tv_nsec = PAUSE_NS };
	struct timespec left, *timeout = NULL;
	struct pollfd fds[2];
	unsigned int count = sources(device, fds);
	uint64_t now = clock_ns();

	if (deadline == FOREVER && !count)
		return false;
	if (deadline != FOREVER) {
		if (now >= deadline)
			return false;
		left.tv_sec = (time_t)((deadline - now) / NS_PER_S);
		left.tv_nsec = (long)((deadline - now) % NS_PER_S);
		timeout = &left;
	}
	if (ppoll(fds, count, timeout, NULL) > 0 && is_not_ours(device, fds, count))
		nanosleep(&rest, NULL);
	return true;
}

/* Returns what to answer. */
static VkResult hand_out(struct drmfault_vk_device *device, uint32_t *pFaultCounts,
			 VkDeviceFaultInfoKHR *pFaultInfo)
{
	uint32_t capacity = *pFaultCounts, written = 0;
	VkResult result = VK_SUCCESS;

	pthread_mutex_lock(&device->lock);
	ring_fill(device);
	if (!ring_available(device)) {
		result = VK_TIMEOUT;
	} else if (!pFaultInfo) {
		*pFaultCounts = ring_available(device);
	} else {
		while (written < capacity && ring_available(device)) {
			ring_take(device, &pFaultInfo[written++]);
			ring_fill(device);
		}
		*pFaultCounts = written;
		if (ring_available(device))
			result = VK_INCOMPLETE;
	}
	pthread_mutex_unlock(&device->lock);
	return result;
}

static uint64_t deadline_of(uint64_t timeout)
{
	uint64_t now = clock_ns();

	return timeout > FOREVER - now ? FOREVER : now + timeout;
}

DRMFAULT_API VkResult drmfault_vk_device_get_fault_reports_khr(struct drmfault_vk_device *device,
							       uint64_t timeout,
							       uint32_t *pFaultCounts,
							       VkDeviceFaultInfoKHR *pFaultInfo)
{
	uint64_t deadline = timeout ? deadline_of(timeout) : 0;
	VkResult result;

	do
		result = hand_out(device, pFaultCounts, pFaultInfo);
	while (result == VK_TIMEOUT && timeout && wait_until(device, deadline));
	if (result == VK_TIMEOUT)
		*pFaultCounts = 0;
	return result;
}
