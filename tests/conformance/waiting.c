// SPDX-License-Identifier: MIT
/* vkGetDeviceFaultReportsKHR with time, signals and several threads. */
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "conformance.h"

#define THREADS	 4
#define FAULTS	 60
#define TOO_LONG (20000 * MS)

/* One caller. What it got, for the thread that runs the case to judge. */
struct caller {
	struct conformance *c;
	uint64_t timeout;
	/* Go on until there is the report with DEVICE_LOST, or nothing can come. */
	bool until_lost;
	VkResult result;
	uint64_t took_ns;
	uint64_t cpu_ns;
	uint32_t count;
	VkDeviceFaultInfoKHR infos[2 * FAULTS];
};

static struct caller callers[THREADS];

static uint64_t cpu_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (uint64_t)used.tv_sec * 1000000000 + (uint64_t)used.tv_nsec;
}

static void *call(void *arg)
{
	struct caller *caller = arg;
	const struct conformance_subject *subject = caller->c->subject;
	uint64_t wall = now_ns(), cpu = cpu_ns();

	do {
		uint32_t room = 2 * FAULTS - caller->count;

		room = caller->until_lost && room > 2 ? 2 : room;
		caller->result = subject->reports(caller->c->device, caller->timeout, &room,
						  caller->infos + caller->count);
		caller->count += room;
	} while (caller->until_lost && caller->result >= 0 && caller->result != VK_TIMEOUT);
	caller->cpu_ns = cpu_ns() - cpu;
	caller->took_ns = now_ns() - wall;
	return NULL;
}

static void start(struct conformance *c, pthread_t *thread, struct caller *caller, uint64_t timeout,
		  bool until_lost)
{
	memset(caller, 0, sizeof(*caller));
	conformance_prepare(caller->infos, ARRAY_SIZE(caller->infos));
	caller->c = c;
	caller->timeout = timeout;
	caller->until_lost = until_lost;
	CHECK(c, !pthread_create(thread, NULL, call, caller));
}

/* Long enough for another thread to be waiting; nothing fails if it is not yet. */
static void let_it_wait(void)
{
	const struct timespec a_moment = { .tv_nsec = 20 * (long)MS };

	nanosleep(&a_moment, NULL);
}

static void waits_for_its_time(struct conformance *c)
{
	static const uint64_t times[] = { 1, 3 * MS, 60 * MS };
	uint64_t before;
	uint32_t count;
	size_t i;

	conformance_create(c, true, true);
	for (i = 0; i < ARRAY_SIZE(times); i++) {
		count = 1;
		before = now_ns();
		CHECK(c, c->subject->reports(c->device, times[i], &count, NULL) == VK_TIMEOUT);
		CHECK(c, now_ns() - before >= times[i]);
		CHECK(c, count == 0);
	}
}

static void ends_with_a_fault(struct conformance *c)
{
	struct caller *caller = &callers[0];
	pthread_t thread;
	uint64_t address;
	bool faulted;

	conformance_create(c, true, true);
	start(c, &thread, caller, TOO_LONG, false);
	let_it_wait();
	faulted = c->subject->fault(c->device, CONFORMANCE_WRITE, &address);
	pthread_join(thread, NULL);
	CHECK(c, faulted);
	CHECK(c, caller->result == VK_SUCCESS && caller->count == 1);
	CHECK(c, caller->took_ns < TOO_LONG);
	CHECK(c, is_within(&caller->infos[0].faultAddressInfo, address));
}

static void ends_with_the_loss(struct conformance *c)
{
	struct caller *caller = &callers[0];
	pthread_t thread;
	bool lost;

	conformance_create(c, true, true);
	start(c, &thread, caller, UINT64_MAX, true);
	let_it_wait();
	lost = c->subject->lose(c->device);
	pthread_join(thread, NULL);
	CHECK(c, lost);
	CHECK(c, caller->count >= 1 && caller->infos[caller->count - 1].flags &
					       VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR);
}

/* A busy wait would use all of the 300 ms; a tenth allows for a slow emulator. */
static void does_not_spin(struct conformance *c)
{
	struct caller *caller = &callers[0];
	pthread_t thread;

	conformance_create(c, true, true);
	start(c, &thread, caller, 300 * MS, false);
	pthread_join(thread, NULL);
	CHECK(c, caller->result == VK_TIMEOUT && caller->took_ns >= 300 * MS);
	CHECK(c, caller->cpu_ns < 30 * MS);
}

/* Nor when another thread has taken the last report. */
static void does_not_spin_after_the_loss(struct conformance *c)
{
	struct caller *caller = &callers[0];
	pthread_t thread;

	conformance_create(c, true, true);
	conformance_lose(c);
	conformance_drain(c, caller->infos, ARRAY_SIZE(caller->infos));
	start(c, &thread, caller, 300 * MS, false);
	pthread_join(thread, NULL);
	CHECK(c, caller->result == VK_TIMEOUT && caller->took_ns >= 300 * MS);
	CHECK(c, caller->cpu_ns < 30 * MS);
}

static void on_signal(int number)
{
	(void)number;
}

static void signals_do_not_matter(struct conformance *c)
{
	const struct sigaction action = { .sa_handler = on_signal };
	struct sigaction old;
	struct caller *caller = &callers[0];
	pthread_t thread;
	int i;

	conformance_create(c, true, true);
	CHECK(c, !sigaction(SIGUSR1, &action, &old));
	start(c, &thread, caller, 200 * MS, false);
	for (i = 0; i < 4; i++) {
		let_it_wait();
		pthread_kill(thread, SIGUSR1);
	}
	pthread_join(thread, NULL);
	sigaction(SIGUSR1, &old, NULL);
	CHECK(c, caller->result == VK_TIMEOUT && caller->took_ns >= 200 * MS);
}

/* How many callers got a report of this address? */
static uint32_t times_returned(uint64_t address)
{
	uint32_t times = 0, i, k;

	for (i = 0; i < THREADS; i++)
		for (k = 0; k < callers[i].count; k++)
			if (callers[i].infos[k].flags & VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR &&
			    is_within(&callers[i].infos[k].faultAddressInfo, address))
				times++;
	return times;
}

static uint32_t losses_returned(void)
{
	uint32_t losses = 0, i, k;

	for (i = 0; i < THREADS; i++)
		for (k = 0; k < callers[i].count; k++)
			if (callers[i].infos[k].flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR)
				losses++;
	return losses;
}

static void threads_get_unique_sets(struct conformance *c)
{
	static uint64_t addresses[FAULTS];
	pthread_t threads[THREADS];
	bool good = true;
	uint32_t i;

	conformance_create(c, true, true);
	for (i = 0; i < THREADS; i++)
		start(c, &threads[i], &callers[i], UINT64_MAX, true);
	for (i = 0; i < FAULTS; i++)
		good &= c->subject->fault(c->device, CONFORMANCE_WRITE, &addresses[i]);
	good &= c->subject->lose(c->device);
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	CHECK(c, good);
	for (i = 0; i < FAULTS; i++)
		CHECK(c, times_returned(addresses[i]) == 1);
	CHECK(c, losses_returned() == 1);
	for (i = 0; i < THREADS; i++)
		CHECK(c, callers[i].result == VK_TIMEOUT);
}

/* One that polls while another reads the crash, as engines and their crash handlers do. */
static void *read_crash(void *arg)
{
	static struct fault_answer answers[2];
	struct conformance *c = arg;
	const struct conformance_subject *subject = c->subject;
	uint32_t i;

	for (i = 0; i < 50; i++) {
		struct fault_answer *a = &answers[i % 2];
		VkDeviceFaultDebugInfoKHR debug = {
			.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
		};

		a->counts = (VkDeviceFaultCountsEXT){
			.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT,
			.addressInfoCount = MAX_INFOS,
			.vendorInfoCount = MAX_INFOS,
			.vendorBinarySize = MAX_BINARY,
		};
		a->info = (VkDeviceFaultInfoEXT){
			.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT,
			.pAddressInfos = a->addresses,
			.pVendorInfos = a->vendors,
			.pVendorBinaryData = a->binary,
		};
		if (subject->fault_info(c->device, &a->counts, &a->info) != VK_SUCCESS ||
		    subject->debug_info(c->device, &debug) != VK_SUCCESS)
			return c;
		if (i && (answers[0].counts.vendorInfoCount != answers[1].counts.vendorInfoCount ||
			  debug.vendorBinarySize != a->counts.vendorBinarySize))
			return c;
	}
	return NULL;
}

static void readers_and_pollers(struct conformance *c)
{
	pthread_t poller, reader;
	uint64_t address;
	void *bad = c;
	bool lost;
	int i;

	conformance_create(c, true, true);
	start(c, &poller, &callers[0], UINT64_MAX, true);
	for (i = 0; i < 3; i++)
		c->subject->fault(c->device, CONFORMANCE_WRITE, &address);
	lost = c->subject->lose(c->device);
	if (!pthread_create(&reader, NULL, read_crash, c))
		pthread_join(reader, &bad);
	pthread_join(poller, NULL);
	CHECK(c, lost && !bad);
	CHECK(c, callers[0].count >= 4);
}

const struct conformance_case conformance_waiting[] = {
	{ "khr: without a fault the call waits until the timeout, and returns TIMEOUT",
	  waits_for_its_time },
	{ "khr: a fault ends the wait, with SUCCESS", ends_with_a_fault },
	{ "khr: the loss of the device ends the wait", ends_with_the_loss },
	{ "khr: waiting costs no processor time", does_not_spin },
	{ "khr: waiting after the loss costs none either", does_not_spin_after_the_loss },
	{ "khr: signals do not end the wait", signals_do_not_matter },
	{ "khr: threads that call in parallel get unique sets", threads_get_unique_sets },
	{ "ext, khr: a crash reader and a poller get all, at the same time", readers_and_pollers },
	{ NULL, NULL },
};
