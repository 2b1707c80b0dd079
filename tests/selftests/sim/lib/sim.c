// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "sim.h"

__s64 sim_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 * MS + ts.tv_nsec;
}

int sim_call(int fd, unsigned long request, void *args)
{
	int ret;

	do {
		ret = ioctl(fd, request, args);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : 0;
}

static bool is_sim(int fd)
{
	char name[32] = "";
	struct drm_version version = { .name = name, .name_len = sizeof(name) - 1 };

	return !sim_call(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, DRM_FAULT_SIM_NAME);
}

int sim_node(void)
{
	int found = -ENODEV;
	unsigned int i;
	glob_t nodes;

	if (glob("/dev/dri/renderD*", 0, NULL, &nodes))
		return -ENODEV;
	for (i = 0; i < nodes.gl_pathc && found < 0; i++) {
		int fd = open(nodes.gl_pathv[i], O_RDWR | O_CLOEXEC);

		if (fd >= 0 && is_sim(fd))
			found = fd;
		else if (fd >= 0)
			close(fd);
	}
	globfree(&nodes);
	return found;
}

int sim_create(int fd, __u64 size, struct sim_buffer *buffer)
{
	struct drm_fault_sim_create args = { .size = size };
	int ret = sim_call(fd, DRM_IOCTL_FAULT_SIM_CREATE, &args);

	if (ret)
		return ret;
	buffer->handle = args.handle;
	buffer->size = args.size;
	buffer->cpu = mmap(NULL, args.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			   args.mmap_offset);
	return buffer->cpu == MAP_FAILED ? -errno : 0;
}

int sim_map(int fd, __u32 handle, __u64 address, __u64 offset, __u64 size, __u32 flags)
{
	struct drm_fault_sim_map args = {
		.handle = handle,
		.flags = flags,
		.address = address,
		.offset = offset,
		.size = size,
	};

	return sim_call(fd, DRM_IOCTL_FAULT_SIM_MAP, &args);
}

int sim_unmap(int fd, __u64 address, __u64 size)
{
	struct drm_fault_sim_unmap args = { .address = address, .size = size };

	return sim_call(fd, DRM_IOCTL_FAULT_SIM_UNMAP, &args);
}

__u32 sim_syncobj(int fd)
{
	struct drm_syncobj_create args = {};

	return sim_call(fd, DRM_IOCTL_SYNCOBJ_CREATE, &args) ? 0 : args.handle;
}

static int map_buffers(struct sim_client *c)
{
	int ret;

	ret = sim_create(c->fd, PAGE, &c->code);
	if (!ret)
		ret = sim_create(c->fd, DATA_PAGES * PAGE, &c->data);
	if (!ret)
		ret = sim_map(c->fd, c->code.handle, CODE, 0, PAGE,
			      DRM_FAULT_SIM_MAP_READ | DRM_FAULT_SIM_MAP_EXEC);
	if (!ret)
		ret = sim_map(c->fd, c->data.handle, DATA, 0, DATA_PAGES * PAGE,
			      DRM_FAULT_SIM_MAP_READ | DRM_FAULT_SIM_MAP_WRITE);
	return ret;
}

int sim_open(struct sim_client *c)
{
	if (system("modprobe drm_fault_sim && udevadm settle"))
		return -ENODEV;
	memset(c, 0, sizeof(*c));
	c->fd = sim_node();
	if (c->fd < 0)
		return c->fd;
	c->done = sim_syncobj(c->fd);
	return c->done ? map_buffers(c) : -ENOMEM;
}

/* These keep the file, so they go before what tests its end. */
void sim_unmap_cpu(struct sim_client *c)
{
	if (c->code.cpu)
		munmap(c->code.cpu, c->code.size);
	if (c->data.cpu)
		munmap(c->data.cpu, c->data.size);
	c->code.cpu = NULL;
	c->data.cpu = NULL;
}

void sim_close(struct sim_client *c)
{
	sim_unmap_cpu(c);
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

void sim_load(struct sim_client *c, const __u64 *program, size_t bytes)
{
	memset(c->code.cpu, 0, PAGE);
	memcpy(c->code.cpu, program, bytes);
}

int sim_submit_args(struct sim_client *c, struct drm_fault_sim_submit *args)
{
	return sim_call(c->fd, DRM_IOCTL_FAULT_SIM_SUBMIT, args);
}

int sim_submit(struct sim_client *c, __u32 ring, __u32 flags)
{
	c->last = (struct drm_fault_sim_submit) {
		.start = CODE,
		.ring = ring,
		.flags = flags,
		.out_syncobj = c->done,
	};
	return sim_submit_args(c, &c->last);
}

int sim_wait(int fd, __u32 syncobj, __s64 timeout_ns, int *result)
{
	struct drm_fault_sim_wait args = {
		.timeout_ns = sim_now() + timeout_ns,
		.syncobj = syncobj,
	};
	int ret = sim_call(fd, DRM_IOCTL_FAULT_SIM_WAIT, &args);

	if (!ret)
		*result = args.result;
	return ret;
}

int sim_run(struct sim_client *c, __u32 ring, __u32 flags)
{
	int result, ret;

	ret = sim_submit(c, ring, flags);
	if (!ret)
		ret = sim_wait(c->fd, c->done, SOON, &result);
	return ret ? ret - 1000 : result;
}

int sim_run_words(struct sim_client *c, const __u64 program[4])
{
	sim_load(c, program, 4 * sizeof(*program));
	return sim_run(c, 0, 0);
}

int sim_recover(struct sim_client *c)
{
	struct drm_fault_sim_recover args = {};

	return sim_call(c->fd, DRM_IOCTL_FAULT_SIM_RECOVER, &args);
}

struct drm_fault_sim_state sim_state(struct sim_client *c)
{
	struct drm_fault_sim_state args = {};

	if (sim_call(c->fd, DRM_IOCTL_FAULT_SIM_STATE, &args))
		memset(&args, 0xff, sizeof(args));
	return args;
}

int sim_faults(struct sim_client *c, struct drm_fault_record *records, __u32 max)
{
	struct drm_fault_snapshot args = {
		.size = sizeof(args),
		.record_size = sizeof(*records),
		.record_count = max,
		.records_ptr = (uintptr_t)records,
	};
	int ret = sim_call(c->fd, DRM_IOCTL_FAULT_SIM_FAULTS, &args);

	return ret ? ret : (int)args.total;
}

int sim_timeout(unsigned int ms)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", ms);
	return sim_write_file("/sys/module/drm_fault_sim/parameters/timeout_ms", text);
}

void sim_poke(const struct sim_buffer *buffer, size_t index, __u32 value)
{
	__atomic_store_n((__u32 *)buffer->cpu + index, value, __ATOMIC_SEQ_CST);
}

__u32 sim_peek(const struct sim_buffer *buffer, size_t index)
{
	return __atomic_load_n((__u32 *)buffer->cpu + index, __ATOMIC_SEQ_CST);
}

int sim_write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}
