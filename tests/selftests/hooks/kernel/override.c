// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/module.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "private.h"

/*
 * The kprobes that make functions return at once.
 */

DECLARE_RWSEM(drm_fault_overrides_lock);
static LIST_HEAD(drm_fault_overrides);

/* Where branch targets are marked the kprobe is behind the mark, the entry is it. */
static void *function_of(const void *address)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };

	return (void *)address -
	       (memcmp(address - sizeof(endbr64), endbr64, sizeof(endbr64)) ?
		0 : sizeof(endbr64));
}

void *drm_fault_override_function(const struct drm_fault_override *override)
{
	return function_of(override->kprobe.addr);
}

/**
 * drm_fault_function - find a function
 * @symbol: "module:function"
 *
 * Context: Process, may sleep.
 * Return: its entry or an error pointer
 */
void *drm_fault_function(const char *symbol)
{
	struct kprobe kprobe = {
		.symbol_name = symbol,
		.flags = KPROBE_FLAG_DISABLED,
	};
	void *function;
	int ret = register_kprobe(&kprobe);

	if (ret)
		return ERR_PTR(ret);
	function = function_of(kprobe.addr);
	unregister_kprobe(&kprobe);
	return function;
}

static int override_place(struct drm_fault_override *override)
{
	int ret;

	lockdep_assert_held_write(&drm_fault_overrides_lock);
	override->kprobe = (struct kprobe) {
		.symbol_name = override->symbol,
		.pre_handler = drm_fault_call_hit,
	};
	ret = register_kprobe(&override->kprobe);
	/*
	 * Elsewhere it may be made a jump, which has no way to go on at another
	 * place. Keeping it from that by a post_handler confuses kernels where
	 * there already is a kprobe without one.
	 */
	if (!ret && !kprobe_ftrace(&override->kprobe)) {
		unregister_kprobe(&override->kprobe);
		ret = -EOPNOTSUPP;
	}
	override->placed = !ret;
	return ret;
}

static void override_lift(struct drm_fault_override *override)
{
	lockdep_assert_held_write(&drm_fault_overrides_lock);
	if (override->placed)
		unregister_kprobe(&override->kprobe);
	override->placed = false;
}

struct drm_fault_override *drm_fault_override_find(const char *symbol)
{
	struct drm_fault_override *override;

	lockdep_assert_held(&drm_fault_overrides_lock);
	list_for_each_entry(override, &drm_fault_overrides, node)
		if (!strcmp(override->symbol, symbol))
			return override;
	return NULL;
}

static struct drm_fault_override *override_add(const char *symbol)
{
	struct drm_fault_override *override = kzalloc(sizeof(*override), GFP_KERNEL);

	lockdep_assert_held_write(&drm_fault_overrides_lock);
	if (!override)
		return NULL;
	strscpy(override->symbol, symbol, sizeof(override->symbol));
	list_add_tail(&override->node, &drm_fault_overrides);
	return override;
}

static void override_remove(struct drm_fault_override *override)
{
	lockdep_assert_held_write(&drm_fault_overrides_lock);
	override_lift(override);
	list_del(&override->node);
	kfree(override);
}

static bool symbol_ok(const struct drm_fault_call_symbol *args)
{
	size_t length = strnlen(args->name, sizeof(args->name));

	return length && length < sizeof(args->name) && !args->pad;
}

int drm_fault_override_symbol(struct drm_fault_call_symbol *args)
{
	void *function;

	if (!symbol_ok(args))
		return -EINVAL;
	function = drm_fault_function(args->name);
	if (IS_ERR(function))
		return PTR_ERR(function);
	args->address = (unsigned long)function;
	return 0;
}

/* A function that is not there can be one of a module that is not. */
static int override_prepare(struct drm_fault_call_symbol *args)
{
	struct drm_fault_override *override = drm_fault_override_find(args->name);
	int ret = 0;

	lockdep_assert_held_write(&drm_fault_overrides_lock);
	if (!override)
		override = override_add(args->name);
	if (!override)
		return -ENOMEM;
	args->placed = !override->placed;
	args->address = 0;
	if (!override->placed)
		ret = override_place(override);
	if (!ret) {
		args->address = (unsigned long)drm_fault_override_function(override);
		return 0;
	}
	args->placed = 0;
	if (ret == -ENOENT && strchr(args->name, ':'))
		return 0;
	override_remove(override);
	return ret;
}

int drm_fault_override_prepare(struct drm_fault_call_symbol *args)
{
	int ret;

	if (!symbol_ok(args))
		return -EINVAL;
	down_write(&drm_fault_overrides_lock);
	ret = override_prepare(args);
	up_write(&drm_fault_overrides_lock);
	return ret;
}

static bool override_is_of(const struct drm_fault_override *override,
			   const struct module *module)
{
	size_t length = strlen(module->name);

	return !strncmp(override->symbol, module->name, length) &&
	       override->symbol[length] == ':';
}

static int overrides_notify(struct notifier_block *nb, unsigned long action, void *data)
{
	struct drm_fault_override *override;

	if (action != MODULE_STATE_COMING && action != MODULE_STATE_GOING)
		return NOTIFY_DONE;
	down_write(&drm_fault_overrides_lock);
	list_for_each_entry(override, &drm_fault_overrides, node) {
		if (!override_is_of(override, data))
			continue;
		if (action == MODULE_STATE_GOING)
			override_lift(override);
		else if (!override->placed)
			override_place(override);
	}
	up_write(&drm_fault_overrides_lock);
	return NOTIFY_DONE;
}

/* Before drm_fault.ko hears of the module. */
static struct notifier_block overrides_nb = {
	.notifier_call = overrides_notify,
	.priority = 1,
};

int drm_fault_overrides_init(void)
{
	return register_module_notifier(&overrides_nb);
}

void drm_fault_overrides_exit(void)
{
	struct drm_fault_override *override, *tmp;

	unregister_module_notifier(&overrides_nb);
	down_write(&drm_fault_overrides_lock);
	list_for_each_entry_safe(override, tmp, &drm_fault_overrides, node)
		override_remove(override);
	up_write(&drm_fault_overrides_lock);
}
