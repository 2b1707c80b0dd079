// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Threads that do whatever comes to their minds, with files that others close
 * under their hands and memory that comes and goes, while the GPU faults and
 * clients die. Who plays by the rules must not notice, up to the last event.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

#define ATTACKERS	4
#define RAISERS		2
#define THREADS		(ATTACKERS + RAISERS + 1)
#define SHARED		16
#define AREA		(4 * ROAD_PAGE)
#define TIME_MS		5000

/* Everything that the threads share. */
static struct {
	struct road_sim sim;
	int dev;
	int reader;
	atomic_int streams[SHARED];
	atomic_bool stop;
	atomic_bool quiet;
	atomic_ullong raised;
	atomic_ullong seen;
	atomic_int surprise;
	char *area;
} all;

static __u32 pick(unsigned int *seed, const __u32 *from, size_t count)
{
	return from[rand_r(seed) % count];
}

static __u32 any(unsigned int *seed)
{
	static const __u32 values[] = {
		0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 64, 256, 4096, 4097, 65536,
		0x7fffffff, 0x80000000, 0xfffffff8, ~0U,
	};

	return pick(seed, values, ARRAY_SIZE(values));
}

/* Good memory, memory that ends, comes and goes, cannot be written, is not there. */
static void *any_memory(unsigned int *seed)
{
	switch (rand_r(seed) % 8) {
	case 0:
		return all.area + AREA - rand_r(seed) % 512;
	case 1:
		return all.area + 2 * ROAD_PAGE - 8 * (rand_r(seed) % 64);
	case 2:
		return all.area + 3 * ROAD_PAGE;
	case 3:
		return (void *)(uintptr_t)(8 * (rand_r(seed) % 64));
	case 4:
		return (void *)(~(uintptr_t)0 << (rand_r(seed) % 48));
	default:
		return all.area;
	}
}

static int any_stream(unsigned int *seed)
{
	return atomic_load(&all.streams[rand_r(seed) % SHARED]);
}

static int any_file(unsigned int *seed, int pidfd)
{
	switch (rand_r(seed) % 6) {
	case 0:
		return any_stream(seed);
	case 1:
		return all.dev;
	case 2:
		return pidfd;
	case 3:
		return any(seed);
	default:
		return all.sim.fd;
	}
}

/* A call with a structure, or of a wrong size, or with something else instead. */
static int call(unsigned int *seed, int fd, unsigned long cmd, void *args)
{
	void *at = args;

	if (rand_r(seed) % 4 == 0)
		*(__u32 *)args = any(seed);
	if (rand_r(seed) % 8 == 0)
		at = any_memory(seed);
	return road_call(fd, cmd, at);
}

static int attack_info(unsigned int *seed)
{
	struct drm_fault_info args = { .size = sizeof(args), .flags = any(seed) & 1 };

	return call(seed, all.dev, DRM_FAULT_IOCTL_GET_INFO, &args);
}

static int attack_device(unsigned int *seed)
{
	struct drm_fault_device args = {
		.size = sizeof(args),
		.flags = any(seed) & 3,
		.id = any(seed),
		.fd = any_file(seed, -1),
		.pad = any(seed) & 1,
	};

	return call(seed, all.dev, DRM_FAULT_IOCTL_GET_DEVICE, &args);
}

/* Each number in the list is taken out by one thread alone, which closes it. */
static void share(unsigned int *seed, int stream)
{
	int old = atomic_exchange(&all.streams[rand_r(seed) % SHARED], stream);

	if (old >= 0)
		close(old);
}

static int attack_subscribe(unsigned int *seed)
{
	int pidfd = rand_r(seed) % 4 ? -1 : road_pidfd(rand_r(seed) % 2 ? getpid() : getppid());
	struct drm_fault_subscribe args = {
		.size = sizeof(args),
		.flags = rand_r(seed) % 8 ? DRM_FAULT_SUBSCRIBE_NONBLOCK : any(seed),
		.scope = rand_r(seed) % 6,
		.fd = rand_r(seed) % 2 ? any_file(seed, pidfd) : 0,
		.device_id = rand_r(seed) % 2 ? road_gpu_id() : 0,
		.queue_records = any(seed),
		.stream_fd = -1,
	};
	int ret;

	if (args.scope == DRM_FAULT_SCOPE_FILE)
		args.fd = all.sim.fd;
	ret = call(seed, all.dev, DRM_FAULT_IOCTL_SUBSCRIBE, &args);
	if (!ret && args.stream_fd >= 0)
		share(seed, args.stream_fd);
	if (pidfd >= 0)
		close(pidfd);
	return ret;
}

static int attack_close(unsigned int *seed)
{
	share(seed, -1);
	return 0;
}

static int attack_snapshot(unsigned int *seed)
{
	struct drm_fault_snapshot args = {
		.size = sizeof(args),
		.record_size = rand_r(seed) % 2 ? ROAD_RECORD : any(seed),
		.record_count = any(seed),
		.records_ptr = (uintptr_t)any_memory(seed),
		.flags = any(seed) & 1,
	};

	if (rand_r(seed) % 4 == 0)
		return call(seed, all.sim.fd, DRM_IOCTL_FAULT_SIM_FAULTS, &args);
	return call(seed, any_stream(seed), DRM_FAULT_IOCTL_SNAPSHOT, &args);
}

static int attack_read(unsigned int *seed)
{
	ssize_t ret = road_read(any_stream(seed), any_memory(seed), any(seed) % (2 * AREA));

	return ret < 0 ? ret : 0;
}

static int attack_poll(unsigned int *seed)
{
	road_poll(any_stream(seed), rand_r(seed) % 4);
	return 0;
}

/* Pages disappear and come back while the kernel copies to them. */
static int attack_memory(unsigned int *seed)
{
	char *page = all.area + ROAD_PAGE * (1 + rand_r(seed) % 2);

	if (rand_r(seed) % 2)
		madvise(page, ROAD_PAGE, MADV_DONTNEED);
	else
		mprotect(page, ROAD_PAGE, rand_r(seed) % 2 ? PROT_NONE : PROT_READ | PROT_WRITE);
	return 0;
}

static int attack_number(unsigned int *seed)
{
	return road_call(rand_r(seed) % 2 ? all.dev : any_stream(seed),
			 0xfa00 | (rand_r(seed) % 16) | (any(seed) & 0xffff0000),
			 any_memory(seed));
}

static int (*const attacks[])(unsigned int *seed) = {
	attack_info, attack_device, attack_subscribe, attack_subscribe, attack_close,
	attack_snapshot, attack_snapshot, attack_read, attack_read, attack_poll,
	attack_memory, attack_number,
};

/* The errors of drm_fault.h, and of read() on what is no stream any more. */
static bool is_known(int error)
{
	static const int known[] = {
		0, ENOTTY, E2BIG, EINVAL, EBADF, ENODEV, EOPNOTSUPP, EACCES, ESRCH, EMFILE,
		EAGAIN, EFAULT, ENOMEM, EINTR,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i] == -error)
			return true;
	return false;
}

static void *attack(void *data)
{
	unsigned int number = (uintptr_t)data, seed = number + road_now_ns();
	int ret;

	/* Half of them without rights; the system call is about one thread alone. */
	if (number % 2 && syscall(SYS_setresuid, ROAD_ALICE, ROAD_ALICE, ROAD_ALICE))
		atomic_store(&all.surprise, -errno);
	while (!atomic_load(&all.stop)) {
		ret = attacks[rand_r(&seed) % ARRAY_SIZE(attacks)](&seed);
		if (!is_known(ret))
			atomic_store(&all.surprise, ret);
	}
	return NULL;
}

/* Real faults, and injected ones; what is counted here has happened. */
static void *raise_faults(void *data)
{
	unsigned int seed = 1 + (uintptr_t)data;
	bool inject = (uintptr_t)data % 2;
	int ret;

	while (!atomic_load(&all.stop)) {
		__u64 address = ROAD_PAGE * (rand_r(&seed) % 512);
		unsigned int count = inject ? 1 + rand_r(&seed) % 64 : 1;

		ret = inject ? road_raise_pages(&all.sim, address, count) :
			       road_sim_fault(&all.sim, address);
		if (ret)
			atomic_store(&all.surprise, ret);
		else
			atomic_fetch_add(&all.raised, count);
	}
	return NULL;
}

static void *read_all(void *data)
{
	struct drm_fault_record records[8];
	bool last;
	ssize_t ret;

	do {
		last = atomic_load(&all.quiet);
		road_poll(all.reader, 10);
		while ((ret = road_read(all.reader, records, sizeof(records))) > 0)
			atomic_fetch_add(&all.seen,
					 road_sum_counts(records, ret / ROAD_RECORD) +
					 road_sum_lost(records, ret / ROAD_RECORD));
	} while (!last);
	return NULL;
}

/* A client that is ended in the middle of something. */
static pid_t start_mortal(void)
{
	struct road_sim sim;
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (road_sim_open(&sim))
		_exit(1);
	for (;;)
		if (road_sim_fault(&sim, ROAD_PAGE) || road_raise_pages(&sim, 0, 100))
			_exit(2);
}

static void nothing(int signal)
{
}

FIXTURE(hostile) {
	pthread_t threads[THREADS];
	struct drm_fault_snapshot snapshot;
	struct drm_fault_record *records;
	unsigned int room;
};

FIXTURE_SETUP(hostile)
{
	/* Without SA_RESTART: calls are to be interrupted. */
	struct sigaction action = { .sa_handler = nothing };
	unsigned int i;

	ASSERT_EQ(0, road_setup());
	ASSERT_EQ(0, road_sim_open(&all.sim));
	all.dev = road_open();
	ASSERT_LE(0, all.dev);
	all.reader = road_stream_queue(DRM_FAULT_SCOPE_FILE, all.sim.fd, 16);
	ASSERT_LE(0, all.reader);
	for (i = 0; i < SHARED; i++)
		atomic_store(&all.streams[i], -1);
	all.area = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(all.area != MAP_FAILED);
	ASSERT_EQ(0, mprotect(all.area + 3 * ROAD_PAGE, ROAD_PAGE, PROT_READ));
	self->room = road_parameter("ring_records");
	self->records = calloc(self->room, ROAD_RECORD);
	ASSERT_NE(NULL, self->records);
	ASSERT_EQ(0, sigaction(SIGUSR1, &action, NULL));
}

FIXTURE_TEARDOWN(hostile)
{
	free(self->records);
}

static int start_threads(struct _test_data_hostile *self)
{
	uintptr_t i;
	int ret = pthread_create(&self->threads[0], NULL, read_all, NULL);

	for (i = 0; i < RAISERS && !ret; i++)
		ret = pthread_create(&self->threads[1 + i], NULL, raise_faults, (void *)i);
	for (i = 0; i < ATTACKERS && !ret; i++)
		ret = pthread_create(&self->threads[1 + RAISERS + i], NULL, attack, (void *)i);
	return ret;
}

/* Who attacks may wait in a read() for what does not come. */
static void interrupt_attackers(struct _test_data_hostile *self, unsigned int end)
{
	unsigned int i;

	for (i = 1 + RAISERS; i < end; i++)
		pthread_kill(self->threads[i], SIGUSR1);
}

static void stop_threads(struct _test_data_hostile *self)
{
	struct timespec soon;
	unsigned int i;

	atomic_store(&all.stop, true);
	for (i = THREADS; i--; ) {
		/* The reader is the last: then nothing comes any more. */
		atomic_store(&all.quiet, !i);
		do {
			interrupt_attackers(self, i + 1);
			clock_gettime(CLOCK_REALTIME, &soon);
			soon.tv_nsec = 0;
			soon.tv_sec++;
		} while (pthread_timedjoin_np(self->threads[i], NULL, &soon) == ETIMEDOUT);
	}
}

TEST_F_TIMEOUT(hostile, events_are_exact_whatever_others_do, 60)
{
	__u64 end = road_now_ns() + TIME_MS * 1000000ULL, counts, raised;
	struct drm_fault_info info;
	unsigned int deaths = 0;
	pid_t mortal;

	ASSERT_EQ(0, start_threads(self));
	while (road_now_ns() < end) {
		mortal = start_mortal();
		ASSERT_LT(0, mortal);
		road_sleep_ms(20 + deaths++ % 100);
		interrupt_attackers(self, THREADS);
		kill(mortal, SIGKILL);
		EXPECT_EQ(-EINTR, road_wait(mortal));
	}
	stop_threads(self);
	raised = atomic_load(&all.raised);
	TH_LOG("%llu events, %u clients died", (unsigned long long)raised, deaths);

	EXPECT_EQ(0, atomic_load(&all.surprise));
	EXPECT_LT(0, raised);
	EXPECT_EQ(raised, atomic_load(&all.seen));
	ASSERT_EQ(0, road_snapshot(all.reader, &self->snapshot, self->records, self->room));
	counts = road_sum_counts(self->records, self->snapshot.record_count);
	EXPECT_EQ(raised, self->snapshot.events);
	EXPECT_EQ(raised, counts + self->snapshot.lost);
	EXPECT_EQ(self->snapshot.lost,
		  road_sum_lost(self->records, self->snapshot.record_count));
	EXPECT_EQ(0, self->snapshot.result);
	EXPECT_EQ(0, road_info(&info));
	EXPECT_LE(0, road_stream(DRM_FAULT_SCOPE_ALL, 0));
}

TEST_HARNESS_MAIN
