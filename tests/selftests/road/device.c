// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* GET_INFO, GET_DEVICE and what sysfs says of a reporter. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"
#include "road.h"

FIXTURE(device) {
	int dev;
	struct road_sim sim;
	struct drm_fault_device args;	/* valid: the reporter by its id */
};

FIXTURE_SETUP(device)
{
	ASSERT_EQ(0, road_setup());
	ASSERT_EQ(0, road_sim_open(&self->sim));
	self->dev = road_open();
	ASSERT_LE(0, self->dev);
	self->args.size = sizeof(self->args);
	self->args.id = road_gpu_id();
}

FIXTURE_TEARDOWN(device)
{
	road_sim_close(&self->sim);
	close(self->dev);
}

static int get(struct _test_data_device *self)
{
	return road_call(self->dev, DRM_FAULT_IOCTL_GET_DEVICE, &self->args);
}

static int get_by_fd(struct _test_data_device *self, int fd)
{
	self->args = (struct drm_fault_device){
		.size = sizeof(self->args),
		.flags = DRM_FAULT_DEVICE_BY_FD,
		.fd = fd,
	};
	return get(self);
}

/* First line of a file of the reporter's in sysfs, "" if it cannot be read. */
static const char *attribute(const char *name)
{
	static char text[128];
	ssize_t length;
	int fd;

	snprintf(text, sizeof(text), "/sys/class/drm_fault/%s/%s", road_gpu(), name);
	fd = open(text, O_RDONLY | O_CLOEXEC);
	length = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);
	if (fd >= 0)
		close(fd);
	text[length < 0 ? 0 : length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return text;
}

TEST_F(device, info_has_the_modules_settings)
{
	struct drm_fault_info info;

	ASSERT_EQ(0, road_info(&info));
	EXPECT_EQ(ROAD_RECORD, info.record_size);
	EXPECT_LE(1, info.device_count);
	EXPECT_EQ(road_parameter("ring_records"), info.ring_records);
	EXPECT_EQ(road_parameter("max_streams"), info.max_streams);
	EXPECT_EQ(road_parameter("group_gap_ms"), info.group_gap_ms);
	EXPECT_LE(road_parameter("queue_records"), info.max_queue_records);
	EXPECT_NE(NULL, memchr(info.version, 0, sizeof(info.version)));
	EXPECT_NE(0, info.version[0]);
}

TEST_F(device, info_tells_who_is_privileged)
{
	struct drm_fault_info info;

	ASSERT_EQ(0, road_info(&info));
	EXPECT_EQ(DRM_FAULT_FEATURE_PRIVILEGED, info.features);
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	ASSERT_EQ(0, road_info(&info));
	EXPECT_EQ(0, info.features);
}

TEST_F(device, by_id_is_described)
{
	ASSERT_EQ(0, get(self));
	EXPECT_EQ(road_gpu_id(), self->args.id);
	EXPECT_STREQ(road_gpu(), self->args.name);
	EXPECT_STREQ(DRM_FAULT_SIM_NAME, self->args.driver);
	EXPECT_EQ(DRM_FAULT_SIM_ADDRESS_BITS, self->args.address_bits);
	EXPECT_EQ(0, self->args.flags);
	EXPECT_EQ(0, self->args.fd);
	EXPECT_EQ(0, self->args.pad);
}

TEST_F(device, minors_are_those_of_its_nodes)
{
	char path[64];

	ASSERT_EQ(0, get(self));
	ASSERT_NE(~0U, self->args.primary_minor);
	ASSERT_NE(~0U, self->args.render_minor);
	snprintf(path, sizeof(path), "/dev/dri/card%u", self->args.primary_minor);
	EXPECT_EQ(0, access(path, F_OK));
	snprintf(path, sizeof(path), "/dev/dri/renderD%u", self->args.render_minor);
	EXPECT_EQ(0, access(path, F_OK));
}

TEST_F(device, sysfs_says_the_same)
{
	ASSERT_EQ(0, get(self));
	EXPECT_STREQ(self->args.driver, attribute("gpu_driver"));
	EXPECT_STREQ(self->args.bus, attribute("bus"));
	EXPECT_EQ(self->args.address_bits, atoi(attribute("address_bits")));
}

TEST_F(device, events_and_records_are_counted)
{
	struct drm_fault_device before;

	ASSERT_EQ(0, get(self));
	before = self->args;
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 5));
	ASSERT_EQ(0, get(self));
	EXPECT_EQ(before.events + 5, self->args.events);
	EXPECT_EQ(before.records + 1, self->args.records);
	EXPECT_EQ(self->args.events, strtoull(attribute("events"), NULL, 0));
	EXPECT_EQ(self->args.records, strtoull(attribute("records"), NULL, 0));
}

TEST_F(device, counts_are_not_for_everyone)
{
	ASSERT_EQ(0, road_raise(&self->sim, 0x1000, 1));
	ASSERT_EQ(0, road_become(ROAD_ALICE));
	ASSERT_EQ(0, get(self));
	EXPECT_EQ(0, self->args.events);
	EXPECT_EQ(0, self->args.records);
	EXPECT_STREQ("", attribute("events"));
	EXPECT_STREQ("", attribute("records"));
	EXPECT_STREQ(DRM_FAULT_SIM_NAME, attribute("gpu_driver"));
}

TEST_F(device, unknown_id_is_ENODEV)
{
	self->args.id = 0;
	EXPECT_EQ(-ENODEV, get(self));
	self->args.id = ~0U;
	EXPECT_EQ(-ENODEV, get(self));
}

TEST_F(device, next_goes_through_all)
{
	struct drm_fault_info info;
	unsigned int seen = 0;
	__u32 last = 0;

	ASSERT_EQ(0, road_info(&info));
	for (;;) {
		self->args = (struct drm_fault_device){
			.size = sizeof(self->args),
			.flags = DRM_FAULT_DEVICE_NEXT,
			.id = last + 1,
		};
		if (get(self))
			break;
		ASSERT_LT(last, self->args.id);
		last = self->args.id;
		seen++;
	}
	EXPECT_EQ(info.device_count, seen);
	EXPECT_EQ(-ENODEV, get(self));
}

TEST_F(device, both_ways_to_choose_are_EINVAL)
{
	self->args.flags = DRM_FAULT_DEVICE_NEXT | DRM_FAULT_DEVICE_BY_FD;
	self->args.fd = self->sim.fd;
	EXPECT_EQ(-EINVAL, get(self));
}

TEST_F(device, file_without_its_flag_is_EINVAL)
{
	self->args.fd = self->sim.fd;
	EXPECT_EQ(-EINVAL, get(self));
}

TEST_F(device, by_file_is_found)
{
	ASSERT_EQ(0, get_by_fd(self, self->sim.fd));
	EXPECT_EQ(road_gpu_id(), self->args.id);
}

TEST_F(device, by_closed_file_is_EBADF)
{
	EXPECT_EQ(-EBADF, get_by_fd(self, -1));
	EXPECT_EQ(-EBADF, get_by_fd(self, 1000));
}

TEST_F(device, by_file_that_is_no_drm_node_is_EINVAL)
{
	EXPECT_EQ(-EINVAL, get_by_fd(self, open("/dev/null", O_RDWR)));
	EXPECT_EQ(-EINVAL, get_by_fd(self, self->dev));
	EXPECT_EQ(-EINVAL, get_by_fd(self, road_pidfd(getpid())));
	EXPECT_EQ(-EINVAL, get_by_fd(self, road_stream(DRM_FAULT_SCOPE_SELF, 0)));
}

TEST_F(device, by_node_of_another_driver_is_EOPNOTSUPP)
{
	int vgem;

	ASSERT_EQ(0, system("modprobe vgem && udevadm settle"));
	vgem = road_node("vgem");
	ASSERT_LE(0, vgem);
	EXPECT_EQ(-EOPNOTSUPP, get_by_fd(self, vgem));
}

TEST_HARNESS_MAIN
