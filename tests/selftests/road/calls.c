// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * The rules that hold for every call: sizes, flags, padding, pointers. Each is
 * tested on all calls, from a valid structure in which one thing is wrong.
 */
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

FIXTURE(call) {
	int dev;
	int fd;		/* on which the call is made */
	char *page;	/* holds the structure; no memory before and behind it */
};

FIXTURE_VARIANT(call) {
	unsigned long cmd;
	__u32 size;
	__u32 known_flags;
	__u32 pad;	/* where it is, 0: there is none */
	bool on_stream;
};

FIXTURE_VARIANT_ADD(call, get_info) {
	.cmd = DRM_FAULT_IOCTL_GET_INFO,
	.size = sizeof(struct drm_fault_info),
};

FIXTURE_VARIANT_ADD(call, get_device) {
	.cmd = DRM_FAULT_IOCTL_GET_DEVICE,
	.size = sizeof(struct drm_fault_device),
	.known_flags = DRM_FAULT_DEVICE_NEXT | DRM_FAULT_DEVICE_BY_FD,
	.pad = offsetof(struct drm_fault_device, pad),
};

FIXTURE_VARIANT_ADD(call, subscribe) {
	.cmd = DRM_FAULT_IOCTL_SUBSCRIBE,
	.size = sizeof(struct drm_fault_subscribe),
	.known_flags = DRM_FAULT_SUBSCRIBE_NONBLOCK,
	.pad = offsetof(struct drm_fault_subscribe, pad),
};

FIXTURE_VARIANT_ADD(call, snapshot) {
	.cmd = DRM_FAULT_IOCTL_SNAPSHOT,
	.size = sizeof(struct drm_fault_snapshot),
	.pad = offsetof(struct drm_fault_snapshot, pad),
	.on_stream = true,
};

/* Every structure begins with its size and its flags. */
#define FLAGS_AT	4

FIXTURE_SETUP(call)
{
	char *area;

	ASSERT_EQ(0, road_setup());
	self->dev = road_open();
	ASSERT_LE(0, self->dev);
	self->fd = self->dev;
	if (variant->on_stream)
		self->fd = road_stream(DRM_FAULT_SCOPE_SELF, 0);
	ASSERT_LE(0, self->fd);

	area = mmap(NULL, 3 * ROAD_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(area != MAP_FAILED);
	self->page = area + ROAD_PAGE;
	ASSERT_EQ(0, mprotect(self->page, ROAD_PAGE, PROT_READ | PROT_WRITE));
}

FIXTURE_TEARDOWN(call)
{
	close(self->fd);
	if (variant->on_stream)
		close(self->dev);
}

static void *valid(const struct _fixture_variant_call *variant, char *at)
{
	struct drm_fault_device *device = (void *)at;
	struct drm_fault_subscribe *subscribe = (void *)at;

	memset(at, 0, variant->size);
	memcpy(at, &variant->size, sizeof(variant->size));
	if (variant->cmd == DRM_FAULT_IOCTL_GET_DEVICE)
		device->id = road_gpu_id();
	if (variant->cmd == DRM_FAULT_IOCTL_SUBSCRIBE)
		subscribe->scope = DRM_FAULT_SCOPE_SELF;
	return at;
}

static int run(const struct _test_data_call *self,
	       const struct _fixture_variant_call *variant, void *args)
{
	struct drm_fault_subscribe *subscribe = args;
	int ret = road_call(self->fd, variant->cmd, args);

	if (!ret && variant->cmd == DRM_FAULT_IOCTL_SUBSCRIBE)
		close(subscribe->stream_fd);
	return ret;
}

static void set_u32(void *args, size_t at, __u32 value)
{
	memcpy((char *)args + at, &value, sizeof(value));
}

static __u32 get_u32(const void *args, size_t at)
{
	__u32 value;

	memcpy(&value, (const char *)args + at, sizeof(value));
	return value;
}

TEST_F(call, exact_size_works)
{
	void *args = valid(variant, self->page);

	EXPECT_EQ(0, run(self, variant, args));
	EXPECT_EQ(variant->size, get_u32(args, 0));
}

TEST_F(call, short_size_is_EINVAL)
{
	__u32 size;
	void *args;

	for (size = 0; size < variant->size; size++) {
		args = valid(variant, self->page);
		set_u32(args, 0, size);
		EXPECT_EQ(-EINVAL, run(self, variant, args))
			TH_LOG("size %u", size);
	}
}

TEST_F(call, long_size_with_zeros_works)
{
	const __u32 sizes[] = { variant->size + 1, variant->size + 8, ROAD_PAGE };
	void *args;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		memset(self->page, 0, ROAD_PAGE);
		args = valid(variant, self->page);
		set_u32(args, 0, sizes[i]);
		EXPECT_EQ(0, run(self, variant, args))
			TH_LOG("size %u", sizes[i]);
		EXPECT_EQ(variant->size, get_u32(args, 0));
	}
}

TEST_F(call, long_size_with_any_bit_set_is_E2BIG)
{
	const __u32 places[] = { variant->size, variant->size + 7, ROAD_PAGE - 1 };
	void *args;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		memset(self->page, 0, ROAD_PAGE);
		args = valid(variant, self->page);
		set_u32(args, 0, ROAD_PAGE);
		self->page[places[i]] = 0x80;
		EXPECT_EQ(-E2BIG, run(self, variant, args))
			TH_LOG("byte %u", places[i]);
	}
}

TEST_F(call, nothing_is_written_behind_the_callers_size)
{
	char *args;
	size_t i;

	memset(self->page, 0x5a, ROAD_PAGE);
	args = valid(variant, self->page);
	EXPECT_EQ(0, run(self, variant, args));
	for (i = variant->size; i < ROAD_PAGE; i++)
		ASSERT_EQ(0x5a, args[i])
			TH_LOG("byte %zu", i);
}

TEST_F(call, each_unknown_flag_is_EINVAL)
{
	unsigned int bit;
	void *args;

	for (bit = 0; bit < 32; bit++) {
		if (variant->known_flags & 1U << bit)
			continue;
		args = valid(variant, self->page);
		set_u32(args, FLAGS_AT, 1U << bit);
		EXPECT_EQ(-EINVAL, run(self, variant, args))
			TH_LOG("bit %u", bit);
	}
}

TEST_F(call, padding_that_is_not_zero_is_EINVAL)
{
	unsigned int bit;
	void *args;

	for (bit = 0; variant->pad && bit < 32; bit++) {
		args = valid(variant, self->page);
		set_u32(args, variant->pad, 1U << bit);
		EXPECT_EQ(-EINVAL, run(self, variant, args))
			TH_LOG("bit %u", bit);
	}
}

TEST_F(call, null_is_EFAULT)
{
	EXPECT_EQ(-EFAULT, run(self, variant, NULL));
}

TEST_F(call, no_memory_is_EFAULT)
{
	EXPECT_EQ(-EFAULT, run(self, variant, self->page + ROAD_PAGE));
	EXPECT_EQ(-EFAULT, run(self, variant, self->page - variant->size));
}

TEST_F(call, end_in_no_memory_is_EFAULT)
{
	char *args = valid(variant, self->page + ROAD_PAGE - variant->size);

	EXPECT_EQ(0, run(self, variant, args));
	memmove(args + 8, args, variant->size - 8);
	EXPECT_EQ(-EFAULT, run(self, variant, args + 8));
}

TEST_F(call, tail_in_no_memory_is_EFAULT)
{
	char *args = valid(variant, self->page + ROAD_PAGE - variant->size);

	set_u32(args, 0, variant->size + 8);
	EXPECT_EQ(-EFAULT, run(self, variant, args));
}

TEST_F(call, kernel_memory_is_EFAULT)
{
	EXPECT_EQ(-EFAULT, run(self, variant, (void *)(-1UL & ~0xfffUL)));
}

/* More often than a user may have streams: none may be left over. */
TEST_F(call, answer_to_memory_that_cannot_be_written_is_EFAULT)
{
	int limit = road_parameter("max_streams"), i, probe;
	void *args = valid(variant, self->page);

	probe = dup(self->dev);
	close(probe);
	ASSERT_EQ(0, mprotect(self->page, ROAD_PAGE, PROT_READ));
	for (i = 0; i < limit + 1; i++)
		ASSERT_EQ(-EFAULT, run(self, variant, args));
	EXPECT_EQ(probe, dup(self->dev));
}

TEST_F(call, on_the_wrong_file_is_ENOTTY)
{
	int other = variant->on_stream ? self->dev : road_stream(DRM_FAULT_SCOPE_SELF, 0);

	ASSERT_LE(0, other);
	EXPECT_EQ(-ENOTTY, road_call(other, variant->cmd, valid(variant, self->page)));
}

TEST_F(call, a_number_that_carries_the_size_is_ENOTTY)
{
	unsigned long cmd = _IOC(_IOC_READ | _IOC_WRITE, _IOC_TYPE(variant->cmd),
				 _IOC_NR(variant->cmd), variant->size);

	EXPECT_EQ(-ENOTTY, road_call(self->fd, cmd, valid(variant, self->page)));
}

TEST_F(call, an_unknown_number_is_ENOTTY)
{
	unsigned int nr;

	for (nr = _IOC_NR(DRM_FAULT_IOCTL_SNAPSHOT) + 1; nr < 256; nr++)
		EXPECT_EQ(-ENOTTY, road_call(self->fd, _IO(DRM_FAULT_IOCTL_TYPE, nr),
					     valid(variant, self->page)))
			TH_LOG("number %u", nr);
}

TEST_F(call, a_number_of_another_type_is_ENOTTY)
{
	unsigned long cmd = _IO(DRM_FAULT_IOCTL_TYPE + 1, _IOC_NR(variant->cmd));

	EXPECT_EQ(-ENOTTY, road_call(self->fd, cmd, valid(variant, self->page)));
}

TEST_HARNESS_MAIN
