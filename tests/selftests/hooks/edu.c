// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * A fault of hardware, as far as QEMU has it: its device edu, behind intel-iommu,
 * reads from and writes to memory that nobody gave it. No driver takes part; the
 * machine is one of its own, see settings.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hooks.h"
#include "kselftest_harness.h"

#define DEVICES		"/sys/bus/pci/devices"

#define EDU_SIZE	0x100000
#define EDU_SOURCE	0x80
#define EDU_TARGET	0x88
#define EDU_COUNT	0x90
#define EDU_COMMAND	0x98
#define EDU_START	0x1
#define EDU_TO_MEMORY	0x2
#define EDU_BUFFER	0x40000

/* Nothing is mapped for a device without a driver; 28 bits are what it has. */
#define UNMAPPED	0xdead000ULL

#define PCI_COMMAND	0x04
#define PCI_MEMORY	0x2
#define PCI_MASTER	0x4

FIXTURE(edu)
{
	char name[32];
	__u64 *registers;
	int stream;
	struct drm_fault_device reporter;
	struct drm_fault_record record;
};

static bool has_text(const char *device, const char *file, const char *text)
{
	char path[160], found[32] = "";
	FILE *in;

	snprintf(path, sizeof(path), DEVICES "/%s/%s", device, file);
	in = fopen(path, "re");
	if (in && !fgets(found, sizeof(found), in))
		found[0] = '\0';
	if (in)
		fclose(in);
	return !strncmp(found, text, strlen(text));
}

static int find_edu(char *name, size_t size)
{
	DIR *folder = opendir(DEVICES);
	struct dirent *entry;
	int ret = -ENODEV;

	while (folder && ret && (entry = readdir(folder))) {
		if (!has_text(entry->d_name, "vendor", "0x1234") ||
		    !has_text(entry->d_name, "device", "0x11e8"))
			continue;
		snprintf(name, size, "%.12s", entry->d_name);
		ret = 0;
	}
	if (folder)
		closedir(folder);
	return ret;
}

static int open_file(const char *device, const char *file)
{
	char path[160];
	int fd;

	snprintf(path, sizeof(path), DEVICES "/%s/%s", device, file);
	fd = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Lets it be addressed, and lets it address memory. */
static int switch_on(const char *device)
{
	int fd = open_file(device, "config");
	__u16 command;
	int ret = fd;

	if (fd < 0)
		return fd;
	ret = pread(fd, &command, sizeof(command), PCI_COMMAND) == sizeof(command) ? 0 : -EIO;
	command |= PCI_MEMORY | PCI_MASTER;
	if (!ret && pwrite(fd, &command, sizeof(command), PCI_COMMAND) != sizeof(command))
		ret = -EIO;
	close(fd);
	return ret;
}

static void *map_registers(const char *device)
{
	int fd = open_file(device, "resource0");
	void *registers;

	if (fd < 0)
		return NULL;
	registers = mmap(NULL, EDU_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return registers == MAP_FAILED ? NULL : registers;
}

static int find_reporter(struct drm_fault_device *device)
{
	int dev = road_open();
	int ret = dev;

	*device = (struct drm_fault_device){
		.size = sizeof(*device),
		.flags = DRM_FAULT_DEVICE_NEXT,
	};
	while (ret >= 0) {
		device->id++;
		ret = road_call(dev, DRM_FAULT_IOCTL_GET_DEVICE, device);
		if (!ret && !strcmp(device->driver, "iommu"))
			break;
	}
	close(dev);
	return ret;
}

FIXTURE_SETUP(edu)
{
	ASSERT_EQ(0, hooks_unload(DRM_FAULT_SIM_NAME));
	ASSERT_EQ(0, hooks_unload("drm_fault"));
	ASSERT_EQ(0, hooks_load("drm_fault iommu_all=1"));
	ASSERT_EQ(0, find_edu(self->name, sizeof(self->name)));
	ASSERT_EQ(0, switch_on(self->name));
	self->registers = map_registers(self->name);
	ASSERT_NE(NULL, self->registers);
	ASSERT_EQ(0, find_reporter(&self->reporter));
	self->stream = road_stream(DRM_FAULT_SCOPE_DEVICE, self->reporter.id);
	ASSERT_LE(0, self->stream);
}

FIXTURE_TEARDOWN(edu)
{
	munmap(self->registers, EDU_SIZE);
	close(self->stream);
	hooks_unload("drm_fault");
}

static void set_register(__u64 *registers, unsigned int offset, __u64 value)
{
	__atomic_store_n(&registers[offset / sizeof(*registers)], value, __ATOMIC_SEQ_CST);
}

static void transfer(__u64 *registers, __u64 from, __u64 to, __u64 command)
{
	set_register(registers, EDU_SOURCE, from);
	set_register(registers, EDU_TARGET, to);
	set_register(registers, EDU_COUNT, 64);
	set_register(registers, EDU_COMMAND, command | EDU_START);
}

static int next_record(int stream, struct drm_fault_record *record)
{
	int ret = road_poll(stream, ROAD_SOON_MS);

	return ret > 0 ? hooks_record(stream, record) : ret ?: -ETIME;
}

/* The reason tells that the page table has no right for it. */
static struct drm_fault_record wanted(const char *name, __u32 reporter, __u32 access,
				      __u64 address)
{
	unsigned int segment, bus, slot, function;
	struct drm_fault_record want = {
		.type = DRM_FAULT_RECORD_FAULT,
		.length = sizeof(want),
		.flags = DRM_FAULT_RECORD_F_OWNER_UNKNOWN,
		.reporter_id = reporter,
		.count = 1,
		.access = access,
		.fault_type = DRM_FAULT_TYPE_OTHER,
		.address = address,
		.address_precision = 4096,
		.raw_format = DRM_FAULT_RAW_VTD,
		.raw_count = 3,
	};

	if (sscanf(name, "%x:%x:%x.%x", &segment, &bus, &slot, &function) == 4) {
		want.raw[2] = segment;
		want.raw[1] = bus << 8 | slot << 3 | function;
	}
	snprintf(want.engine, sizeof(want.engine), "%s", name);
	return want;
}

/* What is not told by the fault alone. */
static void take_raw(struct drm_fault_record *want, const struct drm_fault_record *got)
{
	want->raw[0] = got->raw[0];
	want->raw[1] = got->raw[1];
	want->count = got->count;
}

TEST_F(edu, write)
{
	struct drm_fault_record want = wanted(self->name, self->reporter.id,
					      DRM_FAULT_ACCESS_WRITE, UNMAPPED);

	transfer(self->registers, EDU_BUFFER, UNMAPPED, EDU_TO_MEMORY);
	ASSERT_EQ(0, next_record(self->stream, &self->record));
	EXPECT_EQ(want.raw[1], self->record.raw[1] & 0xffff);
	EXPECT_EQ(5, self->record.raw[1] >> 32 & 0xff);
	EXPECT_EQ(UNMAPPED, self->record.raw[0] & ~0xfffULL);
	take_raw(&want, &self->record);
	EXPECT_RECORD(&want, &self->record);
}

TEST_F(edu, read)
{
	struct drm_fault_record want = wanted(self->name, self->reporter.id,
					      DRM_FAULT_ACCESS_READ, UNMAPPED + 0x5000);

	transfer(self->registers, UNMAPPED + 0x5000, EDU_BUFFER, 0);
	ASSERT_EQ(0, next_record(self->stream, &self->record));
	EXPECT_EQ(want.raw[1], self->record.raw[1] & 0xffff);
	EXPECT_EQ(6, self->record.raw[1] >> 32 & 0xff);
	take_raw(&want, &self->record);
	EXPECT_RECORD(&want, &self->record);
}

TEST_HARNESS_MAIN
