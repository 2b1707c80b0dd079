// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The engine of hooks on a GPU that does nothing, which is called what the
 * simulated one is: in which order things come and go, who owns what, and the
 * bench's memory and layouts on the way.
 */
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "hooks.h"
#include "kselftest_harness.h"
#include "registers.h"

#define PRIV		1024
#define STATUS \
	(DRM_FAULT_SIM_CAUSE_PERMISSION | DRM_FAULT_ACCESS_WRITE << 4 | 3 << 8 | 2 << 16)

/* Of the driver's own layouts: a number wherever a file's may be looked for. */
static __u32 vms[PRIV / sizeof(__u32)];

static struct hooks_driver driver = {
	.module = DRM_FAULT_SIM_NAME " report=0",
	.name = DRM_FAULT_SIM_NAME,
	.priv_size = PRIV,
	.template = vms,
	.address_bits = DRM_FAULT_SIM_ADDRESS_BITS,
	.symbols = { PAGE_FAULT, NULL },
};

/* No other file has it. */
static void set_vm(__u32 vm)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(vms); i++)
		vms[i] = vm;
}

static const struct registers registers = {
	.address = 0x123456789abc,
	.ip = 0x10000008,
	.status = STATUS,
	.word = 0x700000000000040,
	.job_context = 0x99,
	.job_seqno = 0x77,
	.vm = 0x5a5a5a5a,
};

static struct drm_fault_record want(const struct hooks *hooks)
{
	struct drm_fault_record want = hooks_want(hooks);

	want.flags = DRM_FAULT_RECORD_F_FATAL;
	want.address = registers.address;
	want.address_precision = 4;
	want.ip = registers.ip;
	want.ip_precision = 8;
	want.ip_type = DRM_FAULT_IP_FAULT;
	want.access = DRM_FAULT_ACCESS_WRITE;
	want.fault_type = DRM_FAULT_TYPE_PERMISSION;
	want.level = 3;
	want.engine_class = DRM_FAULT_ENGINE_COMPUTE;
	strcpy(want.engine, "ring0");
	want.vmid = registers.vm;
	want.raw_format = DRM_FAULT_RAW_SIM;
	want.raw_count = 2;
	want.raw[0] = registers.status;
	want.raw[1] = registers.word;
	want.job_context = registers.job_context;
	want.job_seqno = registers.job_seqno;
	return want;
}

/**
 * struct fault - what the fault function is called with
 * @gpu: the driver's own structure of the GPU, which leads to it
 * @registers: the fault registers
 */
struct fault {
	__u64 gpu;
	__u64 registers;
};

static int make_fault(struct hooks *hooks, struct fault *fault)
{
	struct drm_fault_call_field dev = { "drm_device", "dev", 8 };
	int ret = hooks_fields(hooks, "drm", &dev, 1);

	if (ret)
		return ret;
	fault->gpu = hooks_buffer(hooks, 4096);
	fault->registers = hooks_buffer(hooks, sizeof(registers));
	ret = hooks_set(hooks, fault->gpu, &dev, hooks->gpu.device);
	return ret ?: hooks_write(hooks, fault->registers, &registers, sizeof(registers));
}

static int raise_fault(struct hooks *hooks)
{
	struct fault fault;
	int ret = make_fault(hooks, &fault);

	return ret ?: hooks_call(hooks, PAGE_FAULT, 0, fault.gpu, fault.registers);
}

FIXTURE(fake) {
	struct hooks hooks;
	struct drm_fault_record want, record;
};

FIXTURE_SETUP(fake)
{
	set_vm(registers.vm);
	ASSERT_EQ(0, hooks_setup(&self->hooks, &driver));
	self->want = want(&self->hooks);
}

FIXTURE_TEARDOWN(fake)
{
	hooks_teardown(&self->hooks);
	hooks_unload(DRM_FAULT_SIM_NAME);
}

TEST_F(fake, fault_is_its_owners)
{
	ASSERT_EQ(0, raise_fault(&self->hooks));
	ASSERT_EQ(0, hooks_record(self->hooks.own, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
	ASSERT_EQ(0, hooks_record(self->hooks.all, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
	EXPECT_NO_RECORD(self->hooks.own);
}

TEST_F(fake, fault_in_an_interrupt)
{
	struct fault fault;

	ASSERT_EQ(0, make_fault(&self->hooks, &fault));
	ASSERT_EQ(0, hooks_call_in_irq(&self->hooks, PAGE_FAULT, 0, fault.gpu, fault.registers));
	ASSERT_EQ(0, hooks_record(self->hooks.own, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
}

TEST_F(fake, fault_of_nobody_is_seen_by_the_privileged_alone)
{
	struct drm_fault_record unowned = hooks_want_unowned(&self->hooks);
	struct registers other = registers;
	struct fault fault;

	ASSERT_EQ(0, make_fault(&self->hooks, &fault));
	other.vm++;
	ASSERT_EQ(0, hooks_write(&self->hooks, fault.registers, &other, sizeof(other)));
	ASSERT_EQ(0, hooks_call(&self->hooks, PAGE_FAULT, 0, fault.gpu, fault.registers));
	EXPECT_NO_RECORD(self->hooks.own);
	ASSERT_EQ(0, hooks_record(self->hooks.all, &self->record));
	self->want.vmid = other.vm;
	self->want.flags |= unowned.flags;
	self->want.client_id = 0;
	self->want.pid = 0;
	memset(self->want.comm, 0, sizeof(self->want.comm));
	EXPECT_RECORD(&self->want, &self->record);
}

TEST_F(fake, wrong_pointers_do_no_harm)
{
	ASSERT_EQ(0, hooks_call(&self->hooks, PAGE_FAULT, 0, 0, 0));
	ASSERT_EQ(0, hooks_call(&self->hooks, PAGE_FAULT, 0, 8, ~0ULL - 7));
	ASSERT_EQ(0, hooks_call(&self->hooks, PAGE_FAULT, 0, 0xdead000000000000,
				0x4141414141414141));
	EXPECT_NO_RECORD(self->hooks.all);
}

TEST_F(fake, stream_drains_and_ends_when_the_gpu_goes)
{
	ASSERT_EQ(0, raise_fault(&self->hooks));
	ASSERT_EQ(0, hooks_gpu_remove(&self->hooks));
	ASSERT_EQ(0, hooks_record(self->hooks.own, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
	EXPECT_EQ(-ENODEV, hooks_record(self->hooks.own, &self->record));
	EXPECT_EQ(0, hooks_record(self->hooks.all, &self->record));
	EXPECT_EQ(-ENODEV, hooks_record(self->hooks.all, &self->record));
	/* The pointer to the GPU leads nowhere now. */
	EXPECT_EQ(0, raise_fault(&self->hooks));
}

TEST_F(fake, memory_is_zero_and_keeps_what_is_written)
{
	__u64 address = hooks_buffer(&self->hooks, 100), word = 1;

	ASSERT_NE(0, address);
	ASSERT_EQ(0, hooks_read(&self->hooks, address + 92, &word, 8));
	EXPECT_EQ(0, word);
	word = 0x1122334455667788;
	ASSERT_EQ(0, hooks_write(&self->hooks, address + 92, &word, 8));
	word = 0;
	ASSERT_EQ(0, hooks_read(&self->hooks, address + 92, &word, 8));
	EXPECT_EQ(0x1122334455667788, word);
	EXPECT_EQ(-EINVAL, hooks_write(&self->hooks, address + 93, &word, 8));
	EXPECT_EQ(-EFAULT, hooks_write(&self->hooks, address + 100, &word, 8));
	EXPECT_EQ(0, hooks_buffer(&self->hooks, DRM_FAULT_CALL_BUFFER_MAX + 1));
	EXPECT_NE(0, hooks_buffer(&self->hooks, DRM_FAULT_CALL_BUFFER_MAX));
}

TEST_F(fake, members_are_found)
{
	struct drm_fault_call_field fields[] = {
		{ "task_struct", "comm", 16 },
		{ "task_struct", "", 0 },
		{ "drm_fault_record_that_is_not_there", "x", 0 },
		{ "task_struct", "comm", 15 },
	};

	EXPECT_EQ(0, hooks_fields(&self->hooks, "vmlinux", fields, 2));
	EXPECT_LT(0, fields[0].offset);
	EXPECT_LT(fields[0].offset, fields[1].offset);
	EXPECT_GT(0, hooks_fields(&self->hooks, "vmlinux", fields, 3));
	EXPECT_EQ(-ERANGE, hooks_fields(&self->hooks, "vmlinux", &fields[3], 1));
}

/* Read by a function of the kernel: the address leads to the template. */
TEST_F(fake, opener_gets_the_template)
{
	struct drm_fault_call_template template = {
		.id = self->hooks.gpu.id,
		.size = 6,
		.ptr = (uintptr_t)"12345",
	};
	__u64 length;

	ASSERT_EQ(0, road_call(self->hooks.call, DRM_FAULT_CALL_GPU_TEMPLATE, &template));
	close(self->hooks.fd);
	ASSERT_EQ(0, hooks_gpu_open(&self->hooks));
	EXPECT_EQ(template.next, self->hooks.priv);
	ASSERT_EQ(0, hooks_run(&self->hooks, "strnlen", &length,
			       HOOKS_ARGS(self->hooks.priv, PRIV)));
	EXPECT_EQ(5, length);
}

/* The order of things: what is there when drm_fault comes. */
FIXTURE(order) {
	struct hooks hooks;
	struct drm_fault_record want, record;
};

FIXTURE_VARIANT(order) {
	bool gpu, file;
};

FIXTURE_VARIANT_ADD(order, nothing) { };
FIXTURE_VARIANT_ADD(order, gpu) { .gpu = true };
FIXTURE_VARIANT_ADD(order, file) { .gpu = true, .file = true };

static int start_without_core(struct hooks *hooks)
{
	int ret = hooks_open(hooks);

	set_vm(registers.vm);
	ret = ret ?: hooks_unload(DRM_FAULT_SIM_NAME);
	return ret ?: hooks_unload("drm_fault");
}

FIXTURE_SETUP(order)
{
	ASSERT_EQ(0, start_without_core(&self->hooks));
}

FIXTURE_TEARDOWN(order)
{
	hooks_teardown(&self->hooks);
	hooks_unload(DRM_FAULT_SIM_NAME);
}

static int send_file(int talk, int fd)
{
	char byte = 0, control[CMSG_SPACE(sizeof(fd))] = "";
	struct iovec data = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);

	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	return fd < 0 || sendmsg(talk, &message, 0) != 1;
}

static int receive_file(int talk)
{
	char byte, control[CMSG_SPACE(sizeof(int))];
	struct iovec data = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control),
	};
	int fd;

	if (recvmsg(talk, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message))
		return -EPIPE;
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
	return fd;
}

TEST_F(order, fault_is_its_owners)
{
	int fd = -1;

	if (variant->gpu)
		ASSERT_EQ(0, hooks_gpu_add(&self->hooks, &driver));
	if (variant->file)
		fd = hooks_gpu_node(&self->hooks);
	ASSERT_EQ(variant->file, fd >= 0);
	ASSERT_EQ(0, hooks_prepare(&self->hooks, &driver));
	if (!variant->gpu)
		ASSERT_EQ(0, hooks_gpu_add(&self->hooks, &driver));
	ASSERT_EQ(0, variant->file ? hooks_gpu_adopt(&self->hooks, fd) :
				     hooks_gpu_open(&self->hooks));
	self->want = want(&self->hooks);
	ASSERT_EQ(0, raise_fault(&self->hooks));
	ASSERT_EQ(0, hooks_record(self->hooks.own, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
}

FIXTURE(late) {
	struct hooks hooks;
	struct drm_fault_record want, record;
};

FIXTURE_SETUP(late)
{
	ASSERT_EQ(0, start_without_core(&self->hooks));
}

FIXTURE_TEARDOWN(late)
{
	hooks_teardown(&self->hooks);
	hooks_unload(DRM_FAULT_SIM_NAME);
}

/* Whose opener is gone belongs to nobody until somebody shows it. */
TEST_F(late, file_of_a_process_that_ended)
{
	struct drm_fault_record first;
	int ends[2], fd, all;
	pid_t child;

	ASSERT_EQ(0, hooks_gpu_add(&self->hooks, &driver));
	ASSERT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
	child = fork();
	if (!child)
		_exit(send_file(ends[1], hooks_gpu_node(&self->hooks)));
	fd = receive_file(ends[0]);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, road_wait(child));
	ASSERT_EQ(0, hooks_prepare(&self->hooks, &driver));
	all = road_stream(DRM_FAULT_SCOPE_ALL, 0);
	ASSERT_EQ(0, raise_fault(&self->hooks));
	ASSERT_EQ(0, hooks_record(all, &first));
	EXPECT_EQ(0, first.pid);
	EXPECT_TRUE(first.flags & DRM_FAULT_RECORD_F_OWNER_UNKNOWN);

	ASSERT_EQ(0, hooks_gpu_adopt(&self->hooks, fd));
	self->want = want(&self->hooks);
	ASSERT_EQ(0, raise_fault(&self->hooks));
	ASSERT_EQ(0, hooks_record(self->hooks.own, &self->record));
	EXPECT_RECORD(&self->want, &self->record);
}

TEST_HARNESS_MAIN
