// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Faults, openers and modules, all at once: nothing is lost that is not counted,
 * nothing is another's.
 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "hooks.h"
#include "kselftest_harness.h"
#include "registers.h"

#define PRIV		1024
#define THREADS		4
#define FAULTS		2000

static const struct hooks_driver driver = {
	.module = DRM_FAULT_SIM_NAME " report=0",
	.name = DRM_FAULT_SIM_NAME,
	.priv_size = PRIV,
	.symbols = { PAGE_FAULT, NULL },
};

/**
 * struct client - one that faults
 * @thread: which does it
 * @hooks: the test's
 * @fd: its file
 * @own: its stream
 * @registers: in memory of the kernel
 * @vm: its address space
 * @stop: the end
 * @raised: calls that were made
 * @errors: others
 */
struct client {
	pthread_t thread;
	struct hooks *hooks;
	int fd;
	int own;
	__u64 gpu;
	__u64 registers;
	__u32 vm;
	bool stop;
	unsigned int raised;
	unsigned int errors;
};

FIXTURE(storm) {
	struct hooks hooks;
	struct client clients[THREADS];
	struct drm_fault_record records[256];
};

/* The address space of all that are opened from now on, 0: none. */
static int set_vm(struct hooks *hooks, __u32 vm)
{
	__u32 vms[PRIV / sizeof(vm)];
	struct drm_fault_call_template template = {
		.id = hooks->gpu.id,
		.size = sizeof(vms),
		.ptr = (uintptr_t)vms,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vms); i++)
		vms[i] = vm;
	return road_call(hooks->call, DRM_FAULT_CALL_GPU_TEMPLATE, &template);
}

static int open_client(struct client *client, struct hooks *hooks, __u32 vm, __u64 gpu)
{
	int ret = set_vm(hooks, vm);

	*client = (struct client){ .hooks = hooks, .vm = vm, .gpu = gpu };
	client->fd = ret ?: hooks_gpu_node(hooks);
	if (client->fd < 0)
		return client->fd;
	client->own = road_stream(DRM_FAULT_SCOPE_FILE, client->fd);
	client->registers = hooks_buffer(hooks, sizeof(struct registers));
	return client->own < 0 ? client->own : client->registers ? 0 : -ENOMEM;
}

static int raise_one(struct client *client, __u64 page, __u32 flags)
{
	struct registers registers = {
		.address = page * ROAD_PAGE,
		.status = DRM_FAULT_SIM_CAUSE_NOT_PRESENT | DRM_FAULT_ACCESS_READ << 4,
		.vm = client->vm,
	};
	struct drm_fault_call_make make = {
		.outer = HOOKS_STEP(PAGE_FAULT, 0, client->gpu, client->registers),
		.flags = flags,
	};
	int ret = hooks_write(client->hooks, client->registers, &registers, sizeof(registers));

	return ret ?: hooks_make(client->hooks, &make);
}

/* Every second from an interrupt; each in another page. */
static void *raise_many(void *arg)
{
	struct client *client = arg;
	unsigned int i;

	for (i = 0; i < FAULTS; i++) {
		if (raise_one(client, client->vm + i * THREADS,
			      i % 2 ? DRM_FAULT_CALL_IN_IRQ : 0))
			client->errors++;
		else
			client->raised++;
	}
	return NULL;
}

/* The module with the function comes and goes. */
static void *raise_until_stopped(void *arg)
{
	struct client *client = arg;
	int ret;

	while (!__atomic_load_n(&client->stop, __ATOMIC_RELAXED)) {
		ret = raise_one(client, client->vm, 0);
		if (!ret)
			client->raised++;
		else if (ret != -ENOENT)
			client->errors++;
	}
	return NULL;
}

/* drm_fault.ko comes and goes. */
static void *open_until_stopped(void *arg)
{
	struct client *client = arg;
	int fd;

	while (!__atomic_load_n(&client->stop, __ATOMIC_RELAXED)) {
		fd = hooks_gpu_node(client->hooks);
		if (fd < 0)
			client->errors++;
		else
			client->raised++;
		close(fd);
	}
	return NULL;
}

static __u64 make_gpu(struct hooks *hooks)
{
	struct drm_fault_call_field dev = { "drm_device", "dev", 8 };
	__u64 gpu = hooks_buffer(hooks, ROAD_PAGE);

	if (hooks_fields(hooks, "drm", &dev, 1) || hooks_set(hooks, gpu, &dev, hooks->gpu.device))
		return 0;
	return gpu;
}

static void start(struct client *clients, void *(*run)(void *))
{
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		pthread_create(&clients[i].thread, NULL, run, &clients[i]);
}

static void join(struct client *clients)
{
	unsigned int i;

	for (i = 0; i < THREADS; i++)
		__atomic_store_n(&clients[i].stop, true, __ATOMIC_RELAXED);
	for (i = 0; i < THREADS; i++)
		pthread_join(clients[i].thread, NULL);
}

FIXTURE_SETUP(storm)
{
	__u64 gpu;
	__u32 i;

	ASSERT_EQ(0, hooks_setup(&self->hooks, &driver));
	gpu = make_gpu(&self->hooks);
	ASSERT_NE(0, gpu);
	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0, open_client(&self->clients[i], &self->hooks, i + 1, gpu));
	ASSERT_EQ(0, set_vm(&self->hooks, 0));
}

FIXTURE_TEARDOWN(storm)
{
	hooks_teardown(&self->hooks);
	hooks_unload(DRM_FAULT_SIM_NAME);
}

/* What a stream has to read is in order, and the client's own. */
static __u64 sum_stream(struct _test_data_storm *self, struct client *client, unsigned int *wrong)
{
	__u64 sum = 0;
	ssize_t ret;
	unsigned int i;

	while ((ret = road_read(client->own, self->records, sizeof(self->records))) > 0) {
		for (i = 0; i < ret / ROAD_RECORD; i++) {
			const struct drm_fault_record *record = &self->records[i];

			sum += record->count + record->lost;
			if (record->type == DRM_FAULT_RECORD_FAULT && record->vmid != client->vm)
				++*wrong;
		}
	}
	return sum;
}

static __u64 sum_snapshot(struct _test_data_storm *self, struct client *client,
			  unsigned int *wrong)
{
	struct drm_fault_snapshot args;
	__u64 sum;
	unsigned int i;

	if (road_snapshot(client->own, &args, self->records, ARRAY_SIZE(self->records)))
		return 0;
	sum = road_sum_counts(self->records, args.record_count) + args.lost;
	for (i = 0; i < args.record_count; i++)
		*wrong += self->records[i].vmid != client->vm;
	return args.events == sum ? sum : 0;
}

TEST_F_TIMEOUT(storm, every_fault_is_one_clients_and_counted, 120)
{
	unsigned int i, wrong = 0;

	start(self->clients, raise_many);
	join(self->clients);
	for (i = 0; i < THREADS; i++) {
		struct client *client = &self->clients[i];

		EXPECT_EQ(0, client->errors);
		EXPECT_EQ(FAULTS, client->raised);
		EXPECT_EQ(FAULTS, sum_stream(self, client, &wrong));
		EXPECT_EQ(FAULTS, sum_snapshot(self, client, &wrong));
	}
	EXPECT_EQ(0, wrong);
}

TEST_F_TIMEOUT(storm, functions_module_comes_and_goes, 120)
{
	unsigned int i, wrong = 0;
	__u64 sum;

	start(self->clients, raise_until_stopped);
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(0, hooks_unload(DRM_FAULT_SIM_NAME));
		EXPECT_EQ(0, hooks_load(driver.module));
	}
	join(self->clients);
	for (i = 0; i < THREADS; i++) {
		EXPECT_EQ(0, self->clients[i].errors);
		EXPECT_LT(0, self->clients[i].raised);
		/* While the module comes, calls go by before the hook is there. */
		sum = sum_snapshot(self, &self->clients[i], &wrong);
		EXPECT_LT(0, sum);
		EXPECT_LE(sum, self->clients[i].raised);
	}
	EXPECT_EQ(0, wrong);
}

TEST_F_TIMEOUT(storm, drm_fault_comes_and_goes_among_openers, 120)
{
	unsigned int i;
	int stream;

	for (i = 0; i < THREADS; i++)
		close(self->clients[i].own);
	close(self->hooks.own);
	close(self->hooks.all);
	ASSERT_EQ(0, hooks_unload(DRM_FAULT_SIM_NAME));
	start(self->clients, open_until_stopped);
	for (i = 0; i < 5; i++) {
		EXPECT_EQ(0, hooks_unload("drm_fault"));
		EXPECT_EQ(0, hooks_load("drm_fault"));
	}
	join(self->clients);
	ASSERT_EQ(0, hooks_load(driver.module));
	for (i = 0; i < THREADS; i++) {
		EXPECT_EQ(0, self->clients[i].errors);
		EXPECT_LT(0, self->clients[i].raised);
		/* The files that were open all the time are known again. */
		stream = road_stream(DRM_FAULT_SCOPE_FILE, self->clients[i].fd);
		ASSERT_LE(0, stream);
		EXPECT_EQ(0, raise_one(&self->clients[i], 1, 0));
		EXPECT_EQ(0, hooks_record(stream, self->records));
		EXPECT_EQ(self->clients[i].vm, self->records->vmid);
		close(stream);
	}
	self->hooks.own = -1;
	self->hooks.all = -1;
}

TEST_HARNESS_MAIN
