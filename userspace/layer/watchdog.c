// SPDX-License-Identifier: MIT
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "crash.h"
#include "hooks.h"
#include "watchdog.h"

#define NS_PER_MS 1000000u

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

/* Returns what hangs, or NULL when it is to stop. */
static const char *watch(struct watchdog *watchdog)
{
	uint64_t limit = (uint64_t)watchdog->device->instance->settings.watchdog_ms * NS_PER_MS;
	const struct wait *wait;
	struct timespec until;
	uint64_t end;

	while (!watchdog->stop) {
		wait = longest(watchdog);
		if (!wait) {
			pthread_cond_wait(&watchdog->changed, &watchdog->lock);
			continue;
		}
		end = wait->since_ns + limit;
		until.tv_sec = (time_t)(end / NS_PER_S);
		until.tv_nsec = (long)(end % NS_PER_S);
		if (clock_ns(CLOCK_MONOTONIC) >= end)
			return wait->call;
		pthread_cond_timedwait(&watchdog->changed, &watchdog->lock, &until);
	}
	return NULL;
}

static void report_hang(struct device *device, const char *call)
{
	char reason[96];

	snprintf(reason, sizeof(reason), "%s has not returned for %u ms", call,
		 device->instance->settings.watchdog_ms);
	pthread_mutex_lock(&device->report_lock);
	if (!atomic_load(&device->reported))
		crash_report(device, CRASH_HANG, reason);
	pthread_mutex_unlock(&device->report_lock);
}

/* One hang is told, and no second one. */
static void *watchdog_main(void *argument)
{
	struct watchdog *watchdog = argument;
	const char *call;

	pthread_mutex_lock(&watchdog->lock);
	call = watch(watchdog);
	pthread_mutex_unlock(&watchdog->lock);
	if (call)
		report_hang(watchdog->device, call);
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

void watchdog_start(struct device *device)
{
	struct watchdog *watchdog;
	pthread_condattr_t attributes;

	if (!device->instance->settings.watchdog_ms)
		return;
	watchdog = calloc(1, sizeof(*watchdog));
	if (!watchdog)
		return;
	watchdog->device = device;
	pthread_mutex_init(&watchdog->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&watchdog->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	if (start_quietly(watchdog)) {
		free(watchdog);
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
	pthread_cond_destroy(&watchdog->changed);
	pthread_mutex_destroy(&watchdog->lock);
	free(watchdog);
	device->watchdog = NULL;
}

static void wait_enter(struct device *device, struct wait *wait, const char *call)
{
	struct watchdog *watchdog = device->watchdog;

	if (!watchdog || layer_is_off())
		return;
	wait->call = call;
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

#define WAIT(name, parameters, arguments, object)              \
	VKAPI_ATTR VkResult VKAPI_CALL layer_##name parameters \
	{                                                      \
		struct device *device = device_of(object);     \
		struct wait wait = { .call = #name };          \
		VkResult result;                               \
                                                               \
		wait_enter(device, &wait, #name);              \
		result = device->calls.name arguments;         \
		wait_leave(device, &wait, result);             \
		return result;                                 \
	}

WAIT(vkWaitForFences,
     (VkDevice handle, uint32_t count, const VkFence *fences, VkBool32 all, uint64_t timeout),
     (handle, count, fences, all, timeout), handle)
WAIT(vkWaitSemaphores, (VkDevice handle, const VkSemaphoreWaitInfo *info, uint64_t timeout),
     (handle, info, timeout), handle)
WAIT(vkWaitSemaphoresKHR, (VkDevice handle, const VkSemaphoreWaitInfo *info, uint64_t timeout),
     (handle, info, timeout), handle)
WAIT(vkQueueWaitIdle, (VkQueue queue), (queue), queue)
WAIT(vkDeviceWaitIdle, (VkDevice handle), (handle), handle)
