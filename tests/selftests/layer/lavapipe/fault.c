// SPDX-License-Identifier: MIT
/* A fault of this process on the software GPU, of which its Vulkan driver knows nothing. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <xf86drm.h>

#include <drm/drm_fault_sim.h>

#include "fault.h"

#define CODE 0x100000u

static bool is_sim(int fd)
{
	drmVersion *version = drmGetVersion(fd);
	bool is = version && !strcmp(version->name, DRM_FAULT_SIM_NAME);

	drmFreeVersion(version);
	return is;
}

static int open_sim(void)
{
	int fd = -1;
	glob_t nodes;
	size_t i;

	if (glob("/dev/dri/renderD*", 0, NULL, &nodes))
		return -1;
	for (i = 0; i < nodes.gl_pathc && fd < 0; i++) {
		fd = open(nodes.gl_pathv[i], O_RDWR | O_CLOEXEC);
		if (fd >= 0 && !is_sim(fd)) {
			close(fd);
			fd = -1;
		}
	}
	globfree(&nodes);
	return fd;
}

/* Where it lies for the GPU is CODE. */
static bool load(int fd, const uint64_t *program, size_t size)
{
	struct drm_fault_sim_create create = { .size = DRM_FAULT_SIM_PAGE_SIZE };
	struct drm_fault_sim_map map = {
		.address = CODE,
		.size = DRM_FAULT_SIM_PAGE_SIZE,
		.flags = DRM_FAULT_SIM_MAP_READ | DRM_FAULT_SIM_MAP_EXEC,
	};
	void *cpu;

	if (drmIoctl(fd, DRM_IOCTL_FAULT_SIM_CREATE, &create))
		return false;
	cpu = mmap(NULL, DRM_FAULT_SIM_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		   (off_t)create.mmap_offset);
	if (cpu == MAP_FAILED)
		return false;
	memcpy(cpu, program, size);
	munmap(cpu, DRM_FAULT_SIM_PAGE_SIZE);
	map.handle = create.handle;
	return !drmIoctl(fd, DRM_IOCTL_FAULT_SIM_MAP, &map);
}

static bool faults(int fd)
{
	struct drm_fault_sim_submit submit = { .start = CODE };
	struct drm_fault_sim_wait wait = { .timeout_ns = INT64_MAX };

	if (drmSyncobjCreate(fd, 0, &submit.out_syncobj) ||
	    drmIoctl(fd, DRM_IOCTL_FAULT_SIM_SUBMIT, &submit))
		return false;
	wait.syncobj = submit.out_syncobj;
	return !drmIoctl(fd, DRM_IOCTL_FAULT_SIM_WAIT, &wait) && wait.result == -EFAULT;
}

bool fault_at(uint64_t address)
{
	const uint64_t program[] = {
		DRM_FAULT_SIM_SET(0, address),
		DRM_FAULT_SIM_STORE(4, 1, 0, 0),
		DRM_FAULT_SIM_END,
	};
	int fd = open_sim();
	bool done;

	if (fd < 0)
		return false;
	done = load(fd, program, sizeof(program)) && faults(fd);
	close(fd);
	return done;
}
