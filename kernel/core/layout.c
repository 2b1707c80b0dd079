// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "hook.h"

/*
 * Layouts of the running kernel, from the files in which it shows its own type
 * information: there is no other way for a module that works for drivers that
 * were loaded before it.
 */

#define DRM_FAULT_LAYOUT_MAX	(64 << 20)

/**
 * struct drm_fault_layout - type information of the kernel and of a module
 * @kernel: the kernel's
 * @own: the module's, not used for the kernel itself
 * @data: memory of the two
 */
struct drm_fault_layout {
	struct drm_fault_btf kernel;
	struct drm_fault_btf own;
	void *data[2];
};

static ssize_t drm_fault_layout_fill(struct file *file, char *data, size_t size)
{
	loff_t pos = 0;
	ssize_t ret;

	/* These files give a page at a time. */
	while (pos < size) {
		ret = kernel_read(file, data + pos, size - pos, &pos);
		if (ret < 0)
			return ret;
		if (!ret)
			break;
	}
	return pos;
}

static void *drm_fault_layout_read(const char *module, size_t *size)
{
	char path[96];
	struct file *file;
	ssize_t ret;
	void *data;
	loff_t length;

	snprintf(path, sizeof(path), "/sys/kernel/btf/%s", module);
	file = filp_open(path, O_RDONLY, 0);
	if (IS_ERR(file))
		return ERR_CAST(file);
	length = i_size_read(file_inode(file));
	if (length <= 0 || length > DRM_FAULT_LAYOUT_MAX) {
		data = ERR_PTR(-EFBIG);
		goto out_close;
	}
	data = kvmalloc(length, GFP_KERNEL);
	if (!data) {
		data = ERR_PTR(-ENOMEM);
		goto out_close;
	}
	ret = drm_fault_layout_fill(file, data, length);
	if (ret < 0) {
		kvfree(data);
		data = ERR_PTR(ret);
	} else {
		*size = ret;
	}
out_close:
	filp_close(file, NULL);
	return data;
}

static int drm_fault_layout_load(const char *module, void **data, struct drm_fault_btf *btf,
				 const struct drm_fault_btf *base)
{
	size_t size;

	*data = drm_fault_layout_read(module, &size);
	if (IS_ERR(*data)) {
		int ret = PTR_ERR(*data);

		*data = NULL;
		return ret;
	}
	return drm_fault_btf_open(btf, *data, size, base);
}

/**
 * drm_fault_layout_open - read the type information of the kernel
 *
 * Context: Process, in the file system of init, may sleep.
 * Return: it, to be given to drm_fault_layout_close(); NULL if there is none that
 * can be read
 */
struct drm_fault_layout *drm_fault_layout_open(void)
{
	struct drm_fault_layout *layout = kzalloc(sizeof(*layout), GFP_KERNEL);

	if (layout && drm_fault_layout_load("vmlinux", &layout->data[0], &layout->kernel,
					    NULL)) {
		drm_fault_layout_close(layout);
		return NULL;
	}
	return layout;
}

static void drm_fault_layout_drop(struct drm_fault_layout *layout)
{
	drm_fault_btf_close(&layout->own);
	kvfree(layout->data[1]);
	layout->data[1] = NULL;
}

/**
 * drm_fault_layout_btf - the type information of a module
 * @layout: opened, or NULL; it keeps what was asked for last
 * @module: the module, "vmlinux": the kernel itself
 *
 * Context: Process, in the file system of init, may sleep.
 * Return: it, until the next call; NULL if there is none that can be read
 */
const struct drm_fault_btf *drm_fault_layout_btf(struct drm_fault_layout *layout,
						 const char *module)
{
	if (!layout)
		return NULL;
	if (!strcmp(module, "vmlinux"))
		return &layout->kernel;
	drm_fault_layout_drop(layout);
	if (drm_fault_layout_load(module, &layout->data[1], &layout->own, &layout->kernel))
		return NULL;
	return &layout->own;
}

/**
 * drm_fault_layout_close - free it
 * @layout: opened, or NULL
 *
 * Context: Process, may sleep.
 */
void drm_fault_layout_close(struct drm_fault_layout *layout)
{
	if (!layout)
		return;
	drm_fault_layout_drop(layout);
	drm_fault_btf_close(&layout->kernel);
	kvfree(layout->data[0]);
	kfree(layout);
}

static int drm_fault_layout_field(const struct drm_fault_btf *btf,
				  const struct drm_fault_field *field)
{
	u32 size = 0;
	int ret;

	if (!btf)
		return -ENOENT;
	if (!field->path)
		return drm_fault_btf_size(btf, field->type);
	ret = drm_fault_btf_member(btf, field->type, field->path, &size);
	if (ret >= 0 && field->size && field->size != size)
		return -ERANGE;
	return ret;
}

/**
 * drm_fault_layout_fields - look members of private structures up
 * @btf: where, NULL: then none is known
 * @fields: which; their offsets are set
 * @count: how many
 *
 * Context: Process.
 */
void drm_fault_layout_fields(const struct drm_fault_btf *btf,
			     struct drm_fault_field *fields, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		WRITE_ONCE(fields[i].offset,
			   drm_fault_layout_field(btf, &fields[i]));
}

/**
 * drm_fault_fields_resolve - look members of private structures up
 * @module: whose they are, "vmlinux": the kernel's own
 * @fields: which; their offsets are set
 * @count: how many
 *
 * Context: Process, in the file system of init, may sleep.
 * Return: 0 if all are known, else an error of the first that is not
 */
int drm_fault_fields_resolve(const char *module, struct drm_fault_field *fields,
			     unsigned int count)
{
	struct drm_fault_layout *layout = drm_fault_layout_open();
	unsigned int i;
	int ret = 0;

	drm_fault_layout_fields(drm_fault_layout_btf(layout, module), fields, count);
	drm_fault_layout_close(layout);
	for (i = 0; !ret && i < count; i++)
		ret = min(fields[i].offset, 0);
	return ret;
}
EXPORT_SYMBOL_GPL(drm_fault_fields_resolve);

/**
 * drm_fault_peek - copy from where a pointer of a driver leads
 * @to: a buffer, zeroed if this fails
 * @from: the pointer, which may be stale or wrong
 * @size: bytes
 *
 * Context: Any but NMI.
 * Return: true if there was something
 */
bool drm_fault_peek(void *to, const void *from, size_t size)
{
	if ((unsigned long)from >= PAGE_SIZE && !copy_from_kernel_nofault(to, from, size))
		return true;
	memset(to, 0, size);
	return false;
}
EXPORT_SYMBOL_GPL(drm_fault_peek);

/**
 * drm_fault_field_peek - copy a member of a private structure
 * @to: a buffer of &drm_fault_field.size bytes, zeroed if this fails
 * @base: the structure
 * @field: the member
 *
 * Context: Any but NMI.
 * Return: true if the layout is known and there was something
 */
bool drm_fault_field_peek(void *to, const void *base, const struct drm_fault_field *field)
{
	int offset = READ_ONCE(field->offset);

	if (base && offset >= 0)
		return drm_fault_peek(to, base + offset, field->size);
	memset(to, 0, field->size);
	return false;
}
EXPORT_SYMBOL_GPL(drm_fault_field_peek);
