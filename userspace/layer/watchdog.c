// SPDX-License-Identifier: MIT
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "crash.h"
#include "hooks.h"
#include "pending.h"
#include "watchdog.h"

#define NS_PER_MS   1000000u
#define REASON_SIZE 96

/* A call that has not returned, on the stack of its thread. */
struct wait {
	struct wait *next;
	const char *call;
	uint64_t since_ns;
};

struct watchdog {
	struct device *device;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct wait *waits;
	struct pending *pending;
	/* In which call of the application no progress is seen. */
	const char *asking;
	bool stop;
};

static const struct wait *longest(const struct watchdog *watchdog)
{
	const struct wait *wait, *found = watchdog->waits;

	for (wait = found; wait; wait = wait->next)
		if (wait->since_ns < found->since_ns)
			found = wait;
	return found;
}

static uint64_t limit_of(const struct watchdog *watchdog)
{
	return (uint64_t)watchdog->device->instance->settings.watchdog_ms * NS_PER_MS;
}

static void sleep_until(struct watchdog *watchdog, uint64_t end)
{
	const struct timespec until = {
		.tv_sec = (time_t)(end / NS_PER_S),
		.tv_nsec = (long)(end % NS_PER_S),
	};

	pthread_cond_timedwait(&watchdog->changed, &watchdog->lock, &until);
}

/* Returns whether something hangs, false: it is to stop. */
static bool watch(struct watchdog *watchdog, char reason[REASON_SIZE])
{
	const unsigned int ms = watchdog->device->instance->settings.watchdog_ms;
	const struct wait *wait;
	uint64_t end;

	while (!watchdog->stop) {
		if (watchdog->asking) {
			snprintf(reason, REASON_SIZE, "%s has seen no progress for %u ms",
				 watchdog->asking, ms);
			return true;
		}
		wait = longest(watchdog);
		if (!wait) {
			pthread_cond_wait(&watchdog->changed, &watchdog->lock);
			continue;
		}
		end = wait->since_ns + limit_of(watchdog);
		if (clock_ns(CLOCK_MONOTONIC) >= end) {
			snprintf(reason, REASON_SIZE, "%s has not returned for %u ms", wait->call,
				 ms);
			return true;
		}
		sleep_until(watchdog, end);
	}
	return false;
}

static void report_hang(struct device *device, const char *reason)
{
	pthread_mutex_lock(&device->report_lock);
	if (!atomic_load(&device->reported))
		crash_report(device, CRASH_HANG, reason);
	pthread_mutex_unlock(&device->report_lock);
}

/* One hang is told, and no second one. */
static void *watchdog_main(void *argument)
{
	struct watchdog *watchdog = argument;
	char reason[REASON_SIZE];
	bool hangs;

	pthread_mutex_lock(&watchdog->lock);
	hangs = watch(watchdog, reason);
	pthread_mutex_unlock(&watchdog->lock);
	if (hangs)
		report_hang(watchdog->device, reason);
	return NULL;
}

/* The application's signals are not for this thread. */
static int start_quietly(struct watchdog *watchdog)
{
	sigset_t all, before;
	int ret;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = pthread_create(&watchdog->thread, NULL, watchdog_main, watchdog);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

static void watchdog_free(struct watchdog *watchdog)
{
	pthread_cond_destroy(&watchdog->changed);
	pthread_mutex_destroy(&watchdog->lock);
	pending_free(watchdog->pending);
	free(watchdog);
}

void watchdog_start(struct device *device)
{
	struct watchdog *watchdog;
	pthread_condattr_t attributes;

	if (!device->instance->settings.watchdog_ms)
		return;
	watchdog = calloc(1, sizeof(*watchdog));
	if (!watchdog)
		return;
	watchdog->pending = pending_new();
	if (!watchdog->pending) {
		free(watchdog);
		return;
	}
	watchdog->device = device;
	pthread_mutex_init(&watchdog->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&watchdog->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	if (start_quietly(watchdog)) {
		watchdog_free(watchdog);
		return;
	}
	device->watchdog = watchdog;
}

void watchdog_stop(struct device *device)
{
	struct watchdog *watchdog = device->watchdog;

	if (!watchdog || layer_is_off())
		return;
	pthread_mutex_lock(&watchdog->lock);
	watchdog->stop = true;
	pthread_cond_signal(&watchdog->changed);
	pthread_mutex_unlock(&watchdog->lock);
	pthread_join(watchdog->thread, NULL);
	watchdog_free(watchdog);
	device->watchdog = NULL;
}

void watchdog_submit(struct device *device, VkObjectType type, uint64_t handle, uint64_t value)
{
	struct watchdog *watchdog = device->watchdog;

	if (!watchdog || layer_is_off())
		return;
	pthread_mutex_lock(&watchdog->lock);
	pending_submit(watchdog->pending, type, handle, value, clock_ns(CLOCK_MONOTONIC));
	pthread_mutex_unlock(&watchdog->lock);
}

void watchdog_see(struct device *device, const char *call, VkObjectType type, uint64_t handle,
		  uint64_t value)
{
	struct watchdog *watchdog = device->watchdog;
	uint64_t still;

	if (!watchdog || layer_is_off())
		return;
	pthread_mutex_lock(&watchdog->lock);
	still = pending_see(watchdog->pending, type, handle, value, clock_ns(CLOCK_MONOTONIC));
	if (still > limit_of(watchdog)) {
		watchdog->asking = call;
		pthread_cond_signal(&watchdog->changed);
	}
	pthread_mutex_unlock(&watchdog->lock);
}

void watchdog_forget(struct device *device, VkObjectType type, uint64_t handle)
{
	struct watchdog *watchdog = device->watchdog;

	if (!watchdog || layer_is_off())
		return;
	pthread_mutex_lock(&watchdog->lock);
	pending_forget(watchdog->pending, type, handle);
	pthread_mutex_unlock(&watchdog->lock);
}

/* One that ends soon by itself is no wait, even if the thread gets no processor meanwhile. */
static void wait_enter(struct device *device, struct wait *wait, uint64_t timeout)
{
	struct watchdog *watchdog = device->watchdog;

	if (!watchdog || layer_is_off() || timeout <= limit_of(watchdog))
		return;
	wait->since_ns = clock_ns(CLOCK_MONOTONIC);
	pthread_mutex_lock(&watchdog->lock);
	wait->next = watchdog->waits;
	watchdog->waits = wait;
	pthread_cond_signal(&watchdog->changed);
	pthread_mutex_unlock(&watchdog->lock);
}

static void wait_leave(struct device *device, struct wait *wait, VkResult result)
{
	struct watchdog *watchdog = device->watchdog;
	struct wait **at;

	if (watchdog && !layer_is_off()) {
		pthread_mutex_lock(&watchdog->lock);
		for (at = &watchdog->waits; *at && *at != wait;)
			at = &(*at)->next;
		if (*at)
			*at = wait->next;
		pthread_mutex_unlock(&watchdog->lock);
	}
	if (result == VK_ERROR_DEVICE_LOST)
		device_is_lost(device, wait->call);
}

#define WAIT(name, parameters, arguments, object, timeout_, polled) \
	VKAPI_ATTR VkResult VKAPI_CALL layer_##name parameters      \
	{                                                           \
		struct device *device = device_of(object);          \
		struct wait wait = { .call = #name };               \
		VkResult result;                                    \
                                                                    \
		wait_enter(device, &wait, timeout_);                \
		result = device->calls.name arguments;              \
		wait_leave(device, &wait, result);                  \
		polled;                                             \
		return result;                                      \
	}

WAIT(vkWaitForFences,
     (VkDevice handle, uint32_t count, const VkFence *fences, VkBool32 all, uint64_t timeout),
     (handle, count, fences, all, timeout), handle, timeout,
     polled_fences(device, wait.call, count, fences, result))
WAIT(vkWaitSemaphores, (VkDevice handle, const VkSemaphoreWaitInfo *info, uint64_t timeout),
     (handle, info, timeout), handle, timeout, polled_semaphores(device, wait.call, info, result))
WAIT(vkWaitSemaphoresKHR, (VkDevice handle, const VkSemaphoreWaitInfo *info, uint64_t timeout),
     (handle, info, timeout), handle, timeout, polled_semaphores(device, wait.call, info, result))
WAIT(vkQueueWaitIdle, (VkQueue queue), (queue), queue, UINT64_MAX, )
WAIT(vkDeviceWaitIdle, (VkDevice handle), (handle), handle, UINT64_MAX, )
