// SPDX-License-Identifier: MIT
#include <errno.h>
#include <fcntl.h>

#include "internal.h"

int drmfault_open_with(const struct drmfault_sys *sys, const struct drmfault_memory *memory,
		       const char *path, struct drmfault **fault)
{
	struct drmfault *f = drmfault_allocate(memory, 1, sizeof(*f));
	int ret;

	if (!f)
		return -ENOMEM;
	if (memory)
		f->memory = *memory;
	f->sys = sys;
	f->fd = sys->open(path ? path : DRM_FAULT_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	if (f->fd < 0) {
		/* A node that is left over and one that is not there mean the same. */
		ret = errno == ENOENT || errno == ENXIO ? -ENODEV : -errno;
		drmfault_release(memory, f);
		return ret;
	}

	f->info.size = sizeof(f->info);
	ret = drmfault_ioctl(sys, f->fd, DRM_FAULT_IOCTL_GET_INFO, &f->info);
	if (!ret && (f->info.record_size < sizeof(uint64_t) || f->info.record_size % 8))
		ret = -EPROTO;
	if (ret) {
		drmfault_close(f);
		return ret == -EINVAL ? -ENOTTY : ret;
	}
	f->info.version[sizeof(f->info.version) - 1] = '\0';
	*fault = f;
	return 0;
}

DRMFAULT_API int drmfault_open(const char *path, struct drmfault **fault)
{
	return drmfault_open_with(&drmfault_sys_kernel, NULL, path, fault);
}

DRMFAULT_API int drmfault_open_in(const char *path, const struct drmfault_memory *memory,
				  struct drmfault **fault)
{
	return drmfault_open_with(&drmfault_sys_kernel, memory, path, fault);
}

DRMFAULT_API void drmfault_close(struct drmfault *fault)
{
	struct drmfault_memory memory;

	if (!fault)
		return;
	memory = fault->memory;
	fault->sys->close(fault->fd);
	drmfault_release(&memory, fault);
}

DRMFAULT_API const char *drmfault_module_version(const struct drmfault *fault)
{
	return fault->info.version;
}

DRMFAULT_API bool drmfault_is_privileged(const struct drmfault *fault)
{
	return fault->info.features & DRM_FAULT_FEATURE_PRIVILEGED;
}

DRMFAULT_API uint32_t drmfault_ring_records(const struct drmfault *fault)
{
	return fault->info.ring_records;
}

DRMFAULT_API const char *drmfault_version(void)
{
	return DRMFAULT_VERSION;
}

static const struct {
	int error;
	const char *text;
} explanations[] = {
	{ ENODEV,
	  "there is no such GPU, or the kernel module is not loaded: `modprobe drm_fault` as "
	  "root, then try again" },
	{ EACCES,
	  "that reaches further than your own processes: run it as root or with CAP_PERFMON" },
	{ EPERM, "that is not allowed here: run it as root or with CAP_PERFMON" },
	{ EOPNOTSUPP,
	  "nothing reports the faults of this GPU: its driver neither reports itself nor is "
	  "hooked by this version of drm_fault" },
	{ ENOTTY,
	  "this is not the fault device of drm_fault: leave the path out, or update the module" },
	{ E2BIG,
	  "the kernel module is older than this program and lacks what it asks for: update it" },
	{ EPROTO,
	  "the kernel module answers in a way that this library does not know: update both" },
	{ ESRCH, "there is no such process any more" },
	{ EMFILE,
	  "too many streams or files are open: close some, or raise max_streams of drm_fault" },
	{ EBADF, "the file descriptor is not open" },
	{ EINVAL, "an argument is wrong, or the file is of another kind than is asked for" },
	{ ENOMEM, "there is not enough memory" },
	{ EINTR, "a signal interrupted it" },
	{ EAGAIN, "there is nothing to read now" },
	{ EBADMSG, "this is no dump of drm_fault, or it ends before that can be told" },
	{ EPROTONOSUPPORT, "the dump is of a newer format than this library knows: update it" },
	{ EFBIG, "the file is longer than any dump is" },
	{ ENOENT, "there is no such file" },
	{ EISDIR, "that is a folder" },
	{ EIO, "the disk or the GPU's driver failed to give it" },
	{ ENOSPC, "there is no space left" },
	{ EPIPE, "nobody reads what is written" },
};

DRMFAULT_API const char *drmfault_explain(int error)
{
	size_t i;

	if (error >= 0)
		return "nothing is wrong";
	for (i = 0; i < sizeof(explanations) / sizeof(explanations[0]); i++)
		if (explanations[i].error == -error)
			return explanations[i].text;
	return "the kernel refused it for a reason that drm_fault does not know";
}
