// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <xf86drm.h>

#include "demo.h"

#define FIRST_RENDER_MINOR 128
#define LAST_RENDER_MINOR  191
#define NS_PER_S	   1000000000ULL
/* For a job of a few instructions, on a slow machine. */
#define JOB_LIMIT_NS (20 * NS_PER_S)

uint64_t demo_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static int call(int fd, unsigned long request, void *args)
{
	return drmIoctl(fd, request, args) ? -errno : 0;
}

static bool is_sim(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool is = version && !strcmp(version->name, DRM_FAULT_SIM_NAME);

	drmFreeVersion(version);
	return is;
}

static int open_node(void)
{
	char path[32];
	int minor, fd;

	for (minor = FIRST_RENDER_MINOR; minor <= LAST_RENDER_MINOR; minor++) {
		snprintf(path, sizeof(path), "/dev/dri/renderD%d", minor);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (is_sim(fd))
			return fd;
		close(fd);
	}
	return -1;
}

static int add_buffer(struct demo_gpu *gpu, struct demo_buffer *buffer, uint64_t address,
		      uint64_t size, uint32_t permission)
{
	struct drm_fault_sim_create create = { .size = size };
	struct drm_fault_sim_map map = { .flags = permission, .address = address, .size = size };
	int ret;

	ret = call(gpu->fd, DRM_IOCTL_FAULT_SIM_CREATE, &create);
	if (ret)
		return ret;
	buffer->handle = create.handle;
	buffer->cpu = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, gpu->fd,
			   (off_t)create.mmap_offset);
	if (buffer->cpu == MAP_FAILED)
		return -errno;
	map.handle = create.handle;
	return call(gpu->fd, DRM_IOCTL_FAULT_SIM_MAP, &map);
}

/* Returns what is wrong, or NULL. */
const char *gpu_open(struct demo_gpu *gpu)
{
	memset(gpu, 0, sizeof(*gpu));
	gpu->fd = open_node();
	if (gpu->fd < 0)
		return "no render node of drm_fault_sim can be opened: is the module loaded?";
	if (drmSyncobjCreate(gpu->fd, 0, &gpu->done))
		return "drm_fault_sim gives no syncobj";
	if (add_buffer(gpu, &gpu->code, CODE, PAGE,
		       DRM_FAULT_SIM_MAP_READ | DRM_FAULT_SIM_MAP_EXEC) ||
	    add_buffer(gpu, &gpu->buffer, BUFFER, BUFFER_SIZE,
		       DRM_FAULT_SIM_MAP_READ | DRM_FAULT_SIM_MAP_WRITE) ||
	    add_buffer(gpu, &gpu->freed, FREED, PAGE, DRM_FAULT_SIM_MAP_READ))
		return "drm_fault_sim gives no memory";
	return NULL;
}

void gpu_close(struct demo_gpu *gpu)
{
	munmap(gpu->code.cpu, PAGE);
	munmap(gpu->buffer.cpu, BUFFER_SIZE);
	munmap(gpu->freed.cpu, PAGE);
	drmSyncobjDestroy(gpu->fd, gpu->done);
	close(gpu->fd);
}

int gpu_unmap_freed(struct demo_gpu *gpu)
{
	struct drm_fault_sim_unmap unmap = { .address = FREED, .size = PAGE };

	return call(gpu->fd, DRM_IOCTL_FAULT_SIM_UNMAP, &unmap);
}

/* @submit says how, and gets the job's fence; @result is how the job ended. */
int gpu_run(struct demo_gpu *gpu, const uint64_t *program, size_t words,
	    struct drm_fault_sim_submit *submit, int *result)
{
	struct drm_fault_sim_wait wait = { .syncobj = gpu->done };
	int ret;

	memset(gpu->code.cpu, 0, PAGE);
	memcpy(gpu->code.cpu, program, words * sizeof(*program));
	submit->start = CODE;
	submit->out_syncobj = gpu->done;
	ret = call(gpu->fd, DRM_IOCTL_FAULT_SIM_SUBMIT, submit);
	if (ret)
		return ret;
	wait.timeout_ns = (int64_t)(demo_now() + JOB_LIMIT_NS);
	ret = call(gpu->fd, DRM_IOCTL_FAULT_SIM_WAIT, &wait);
	*result = wait.result;
	return ret;
}

int gpu_recover(struct demo_gpu *gpu)
{
	struct drm_fault_sim_recover recover = { 0 };

	return call(gpu->fd, DRM_IOCTL_FAULT_SIM_RECOVER, &recover);
}
