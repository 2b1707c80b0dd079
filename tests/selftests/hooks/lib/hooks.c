// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "hooks.h"

bool hooks_loaded(const char *module)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/module/%s/initstate", module);
	return !access(path, F_OK);
}

int hooks_load(const char *module_and_parameters)
{
	char command[256];

	snprintf(command, sizeof(command), "modprobe %s", module_and_parameters);
	return system(command) ? -ENOENT : 0;
}

int hooks_unload(const char *module)
{
	if (!hooks_loaded(module))
		return 0;
	return syscall(SYS_delete_module, module, O_NONBLOCK) ? -errno : 0;
}

/* Hooks that are attached when a kprobe of ours is placed must come behind it. */
static int unload_core(void)
{
	int ret = hooks_unload(DRM_FAULT_SIM_NAME);

	return ret ?: hooks_unload("drm_fault");
}

int hooks_open(struct hooks *hooks)
{
	int ret;

	*hooks = (struct hooks){ .call = -1, .fd = -1, .own = -1, .all = -1 };
	ret = hooks_load("drm_fault_call");
	if (ret)
		return ret;
	hooks->call = open(DRM_FAULT_CALL_PATH, O_RDWR | O_CLOEXEC);
	return hooks->call < 0 ? -errno : 0;
}

static int prepare(struct hooks *hooks, const char *name, struct drm_fault_call_symbol *args)
{
	*args = (struct drm_fault_call_symbol){};
	snprintf(args->name, sizeof(args->name), "%s", name + (name[0] == '?'));
	return road_call(hooks->call, DRM_FAULT_CALL_PREPARE, args);
}

/* Once before its module is there, and then to see whether they are. */
static int prepare_all(struct hooks *hooks, const struct hooks_driver *driver, bool loaded)
{
	struct drm_fault_call_symbol args;
	const char *const *name;
	int placed = 0, ret;

	for (name = driver->symbols; *name; name++) {
		ret = prepare(hooks, *name, &args);
		if (!ret && loaded && !args.address)
			ret = -ENOENT;
		if (ret && !(ret == -ENOENT && **name == '?')) {
			fprintf(stderr, "# %s cannot be prepared: error %d\n", *name, ret);
			return ret;
		}
		placed += !ret && args.placed;
	}
	return placed;
}

int hooks_prepare(struct hooks *hooks, const struct hooks_driver *driver)
{
	int ret = prepare_all(hooks, driver, false);

	if (ret > 0)
		ret = unload_core();
	if (!ret)
		ret = hooks_load("drm_fault");
	if (!ret && driver->module)
		ret = hooks_load(driver->module);
	if (ret) {
		fprintf(stderr, "# modules cannot be loaded or unloaded: error %d\n", ret);
		return ret;
	}
	ret = prepare_all(hooks, driver, true);
	return ret > 0 ? -EBUSY : ret;
}

int hooks_gpu_add(struct hooks *hooks, const struct hooks_driver *driver)
{
	struct drm_fault_call_template template = {};
	int ret;

	hooks->address_bits = driver->address_bits;
	hooks->gpu = (struct drm_fault_call_gpu){ .priv_size = driver->priv_size ?: 4096 };
	snprintf(hooks->gpu.driver, sizeof(hooks->gpu.driver), "%s", driver->name);
	ret = road_call(hooks->call, DRM_FAULT_CALL_GPU_ADD, &hooks->gpu);
	if (ret || !driver->template)
		return ret;
	template.id = hooks->gpu.id;
	template.size = hooks->gpu.priv_size;
	template.ptr = (uintptr_t)driver->template;
	return road_call(hooks->call, DRM_FAULT_CALL_GPU_TEMPLATE, &template);
}

static __u64 client_of(int fd)
{
	unsigned long long client = 0;
	char path[64], line[256];
	FILE *info;

	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	info = fopen(path, "re");
	while (info && fgets(line, sizeof(line), info))
		if (sscanf(line, "drm-client-id: %llu", &client) == 1)
			break;
	if (info)
		fclose(info);
	return client;
}

static int find_reporter(struct hooks *hooks)
{
	struct drm_fault_device device = {
		.size = sizeof(device),
		.flags = DRM_FAULT_DEVICE_BY_FD,
		.fd = hooks->fd,
	};
	int dev = road_open();
	int ret;

	if (dev < 0)
		return dev;
	ret = road_call(dev, DRM_FAULT_IOCTL_GET_DEVICE, &device);
	close(dev);
	hooks->reporter = device.id;
	return ret;
}

int hooks_gpu_adopt(struct hooks *hooks, int fd)
{
	struct drm_fault_call_priv priv = { .fd = fd };
	int ret = road_call(hooks->call, DRM_FAULT_CALL_GPU_PRIV, &priv);

	hooks->fd = fd;
	if (!ret)
		ret = find_reporter(hooks);
	if (ret)
		return ret;
	hooks->priv = priv.priv;
	hooks->file = priv.file;
	hooks->client = client_of(fd);
	hooks->own = road_stream(DRM_FAULT_SCOPE_FILE, fd);
	hooks->all = road_stream(DRM_FAULT_SCOPE_DEVICE, hooks->reporter);
	return hooks->own < 0 ? hooks->own : hooks->all < 0 ? hooks->all : 0;
}

int hooks_gpu_open(struct hooks *hooks)
{
	int fd = hooks_gpu_node(hooks);

	return fd < 0 ? fd : hooks_gpu_adopt(hooks, fd);
}

int hooks_gpu_node(const struct hooks *hooks)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/dev/dri/renderD%u", hooks->gpu.render_minor);
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int hooks_gpu_remove(struct hooks *hooks)
{
	int ret = ioctl(hooks->call, DRM_FAULT_CALL_GPU_REMOVE, hooks->gpu.id);

	return ret ? -errno : 0;
}

int hooks_setup(struct hooks *hooks, const struct hooks_driver *driver)
{
	int ret = hooks_open(hooks);

	if (!ret)
		ret = hooks_prepare(hooks, driver);
	if (ret || !driver->name)
		return ret;
	ret = hooks_gpu_add(hooks, driver);
	if (ret)
		fprintf(stderr, "# no GPU can be added: error %d\n", ret);
	if (!ret)
		ret = hooks_gpu_open(hooks);
	if (ret)
		fprintf(stderr, "# the GPU cannot be opened, or none reports it: error %d\n", ret);
	return ret;
}

void hooks_teardown(struct hooks *hooks)
{
	const int files[] = { hooks->all, hooks->own, hooks->fd, hooks->call };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(files); i++)
		if (files[i] >= 0)
			close(files[i]);
}
