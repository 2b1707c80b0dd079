// SPDX-License-Identifier: GPL-2.0-only
#include <linux/kernel.h>
#include <linux/kobject.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "core.h"
#include "hook.h"

/*
 * /sys/class/misc/drm_fault/hooks/SET/SYMBOL: what each hook is and does, for
 * `drmfault doctor`. The counters tell what other processes do and are root's.
 */

static struct kobject *drm_fault_hook_dir;
static struct drm_fault_set *drm_fault_shown;
static unsigned int drm_fault_shown_count;

struct drm_fault_hook_file {
	struct attribute attr;
	ssize_t (*show)(struct drm_fault_probe *probe, char *buf);
};

struct drm_fault_set_file {
	struct attribute attr;
	ssize_t (*show)(struct drm_fault_set *set, char *buf);
};

static ssize_t drm_fault_show_module(struct drm_fault_probe *probe, char *buf)
{
	return sysfs_emit(buf, "%s\n", drm_fault_hook_module(probe));
}

static ssize_t drm_fault_show_symbol(struct drm_fault_probe *probe, char *buf)
{
	return sysfs_emit(buf, "%s\n", probe->hook->symbol);
}

static ssize_t drm_fault_show_kind(struct drm_fault_probe *probe, char *buf)
{
	static const char *const kinds[] = {
		[DRM_FAULT_HOOK_ENTRY] = "entry",
		[DRM_FAULT_HOOK_RETURN] = "return",
		[DRM_FAULT_HOOK_TRACEPOINT] = "tracepoint",
	};

	return sysfs_emit(buf, "%s\n", kinds[probe->hook->kind]);
}

static ssize_t drm_fault_show_provides(struct drm_fault_probe *probe, char *buf)
{
	static const char *const words[] = {
		"fault", "status", "owner", "ip", "hang", "dump",
	};
	unsigned int i;
	int length = 0;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (probe->hook->provides & (1u << i))
			length += sysfs_emit_at(buf, length, "%s%s", length ? " " : "",
						words[i]);
	return length + sysfs_emit_at(buf, length, "\n");
}

static ssize_t drm_fault_show_state(struct drm_fault_probe *probe, char *buf)
{
	static const char *const states[] = {
		[DRM_FAULT_HOOK_OFF] = "off",
		[DRM_FAULT_HOOK_WAITING] = "waiting",
		[DRM_FAULT_HOOK_ATTACHED] = "attached",
		[DRM_FAULT_HOOK_ABSENT] = "absent",
		[DRM_FAULT_HOOK_DIFFERS] = "differs",
		[DRM_FAULT_HOOK_FAILED] = "failed",
	};

	return sysfs_emit(buf, "%s\n", states[READ_ONCE(probe->state)]);
}

static ssize_t drm_fault_show_error(struct drm_fault_probe *probe, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(probe->error));
}

static ssize_t drm_fault_show_checked(struct drm_fault_probe *probe, char *buf)
{
	return sysfs_emit(buf, "%d\n", READ_ONCE(probe->checked));
}

static ssize_t drm_fault_show_prototype(struct drm_fault_probe *probe, char *buf)
{
	return sysfs_emit(buf, "%s\n", probe->hook->prototype ?: "");
}

static ssize_t drm_fault_show_found(struct drm_fault_probe *probe, char *buf)
{
	ssize_t ret;

	mutex_lock(&drm_fault_hooks_lock);
	ret = sysfs_emit(buf, "%s\n", probe->found);
	mutex_unlock(&drm_fault_hooks_lock);
	return ret;
}

static ssize_t drm_fault_show_hits(struct drm_fault_probe *probe, char *buf)
{
	return sysfs_emit(buf, "%lld\n", atomic64_read(&probe->hits));
}

static ssize_t drm_fault_show_drops(struct drm_fault_probe *probe, char *buf)
{
	return sysfs_emit(buf, "%lld\n", atomic64_read(&probe->drops));
}

static ssize_t drm_fault_show_missed(struct drm_fault_probe *probe, char *buf)
{
	u64 missed;

	mutex_lock(&drm_fault_hooks_lock);
	missed = drm_fault_probe_missed(probe);
	mutex_unlock(&drm_fault_hooks_lock);
	return sysfs_emit(buf, "%llu\n", missed);
}

#define DRM_FAULT_HOOK_FILE(_name, _mode)					\
	static struct drm_fault_hook_file drm_fault_hook_file_##_name = {	\
		.attr = { .name = #_name, .mode = _mode },			\
		.show = drm_fault_show_##_name,					\
	}

DRM_FAULT_HOOK_FILE(module, 0444);
DRM_FAULT_HOOK_FILE(symbol, 0444);
DRM_FAULT_HOOK_FILE(kind, 0444);
DRM_FAULT_HOOK_FILE(provides, 0444);
DRM_FAULT_HOOK_FILE(state, 0444);
DRM_FAULT_HOOK_FILE(error, 0444);
DRM_FAULT_HOOK_FILE(checked, 0444);
DRM_FAULT_HOOK_FILE(prototype, 0444);
DRM_FAULT_HOOK_FILE(found, 0444);
DRM_FAULT_HOOK_FILE(hits, 0400);
DRM_FAULT_HOOK_FILE(drops, 0400);
DRM_FAULT_HOOK_FILE(missed, 0400);

static struct attribute *drm_fault_hook_attrs[] = {
	&drm_fault_hook_file_module.attr,
	&drm_fault_hook_file_symbol.attr,
	&drm_fault_hook_file_kind.attr,
	&drm_fault_hook_file_provides.attr,
	&drm_fault_hook_file_state.attr,
	&drm_fault_hook_file_error.attr,
	&drm_fault_hook_file_checked.attr,
	&drm_fault_hook_file_prototype.attr,
	&drm_fault_hook_file_found.attr,
	&drm_fault_hook_file_hits.attr,
	&drm_fault_hook_file_drops.attr,
	&drm_fault_hook_file_missed.attr,
	NULL
};
ATTRIBUTE_GROUPS(drm_fault_hook);

static ssize_t drm_fault_show_driver(struct drm_fault_set *set, char *buf)
{
	return sysfs_emit(buf, "%s\n", set->hooks->driver ?: "");
}

static ssize_t drm_fault_show_layout(struct drm_fault_set *set, char *buf)
{
	const struct drm_fault_field *field;
	unsigned int i;
	int length = 0;

	for (i = 0; i < set->hooks->field_count; i++) {
		field = &set->hooks->fields[i];
		length += sysfs_emit_at(buf, length, "%s%s%s %d\n", field->type,
					field->path ? "." : "", field->path ?: "",
					READ_ONCE(field->offset));
	}
	return length;
}

static struct drm_fault_set_file drm_fault_set_file_driver = {
	.attr = { .name = "driver", .mode = 0444 },
	.show = drm_fault_show_driver,
};

static struct drm_fault_set_file drm_fault_set_file_layout = {
	.attr = { .name = "layout", .mode = 0444 },
	.show = drm_fault_show_layout,
};

static struct attribute *drm_fault_set_attrs[] = {
	&drm_fault_set_file_driver.attr,
	&drm_fault_set_file_layout.attr,
	NULL
};
ATTRIBUTE_GROUPS(drm_fault_set);

static ssize_t drm_fault_hook_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	return container_of(attr, struct drm_fault_hook_file, attr)
		->show(container_of(kobj, struct drm_fault_probe, kobj), buf);
}

static ssize_t drm_fault_set_show(struct kobject *kobj, struct attribute *attr, char *buf)
{
	return container_of(attr, struct drm_fault_set_file, attr)
		->show(container_of(kobj, struct drm_fault_set, kobj), buf);
}

static const struct sysfs_ops drm_fault_hook_ops = { .show = drm_fault_hook_show };
static const struct sysfs_ops drm_fault_set_ops = { .show = drm_fault_set_show };

/* The sets live as long as the module, and their files go before. */
static void drm_fault_hook_release(struct kobject *kobj)
{
}

static struct kobj_type drm_fault_hook_type = {
	.release = drm_fault_hook_release,
	.sysfs_ops = &drm_fault_hook_ops,
	.default_groups = drm_fault_hook_groups,
};

static struct kobj_type drm_fault_set_type = {
	.release = drm_fault_hook_release,
	.sysfs_ops = &drm_fault_set_ops,
	.default_groups = drm_fault_set_groups,
};

static int drm_fault_set_show_all(struct drm_fault_set *set)
{
	unsigned int i;
	int ret;

	ret = kobject_init_and_add(&set->kobj, &drm_fault_set_type, drm_fault_hook_dir, "%s",
				   set->hooks->name);
	for (i = 0; !ret && i < set->hooks->hook_count; i++)
		ret = kobject_init_and_add(&set->probes[i].kobj, &drm_fault_hook_type,
					   &set->kobj, "%s", set->hooks->hooks[i].symbol);
	return ret;
}

static void drm_fault_set_hide(struct drm_fault_set *set)
{
	unsigned int i;

	for (i = 0; i < set->hooks->hook_count; i++)
		if (set->probes[i].kobj.state_initialized)
			kobject_put(&set->probes[i].kobj);
	if (set->kobj.state_initialized)
		kobject_put(&set->kobj);
}

/**
 * drm_fault_hook_files_init - show the hooks in sysfs
 * @parent: where
 * @sets: the sets, which stay until drm_fault_hook_files_exit()
 * @count: how many
 *
 * Context: Process, may sleep.
 * Return: 0 or a negative errno
 */
int drm_fault_hook_files_init(struct kobject *parent, struct drm_fault_set *sets,
			      unsigned int count)
{
	unsigned int i;
	int ret = 0;

	drm_fault_hook_dir = kobject_create_and_add("hooks", parent);
	if (!drm_fault_hook_dir)
		return -ENOMEM;
	drm_fault_shown = sets;
	drm_fault_shown_count = count;
	for (i = 0; !ret && i < count; i++)
		ret = drm_fault_set_show_all(&sets[i]);
	if (ret)
		drm_fault_hook_files_exit();
	return ret;
}

/**
 * drm_fault_hook_files_exit - show them no more
 *
 * Context: Process, may sleep.
 */
void drm_fault_hook_files_exit(void)
{
	unsigned int i;

	for (i = 0; i < drm_fault_shown_count; i++)
		drm_fault_set_hide(&drm_fault_shown[i]);
	kobject_put(drm_fault_hook_dir);
}
