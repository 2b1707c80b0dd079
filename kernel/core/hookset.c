// SPDX-License-Identifier: GPL-2.0-only
#include <linux/export.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/namei.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "compat-fs.h"
#include "core.h"
#include "hook.h"
#include "sets.h"

/*
 * All sets of hooks: attached when their modules come, detached when they go.
 */

/* Protects the states of all hooks, and attaching; process context. */
DEFINE_MUTEX(drm_fault_hooks_lock);

static bool drm_fault_hooks_on = true;
module_param_named(hooks, drm_fault_hooks_on, bool, 0444);
MODULE_PARM_DESC(hooks, "listen to drivers that do not report themselves (default Y)");

static bool drm_fault_hooks_ready;

/* The set of openers, then those of drivers. Fixed once made. */
static struct drm_fault_set *drm_fault_sets;
static unsigned int drm_fault_set_count;

static bool drm_fault_module_loaded(const char *module)
{
	char name[64];
	struct path path;

	if (!strcmp(module, "vmlinux"))
		return true;
	snprintf(name, sizeof(name), "/sys/module/%s", module);
	if (kern_path(name, LOOKUP_DIRECTORY, &path))
		return false;
	path_put(&path);
	return true;
}

static void drm_fault_set_attach(struct drm_fault_set *set, const char *module,
				 const struct drm_fault_btf *btf)
{
	struct drm_fault_probe *probe;
	unsigned int i;

	lockdep_assert_held(&drm_fault_hooks_lock);
	if (!strcmp(set->hooks->module, module) && !set->laid) {
		drm_fault_layout_fields(btf, set->hooks->fields, set->hooks->field_count);
		set->laid = true;
	}
	for (i = 0; i < set->hooks->hook_count; i++) {
		probe = &set->probes[i];
		if (probe->state != DRM_FAULT_HOOK_ATTACHED &&
		    !strcmp(drm_fault_hook_module(probe), module))
			drm_fault_probe_attach(probe, btf);
	}
}

static bool drm_fault_sets_want(const char *module)
{
	unsigned int i, j;

	for (i = 0; i < drm_fault_set_count; i++) {
		if (!strcmp(drm_fault_sets[i].hooks->module, module))
			return true;
		for (j = 0; j < drm_fault_sets[i].hooks->hook_count; j++)
			if (!strcmp(drm_fault_hook_module(&drm_fault_sets[i].probes[j]), module))
				return true;
	}
	return false;
}

/* Without type information nothing private is read and nothing compared. */
static void drm_fault_sets_attach(const char *module, struct drm_fault_layout *layout)
{
	const struct drm_fault_btf *btf = drm_fault_layout_btf(layout, module);
	unsigned int i;

	mutex_lock(&drm_fault_hooks_lock);
	for (i = 0; i < drm_fault_set_count; i++)
		drm_fault_set_attach(&drm_fault_sets[i], module, btf);
	mutex_unlock(&drm_fault_hooks_lock);
}

static void drm_fault_sets_detach(const char *module, u32 state)
{
	struct drm_fault_set *set;
	unsigned int i, j;

	mutex_lock(&drm_fault_hooks_lock);
	for (set = drm_fault_sets; set < drm_fault_sets + drm_fault_set_count; set++) {
		for (j = 0; j < set->hooks->hook_count; j++)
			if (!module || !strcmp(drm_fault_hook_module(&set->probes[j]), module))
				drm_fault_probe_detach(&set->probes[j], state);
		if (module && strcmp(set->hooks->module, module))
			continue;
		for (i = 0; i < set->hooks->field_count; i++)
			WRITE_ONCE(set->hooks->fields[i].offset, -ENOENT);
		set->laid = false;
	}
	mutex_unlock(&drm_fault_hooks_lock);
}

/**
 * struct drm_fault_attach - attaching, as a work
 * @work: in a kernel thread, which sees the file system of init, not that of
 *	whoever loads a module
 * @module: which has come; NULL: look for all
 */
struct drm_fault_attach {
	struct work_struct work;
	const char *module;
};

static void drm_fault_attach_all(struct drm_fault_layout *layout)
{
	struct drm_fault_probe *probe;
	struct drm_fault_set *set;
	unsigned int i;

	for (set = drm_fault_sets; set < drm_fault_sets + drm_fault_set_count; set++) {
		if (!set->laid && drm_fault_module_loaded(set->hooks->module))
			drm_fault_sets_attach(set->hooks->module, layout);
		for (i = 0; i < set->hooks->hook_count; i++) {
			probe = &set->probes[i];
			if (probe->state == DRM_FAULT_HOOK_WAITING &&
			    drm_fault_module_loaded(drm_fault_hook_module(probe)))
				drm_fault_sets_attach(drm_fault_hook_module(probe), layout);
		}
	}
}

static void drm_fault_attach_work(struct work_struct *work)
{
	struct drm_fault_attach *attach = container_of(work, struct drm_fault_attach, work);
	struct drm_fault_layout *layout;

	drm_fault_scoped_init_fs() {
		layout = drm_fault_layout_open();
		if (attach->module)
			drm_fault_sets_attach(attach->module, layout);
		else
			drm_fault_attach_all(layout);
		drm_fault_layout_close(layout);
	}
}

static void drm_fault_attach(const char *module)
{
	struct drm_fault_attach attach = { .module = module };

	INIT_WORK_ONSTACK(&attach.work, drm_fault_attach_work);
	queue_work(drm_fault_wq, &attach.work);
	flush_work(&attach.work);
	destroy_work_on_stack(&attach.work);
}

static bool drm_fault_sets_wait_for(const char *module)
{
	struct drm_fault_set *set;
	bool wait = false;
	unsigned int i;

	mutex_lock(&drm_fault_hooks_lock);
	for (set = drm_fault_sets; set < drm_fault_sets + drm_fault_set_count; set++)
		for (i = 0; i < set->hooks->hook_count; i++)
			wait |= set->probes[i].state == DRM_FAULT_HOOK_WAITING &&
				!strcmp(drm_fault_hook_module(&set->probes[i]), module);
	mutex_unlock(&drm_fault_hooks_lock);
	return wait;
}

static int drm_fault_hooks_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	const struct module *module = data;

	if (!drm_fault_sets_want(module->name))
		return NOTIFY_DONE;
	/* LIVE is for one that was on its way when we came. */
	if (action == MODULE_STATE_COMING ||
	    (action == MODULE_STATE_LIVE && drm_fault_sets_wait_for(module->name)))
		drm_fault_attach(module->name);
	else if (action == MODULE_STATE_GOING)
		drm_fault_sets_detach(module->name, DRM_FAULT_HOOK_WAITING);
	return NOTIFY_DONE;
}

static struct notifier_block drm_fault_hooks_nb = {
	.notifier_call = drm_fault_hooks_notify,
};

/**
 * drm_fault_reporter_provides - is there a hook of the GPU's own driver for it?
 * @reporter: the GPU
 * @provides: DRM_FAULT_PROVIDES_*
 *
 * Context: Any.
 * Return: true if one that is attached provides all of this
 */
bool drm_fault_reporter_provides(const struct drm_fault_reporter *reporter, u32 provides)
{
	const struct drm_fault_hooks *hooks = reporter->hooks;
	unsigned int i;

	for (i = 0; hooks && i < hooks->hook_count; i++)
		if ((hooks->hooks[i].provides & provides) == provides &&
		    READ_ONCE(hooks->hooks[i].state->state) == DRM_FAULT_HOOK_ATTACHED)
			return true;
	return false;
}
EXPORT_SYMBOL_GPL(drm_fault_reporter_provides);

/**
 * drm_fault_hooks_of_driver - find the hooks for a driver's GPUs
 * @driver: &drm_driver.name
 *
 * Context: Any.
 * Return: the set or NULL
 */
struct drm_fault_hooks *drm_fault_hooks_of_driver(const char *driver)
{
	unsigned int i;

	for (i = 0; i < drm_fault_hook_set_count; i++)
		if (drm_fault_hook_sets[i]->driver &&
		    !strcmp(drm_fault_hook_sets[i]->driver, driver))
			return drm_fault_hook_sets[i];
	return NULL;
}

static int drm_fault_set_init(struct drm_fault_set *set, struct drm_fault_hooks *hooks)
{
	struct drm_fault_probe *probe;
	unsigned int i;

	set->hooks = hooks;
	set->probes = kcalloc(hooks->hook_count, sizeof(*set->probes), GFP_KERNEL);
	if (!set->probes)
		return -ENOMEM;
	for (i = 0; i < hooks->field_count; i++)
		hooks->fields[i].offset = -ENOENT;
	for (i = 0; i < hooks->hook_count; i++) {
		probe = &set->probes[i];
		probe->set = set;
		probe->hook = &hooks->hooks[i];
		probe->hook->state = probe;
		probe->state = drm_fault_hooks_on ? DRM_FAULT_HOOK_WAITING : DRM_FAULT_HOOK_OFF;
	}
	return 0;
}

static void drm_fault_sets_free(void)
{
	unsigned int i;

	for (i = 0; i < drm_fault_set_count; i++)
		kfree(drm_fault_sets[i].probes);
	kfree(drm_fault_sets);
}

static int drm_fault_sets_init(void)
{
	unsigned int i;
	int ret = 0;

	drm_fault_set_count = 1 + drm_fault_hook_set_count;
	drm_fault_sets = kcalloc(drm_fault_set_count, sizeof(*drm_fault_sets), GFP_KERNEL);
	if (!drm_fault_sets)
		return -ENOMEM;
	for (i = 0; !ret && i < drm_fault_set_count; i++)
		ret = drm_fault_set_init(&drm_fault_sets[i],
					 i ? drm_fault_hook_sets[i - 1] :
					     &drm_fault_opener_hooks);
	if (ret) {
		drm_fault_set_count = i;
		drm_fault_sets_free();
	}
	return ret;
}

static void drm_fault_sets_stop(void)
{
	struct drm_fault_set *set;

	for (set = drm_fault_sets; set < drm_fault_sets + drm_fault_set_count; set++)
		if (set->started)
			set->hooks->stop();
}

static int drm_fault_sets_start(void)
{
	struct drm_fault_set *set;
	int ret = 0;

	for (set = drm_fault_sets; !ret && set < drm_fault_sets + drm_fault_set_count; set++) {
		if (!set->hooks->start)
			continue;
		ret = set->hooks->start();
		set->started = !ret && set->hooks->stop;
	}
	return ret;
}

static int drm_fault_hooks_begin(struct kobject *parent)
{
	int ret = drm_fault_sets_init();

	if (ret)
		return ret;
	ret = drm_fault_stock_init();
	if (ret)
		goto err_sets;
	ret = drm_fault_hook_files_init(parent, drm_fault_sets, drm_fault_set_count);
	if (ret)
		goto err_stock;
	if (!drm_fault_hooks_on)
		return 0;

	ret = drm_fault_sets_start();
	if (ret)
		goto err_files;
	ret = register_module_notifier(&drm_fault_hooks_nb);
	if (ret)
		goto err_files;
	drm_fault_attach(NULL);
	ret = drm_fault_gpus_init();
	if (ret)
		goto err_notifier;
	return 0;

err_notifier:
	unregister_module_notifier(&drm_fault_hooks_nb);
	drm_fault_sets_detach(NULL, DRM_FAULT_HOOK_OFF);
err_files:
	drm_fault_sets_stop();
	drm_fault_hook_files_exit();
err_stock:
	drm_fault_stock_exit();
err_sets:
	drm_fault_sets_free();
	return ret;
}

/**
 * drm_fault_hooks_init - attach what can be, and watch for modules
 * @parent: under which the hooks are shown in sysfs
 *
 * Without memory there are no hooks, which is said in the log.
 *
 * Context: Process, may sleep.
 */
void drm_fault_hooks_init(struct kobject *parent)
{
	int ret = drm_fault_hooks_begin(parent);

	drm_fault_hooks_ready = !ret;
	if (ret)
		pr_err("no hooks on drivers: error %d\n", ret);
}

/**
 * drm_fault_hooks_exit - listen to nothing any more
 *
 * When this returns no handler runs, and the reporters of hooks are gone.
 *
 * Context: Process, may sleep.
 */
void drm_fault_hooks_exit(void)
{
	if (!drm_fault_hooks_ready)
		return;
	if (drm_fault_hooks_on) {
		unregister_module_notifier(&drm_fault_hooks_nb);
		drm_fault_sets_detach(NULL, DRM_FAULT_HOOK_OFF);
		drm_fault_sets_stop();
		drm_fault_gpus_exit();
	}
	drm_fault_hook_files_exit();
	drm_fault_stock_exit();
	drm_fault_sets_free();
}
