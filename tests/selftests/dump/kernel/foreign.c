// SPDX-License-Identifier: GPL-2.0-only
/*
 * Makes dumps such as GPU drivers make, of devices that are none.
 *   echo NUMBER KIBIBYTES PAUSE >/sys/module/drm_fault_foreign/parameters/dump
 * NUMBER is one of four devices, the last of which is of another driver; PAUSE is how
 * many milliseconds each read of the dump takes.
 */
#include <linux/delay.h>
#include <linux/devcoredump.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>

#define GPUS	3
#define DEVICES	(GPUS + 1)
#define MAX_KIB	65536

struct foreign_dump {
	unsigned int pause_ms;
	size_t size;
	char text[];
};

static struct platform_device *foreign_devices[DEVICES];

/* The name is what tells whose dump it is: on the platform bus nobody else has it. */
static struct platform_driver foreign_gpu = {
	.driver = { .name = "amdgpu" },
};

static struct platform_driver foreign_other = {
	.driver = { .name = "foreign_other" },
};

static ssize_t foreign_read(char *buffer, loff_t offset, size_t count, void *data, size_t size)
{
	struct foreign_dump *dump = data;

	if (offset >= dump->size)
		return 0;
	if (dump->pause_ms)
		msleep(dump->pause_ms);
	count = min_t(size_t, count, dump->size - offset);
	memcpy(buffer, dump->text + offset, count);
	return count;
}

static void foreign_free(void *data)
{
	vfree(data);
}

static struct foreign_dump *foreign_make(size_t size, unsigned int pause_ms)
{
	struct foreign_dump *dump = vmalloc(sizeof(*dump) + size + 1);
	u64 now_ns = ktime_get_ns();
	size_t at;

	if (!dump)
		return NULL;
	dump->pause_ms = pause_ms;
	dump->size = size;
	at = scnprintf(dump->text, size,
		       "**** AMDGPU Device Coredump ****\nversion: 1\nkernel: %s\nmodule: amdgpu\ntime: %llu.%09llu\nprocess_name: %s TGID: %d thread: %s PID: %d\n",
		       init_utsname()->release, now_ns / NSEC_PER_SEC, now_ns % NSEC_PER_SEC,
		       current->group_leader->comm, current->tgid, current->comm, current->pid);
	while (at < size)
		at += scnprintf(dump->text + at, size + 1 - at, "register 0x%08zx: 0x%08zx\n", at,
				at * 2654435761U);
	return dump;
}

static int foreign_set(const char *words, const struct kernel_param *param)
{
	unsigned int number, kib, pause_ms;
	struct foreign_dump *dump;

	if (sscanf(words, "%u %u %u", &number, &kib, &pause_ms) != 3 || number >= DEVICES ||
	    !kib || kib > MAX_KIB)
		return -EINVAL;
	if (!foreign_devices[number])
		return -ENODEV;
	dump = foreign_make((size_t)kib * 1024, pause_ms);
	if (!dump)
		return -ENOMEM;
	dev_coredumpm(&foreign_devices[number]->dev, THIS_MODULE, dump, dump->size, GFP_KERNEL,
		      foreign_read, foreign_free);
	return 0;
}

static const struct kernel_param_ops foreign_ops = { .set = foreign_set };
module_param_cb(dump, &foreign_ops, NULL, 0200);
MODULE_PARM_DESC(dump, "NUMBER KIBIBYTES PAUSE: make a dump");

static void foreign_remove(void)
{
	int i;

	for (i = 0; i < DEVICES; i++) {
		if (foreign_devices[i])
			platform_device_unregister(foreign_devices[i]);
		foreign_devices[i] = NULL;
	}
	platform_driver_unregister(&foreign_other);
	platform_driver_unregister(&foreign_gpu);
}

static int __init foreign_init(void)
{
	struct platform_device *device;
	int i, ret = platform_driver_register(&foreign_gpu);

	if (ret)
		return ret;
	ret = platform_driver_register(&foreign_other);
	if (ret) {
		platform_driver_unregister(&foreign_gpu);
		return ret;
	}
	for (i = 0; i < DEVICES; i++) {
		device = platform_device_register_simple(i < GPUS ? "amdgpu" : "foreign_other", i,
							 NULL, 0);
		if (IS_ERR(device)) {
			foreign_remove();
			return PTR_ERR(device);
		}
		foreign_devices[i] = device;
	}
	return 0;
}

static void __exit foreign_exit(void)
{
	foreign_remove();
}

module_init(foreign_init);
module_exit(foreign_exit);
MODULE_DESCRIPTION("Dumps for the tests of the collector");
MODULE_LICENSE("GPL");
MODULE_INFO(test, "Y");
