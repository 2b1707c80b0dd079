// SPDX-License-Identifier: GPL-2.0-only
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "core.h"

/*
 * /sys/kernel/debug/drm_fault/gpuN, for root: "rings" shows what is kept,
 * "inject" raises events of any kind. Each line written there is one event, as
 * words NAME=VALUE; what is not named is 0.
 */

#define DRM_FAULT_INJECT_LINE	1024
#define DRM_FAULT_INJECT_MAX	10000000ULL

static struct dentry *drm_fault_debugfs_root;

static int drm_fault_rings_show(struct seq_file *m, void *unused)
{
	struct drm_fault_reporter *reporter = m->private;
	const struct drm_fault_owner *owner;
	struct drm_fault_context *context;
	const struct drm_fault_ring *ring;
	u64 events, lost;

	rcu_read_lock();
	list_for_each_entry_rcu(context, &reporter->contexts, node) {
		owner = rcu_dereference(context->owner);
		ring = drm_fault_context_ring(context);
		drm_fault_context_counts(context, &events, &lost);
		seq_printf(m, "context %llu pid %d comm %s events %llu records %u seqno %llu lost %llu group %llu%s%s\n",
			   context->id, owner ? pid_nr(owner->pid) : 0,
			   owner ? owner->comm : "-", events,
			   ring ? READ_ONCE(ring->used) : 0,
			   ring ? READ_ONCE(ring->seqno) : 0, lost,
			   ring ? READ_ONCE(ring->group_id) : 0,
			   context->ended ? " ended" : "",
			   context == reporter->catch_all ? " catch-all" : "");
	}
	rcu_read_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(drm_fault_rings);

/**
 * struct drm_fault_inject - a line written to "inject"
 * @event: the event
 * @engine: its engine's name
 * @context_id: where, 0: the catch-all
 * @kind: enum drm_fault_record_type
 * @count: raise it as often
 * @step: add this to the address each time
 * @irq: raise it in hard IRQ
 */
struct drm_fault_inject {
	struct drm_fault_event event;
	char engine[DRM_FAULT_ENGINE_LEN];
	u64 context_id;
	u32 kind;
	u64 count;
	u64 step;
	u32 irq;
};

#define DRM_FAULT_INJECT_U32(word, member)					\
	{ word, offsetof(struct drm_fault_inject, member), sizeof(u32) }
#define DRM_FAULT_INJECT_U64(word, member)					\
	{ word, offsetof(struct drm_fault_inject, member), sizeof(u64) }

static const struct {
	const char *name;
	size_t offset;
	size_t size;
} drm_fault_inject_fields[] = {
	DRM_FAULT_INJECT_U64("context", context_id),
	DRM_FAULT_INJECT_U64("count", count),
	DRM_FAULT_INJECT_U64("step", step),
	DRM_FAULT_INJECT_U32("irq", irq),
	DRM_FAULT_INJECT_U32("flags", event.flags),
	DRM_FAULT_INJECT_U32("access", event.access),
	DRM_FAULT_INJECT_U32("type", event.fault_type),
	DRM_FAULT_INJECT_U32("level", event.level),
	DRM_FAULT_INJECT_U64("address", event.address),
	DRM_FAULT_INJECT_U64("precision", event.address_precision),
	DRM_FAULT_INJECT_U64("ip", event.ip),
	DRM_FAULT_INJECT_U64("ip_precision", event.ip_precision),
	DRM_FAULT_INJECT_U32("ip_type", event.ip_type),
	DRM_FAULT_INJECT_U32("class", event.engine_class),
	DRM_FAULT_INJECT_U32("instance", event.engine_instance),
	DRM_FAULT_INJECT_U32("vmid", event.vmid),
	DRM_FAULT_INJECT_U64("gpu_timestamp", event.gpu_timestamp),
	DRM_FAULT_INJECT_U32("raw_format", event.raw_format),
	DRM_FAULT_INJECT_U32("raw_count", event.raw_count),
	DRM_FAULT_INJECT_U64("raw0", event.raw[0]),
	DRM_FAULT_INJECT_U64("raw1", event.raw[1]),
	DRM_FAULT_INJECT_U64("raw2", event.raw[2]),
	DRM_FAULT_INJECT_U64("raw3", event.raw[3]),
	DRM_FAULT_INJECT_U64("job_context", event.job_context),
	DRM_FAULT_INJECT_U64("job_seqno", event.job_seqno),
};

/* match_string() ends at a NULL. */
static const char *const drm_fault_inject_kinds[] = {
	[0] = "none",
	[DRM_FAULT_RECORD_FAULT] = "fault",
	[DRM_FAULT_RECORD_TIMEOUT] = "timeout",
	[DRM_FAULT_RECORD_RESET] = "reset",
	[DRM_FAULT_RECORD_LOST] = "",
	[DRM_FAULT_RECORD_WEDGED] = "wedged",
	[DRM_FAULT_RECORD_DUMP] = "dump",
};

static int drm_fault_inject_number(struct drm_fault_inject *inject, const char *name,
				   const char *value)
{
	unsigned int i;
	void *member;
	u64 number;

	if (kstrtou64(value, 0, &number))
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(drm_fault_inject_fields); i++) {
		if (strcmp(name, drm_fault_inject_fields[i].name))
			continue;
		member = (char *)inject + drm_fault_inject_fields[i].offset;
		if (drm_fault_inject_fields[i].size == sizeof(u64)) {
			*(u64 *)member = number;
			return 0;
		}
		if (number > U32_MAX)
			return -ERANGE;
		*(u32 *)member = number;
		return 0;
	}
	return -EINVAL;
}

static int drm_fault_inject_word(struct drm_fault_inject *inject, char *word)
{
	char *value = strchr(word, '=');
	int kind;

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	if (!strcmp(word, "engine")) {
		strscpy(inject->engine, value, sizeof(inject->engine));
		inject->event.engine = inject->engine;
		return 0;
	}
	if (!strcmp(word, "kind")) {
		kind = match_string(drm_fault_inject_kinds,
				    ARRAY_SIZE(drm_fault_inject_kinds), value);
		/* A loss is no event, though an empty value finds its place. */
		if (kind <= 0 || kind == DRM_FAULT_RECORD_LOST)
			return -EINVAL;
		inject->kind = kind;
		return 0;
	}
	return drm_fault_inject_number(inject, word, value);
}

static int drm_fault_inject_parse(struct drm_fault_inject *inject, char *line)
{
	char *word;
	int ret;

	inject->kind = DRM_FAULT_RECORD_FAULT;
	inject->count = 1;
	while ((word = strsep(&line, " \t"))) {
		if (!*word)
			continue;
		ret = drm_fault_inject_word(inject, word);
		if (ret)
			return ret;
	}
	return inject->count <= DRM_FAULT_INJECT_MAX ? 0 : -ERANGE;
}

struct drm_fault_inject_irq {
	struct irq_work work;
	struct drm_fault_reporter *reporter;
	struct drm_fault_inject *inject;
};

static void drm_fault_inject_in_irq(struct irq_work *work)
{
	struct drm_fault_inject_irq *irq =
		container_of(work, struct drm_fault_inject_irq, work);

	drm_fault_raise(irq->reporter, &irq->inject->event, irq->inject->kind);
}

static int drm_fault_inject_raise(struct drm_fault_reporter *reporter,
				  struct drm_fault_inject *inject)
{
	struct drm_fault_inject_irq irq = {
		.work = IRQ_WORK_INIT_HARD(drm_fault_inject_in_irq),
		.reporter = reporter,
		.inject = inject,
	};
	u64 i;

	for (i = 0; i < inject->count; i++) {
		if (inject->irq) {
			irq_work_queue(&irq.work);
			irq_work_sync(&irq.work);
		} else {
			drm_fault_raise(reporter, &inject->event, inject->kind);
		}
		inject->event.address += inject->step;
		/* Of no other: the writer could not tell what was raised and what not. */
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static int drm_fault_inject_line(struct drm_fault_reporter *reporter, char *line)
{
	struct drm_fault_inject inject = {};
	struct drm_fault_context *context;
	int ret = drm_fault_inject_parse(&inject, line);

	if (ret)
		return ret;
	if (!inject.context_id)
		return drm_fault_inject_raise(reporter, &inject);

	rcu_read_lock();
	list_for_each_entry_rcu(context, &reporter->contexts, node) {
		if (context->id == inject.context_id) {
			if (kref_get_unless_zero(&context->ref))
				inject.event.context = context;
			break;
		}
	}
	rcu_read_unlock();
	if (!inject.event.context)
		return -ENOENT;
	ret = drm_fault_inject_raise(reporter, &inject);
	drm_fault_context_put(inject.event.context);
	return ret;
}

static ssize_t drm_fault_inject_write(struct file *file, const char __user *buf,
				      size_t size, loff_t *pos)
{
	struct drm_fault_reporter *reporter = file->private_data;
	char *text, *rest, *line;
	int ret = 0;

	if (size > DRM_FAULT_INJECT_LINE)
		return -E2BIG;
	text = memdup_user_nul(buf, size);
	if (IS_ERR(text))
		return PTR_ERR(text);

	rest = text;
	while (!ret && (line = strsep(&rest, "\n")))
		if (*line)
			ret = drm_fault_inject_line(reporter, line);
	kfree(text);
	return ret ?: size;
}

static const struct file_operations drm_fault_inject_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = drm_fault_inject_write,
};

/**
 * drm_fault_debugfs_init - make the directory
 *
 * Context: Process.
 */
void drm_fault_debugfs_init(void)
{
	drm_fault_debugfs_root = debugfs_create_dir("drm_fault", NULL);
}

/**
 * drm_fault_debugfs_exit - remove it
 *
 * Context: Process.
 */
void drm_fault_debugfs_exit(void)
{
	debugfs_remove_recursive(drm_fault_debugfs_root);
}

/**
 * drm_fault_debugfs_add - make the files of a reporter
 * @reporter: the reporter
 *
 * Context: Process.
 */
void drm_fault_debugfs_add(struct drm_fault_reporter *reporter)
{
	struct dentry *dir = debugfs_create_dir(dev_name(&reporter->dev),
						drm_fault_debugfs_root);

	reporter->debugfs = dir;
	debugfs_create_file("rings", 0400, dir, reporter, &drm_fault_rings_fops);
	debugfs_create_file("inject", 0200, dir, reporter, &drm_fault_inject_fops);
}

/**
 * drm_fault_debugfs_remove - remove them, waiting for who is inside
 * @reporter: the reporter
 *
 * Context: Process.
 */
void drm_fault_debugfs_remove(struct drm_fault_reporter *reporter)
{
	debugfs_remove_recursive(reporter->debugfs);
}
