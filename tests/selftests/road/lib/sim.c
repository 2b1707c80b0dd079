// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm/drm.h>

#include "road.h"

/* Programs of road_sim_run() are put here. */
#define CODE	0x7fff0000000ULL

static bool driver_is(int fd, const char *driver)
{
	char name[64] = "";
	struct drm_version version = {
		.name = name,
		.name_len = sizeof(name) - 1,
	};

	return !road_call(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, driver);
}

int road_node(const char *driver)
{
	int found = -ENODEV;
	unsigned int i;
	glob_t nodes;

	if (glob("/dev/dri/renderD*", 0, NULL, &nodes))
		return -ENODEV;
	for (i = 0; i < nodes.gl_pathc && found < 0; i++) {
		int fd = open(nodes.gl_pathv[i], O_RDWR | O_CLOEXEC);

		if (fd < 0)
			found = -errno;
		else if (driver_is(fd, driver))
			found = fd;
		else
			close(fd);
	}
	globfree(&nodes);
	return found;
}

int road_sim_open(struct road_sim *sim)
{
	sim->fd = road_node(DRM_FAULT_SIM_NAME);
	if (sim->fd < 0)
		return sim->fd;
	/* Opened last, by this process: the newest is ours. */
	sim->context = road_context_of(getpid());
	return sim->context ? 0 : -ENOENT;
}

void road_sim_close(struct road_sim *sim)
{
	close(sim->fd);
	sim->fd = -1;
}

int road_sim_map(const struct road_sim *sim, __u64 address, __u64 size,
		 __u32 permission, void **cpu)
{
	struct drm_fault_sim_create create = { .size = size };
	struct drm_fault_sim_map map = {
		.flags = permission,
		.address = address,
		.size = size,
	};
	struct drm_gem_close gem = {};
	int ret;

	ret = road_call(sim->fd, DRM_IOCTL_FAULT_SIM_CREATE, &create);
	if (ret)
		return ret;
	map.handle = create.handle;
	gem.handle = create.handle;
	ret = road_call(sim->fd, DRM_IOCTL_FAULT_SIM_MAP, &map);
	if (!ret && cpu) {
		*cpu = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, sim->fd,
			    create.mmap_offset);
		if (*cpu == MAP_FAILED)
			ret = -errno;
	}
	/* The mappings keep it. */
	road_call(sim->fd, DRM_IOCTL_GEM_CLOSE, &gem);
	return ret;
}

static int submit_and_wait(const struct road_sim *sim, __u32 flags)
{
	struct drm_syncobj_create create = {};
	struct drm_syncobj_destroy destroy = {};
	struct drm_fault_sim_submit submit = { .start = CODE, .flags = flags };
	struct drm_fault_sim_wait wait = {
		.timeout_ns = road_now_ns() + ROAD_SOON_MS * 1000000ULL,
	};
	int ret;

	ret = road_call(sim->fd, DRM_IOCTL_SYNCOBJ_CREATE, &create);
	if (ret)
		return ret;
	submit.out_syncobj = create.handle;
	wait.syncobj = create.handle;
	destroy.handle = create.handle;
	ret = road_call(sim->fd, DRM_IOCTL_FAULT_SIM_SUBMIT, &submit);
	if (!ret)
		ret = road_call(sim->fd, DRM_IOCTL_FAULT_SIM_WAIT, &wait);
	road_call(sim->fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
	return ret ?: wait.result;
}

int road_sim_run(const struct road_sim *sim, const __u64 *program, size_t words,
		 __u32 flags)
{
	struct drm_fault_sim_unmap unmap = { .address = CODE, .size = ROAD_PAGE };
	void *code;
	int ret;

	if (words * sizeof(*program) > ROAD_PAGE)
		return -E2BIG;
	ret = road_sim_map(sim, CODE, ROAD_PAGE,
			   DRM_FAULT_SIM_MAP_READ | DRM_FAULT_SIM_MAP_EXEC, &code);
	if (ret)
		return ret;
	memcpy(code, program, words * sizeof(*program));
	ret = submit_and_wait(sim, flags);
	munmap(code, ROAD_PAGE);
	road_call(sim->fd, DRM_IOCTL_FAULT_SIM_UNMAP, &unmap);
	return ret;
}

int road_sim_fault(const struct road_sim *sim, __u64 address)
{
	const __u64 program[] = {
		DRM_FAULT_SIM_SET(0, address),
		DRM_FAULT_SIM_STORE(8, 1, 0, 0),
		DRM_FAULT_SIM_END,
	};

	return road_sim_run(sim, program, ARRAY_SIZE(program),
			    DRM_FAULT_SIM_SUBMIT_NONFATAL);
}
