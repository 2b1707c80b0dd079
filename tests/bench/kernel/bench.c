// SPDX-License-Identifier: GPL-2.0-only
/*
 * Times the report path beside what it replaces: reading
 * /sys/kernel/debug/drm_fault_bench runs all of them in turn, round after round,
 * and prints the median of each in nanoseconds per event.
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/seq_file.h>
#include <linux/sort.h>

#include <drm/drm_fault.h>

#define CREATE_TRACE_POINTS
#include "bench-trace.h"

#define BENCH_ROUNDS	31
#define BENCH_EVENTS	200

static struct platform_device *bench_gpu;
static struct drm_fault_reporter *bench_reporter;
static struct drm_fault_context *bench_context;
static struct dentry *bench_file;

static struct drm_fault_event bench_event = {
	.access = DRM_FAULT_ACCESS_WRITE,
	.fault_type = DRM_FAULT_TYPE_NOT_PRESENT,
	.level = 1,
	.address = 0x10000000,
	.address_precision = 4096,
	.ip = 0x400000,
	.ip_precision = 8,
	.ip_type = DRM_FAULT_IP_FAULT,
	.engine_class = DRM_FAULT_ENGINE_COMPUTE,
	.engine = "ring0",
	.vmid = 3,
	.raw_count = 2,
	.raw = { 0x701031, 0x42 },
};

/* A fault that was seen before. */
static void bench_report_repeat(void)
{
	drm_fault_report(bench_reporter, &bench_event);
}

/* One in another page each time: the ring is full, and one goes. */
static void bench_report_new(void)
{
	struct drm_fault_event event = bench_event;
	static u64 page;

	event.address += ++page << 12;
	drm_fault_report(bench_reporter, &event);
}

/* The same, found by key as most drivers' hooks do. */
static void bench_report_key(void)
{
	struct drm_fault_event event = bench_event;

	event.context = NULL;
	event.key = 1;
	drm_fault_report(bench_reporter, &event);
}

static void bench_ftrace(void)
{
	trace_fault(&bench_event);
}

/* What drivers print today, in one line. */
static void bench_printk(void)
{
	const struct drm_fault_event *e = &bench_event;

	dev_err(&bench_gpu->dev,
		"[gfxhub] page fault (src_id:0 ring:24 vmid:%u pasid:32769) at address 0x%016llx from client 0x1b (UTCL2) in process %s pid %d, status 0x%08llx, access %u, type %u, ip 0x%llx, %s\n",
		e->vmid, e->address, current->comm, current->pid, e->raw[0], e->access,
		e->fault_type, e->ip, e->engine);
}

static const struct {
	const char *name;
	void (*run)(void);
} benches[] = {
	{ "report-repeat", bench_report_repeat },
	{ "report-new", bench_report_new },
	{ "report-key", bench_report_key },
	{ "ftrace", bench_ftrace },
	{ "printk", bench_printk },
};

static u64 bench_ns[ARRAY_SIZE(benches)][BENCH_ROUNDS];

static int bench_compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static u64 bench_round(void (*run)(void))
{
	ktime_t start = ktime_get();
	unsigned int i;

	for (i = 0; i < BENCH_EVENTS; i++)
		run();
	return ktime_to_ns(ktime_sub(ktime_get(), start));
}

static int bench_show(struct seq_file *m, void *unused)
{
	unsigned int i, round;

	bench_event.context = bench_context;
	for (round = 0; round < BENCH_ROUNDS; round++) {
		for (i = 0; i < ARRAY_SIZE(benches); i++)
			bench_ns[i][round] = bench_round(benches[i].run);
		cond_resched();
	}
	for (i = 0; i < ARRAY_SIZE(benches); i++) {
		sort(bench_ns[i], BENCH_ROUNDS, sizeof(u64), bench_compare, NULL);
		seq_printf(m, "%s %llu\n", benches[i].name,
			   bench_ns[i][BENCH_ROUNDS / 2] / BENCH_EVENTS);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(bench);

static int __init bench_init(void)
{
	const struct drm_fault_context_args context = { .key = 1 };
	struct drm_fault_reporter_args reporter = { .driver = "bench", .address_bits = 48 };
	int ret;

	bench_gpu = platform_device_register_simple("drm_fault_bench", -1, NULL, 0);
	if (IS_ERR(bench_gpu))
		return PTR_ERR(bench_gpu);
	reporter.dev = &bench_gpu->dev;
	bench_reporter = drm_fault_reporter_register(&reporter);
	if (IS_ERR(bench_reporter)) {
		ret = PTR_ERR(bench_reporter);
		goto err_gpu;
	}
	bench_context = drm_fault_context_create(bench_reporter, &context);
	if (IS_ERR(bench_context)) {
		ret = PTR_ERR(bench_context);
		goto err_reporter;
	}
	bench_file = debugfs_create_file("drm_fault_bench", 0400, NULL, NULL, &bench_fops);
	return 0;

err_reporter:
	drm_fault_reporter_unregister(bench_reporter);
err_gpu:
	platform_device_unregister(bench_gpu);
	return ret;
}

static void __exit bench_exit(void)
{
	debugfs_remove(bench_file);
	drm_fault_context_destroy(bench_context);
	drm_fault_reporter_unregister(bench_reporter);
	platform_device_unregister(bench_gpu);
}

module_init(bench_init);
module_exit(bench_exit);

MODULE_DESCRIPTION("Times the report path of drm_fault");
MODULE_LICENSE("GPL");
