/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What tests of hooks share, on top of road.h: a GPU that does nothing under the
 * name of a real driver, calls of that driver's functions with prepared
 * arguments, and records compared field by field. Functions return a result of 0
 * or more, or a negative errno.
 *
 *	static const struct hooks_driver driver = {
 *		.module = "amdgpu", .name = "amdgpu", .priv_size = 4096,
 *		.symbols = { "amdgpu:gmc_v9_0_process_interrupt", NULL },
 *	};
 *
 *	FIXTURE(amdgpu) { struct hooks hooks; };
 *	FIXTURE_SETUP(amdgpu) { ASSERT_EQ(0, hooks_setup(&self->hooks, &driver)); }
 *	FIXTURE_TEARDOWN(amdgpu) { hooks_teardown(&self->hooks); }
 *
 *	TEST_F(amdgpu, write)
 *	{
 *		struct drm_fault_record want = hooks_want(&self->hooks);
 *		__u64 entry = hooks_buffer(&self->hooks, 80);
 *
 *		hooks_write(&self->hooks, entry, &iv, sizeof(iv));
 *		ASSERT_EQ(0, hooks_call(&self->hooks, driver.symbols[0], 0,
 *					adev, source, entry));
 *		want.address = 0x1000;
 *		ASSERT_EQ(0, hooks_record(self->hooks.own, &record));
 *		EXPECT_RECORD(&want, &record);
 *		EXPECT_NO_RECORD(self->hooks.own);
 *	}
 */
#ifndef _HOOKS_H_
#define _HOOKS_H_

#include <string.h>

#include "call.h"
#include "road.h"

#define HOOKS_SYMBOLS	48
#define HOOKS_BUFFERS	64

/**
 * struct hooks_driver - what is called
 * @module: that has the functions, loaded by hooks_setup(); NULL: none is
 * @name: &drm_driver.name of the GPU, NULL: no GPU is made
 * @priv_size: bytes of what &drm_file.driver_priv leads to, 0: a page
 * @template: what that is a copy of, NULL: zeros
 * @address_bits: that records will have
 * @symbols: functions that will be called without their bodies, NULL behind the
 *	last; one that begins with '?' may be missing in this kernel
 */
struct hooks_driver {
	const char *module;
	const char *name;
	__u32 priv_size;
	const void *template;
	__u32 address_bits;
	const char *symbols[HOOKS_SYMBOLS];
};

/**
 * struct hooks - a test's set-up
 * @call: DRM_FAULT_CALL_PATH, open
 * @gpu: the GPU, for its addresses
 * @fd: its render node, open
 * @priv: &drm_file.driver_priv of @fd
 * @file: struct drm_file of @fd
 * @client: its number in fdinfo, 0 where the kernel has none
 * @reporter: id of the GPU's reporter
 * @address_bits: &hooks_driver.address_bits
 * @own: FILE stream of @fd
 * @all: DEVICE stream of the GPU
 * @buffers: what hooks_buffer() gave
 * @buffer_count: how many
 */
struct hooks {
	int call;
	struct drm_fault_call_gpu gpu;
	int fd;
	__u64 priv;
	__u64 file;
	__u64 client;
	__u32 reporter;
	__u32 address_bits;
	int own;
	int all;
	struct drm_fault_call_buffer buffers[HOOKS_BUFFERS];
	unsigned int buffer_count;
};

/* Loads what is needed in the right order; says why it fails. */
int hooks_setup(struct hooks *hooks, const struct hooks_driver *driver);
void hooks_teardown(struct hooks *hooks);
/* The parts of hooks_setup() for tests that do more in between. */
int hooks_open(struct hooks *hooks);
int hooks_prepare(struct hooks *hooks, const struct hooks_driver *driver);
int hooks_gpu_add(struct hooks *hooks, const struct hooks_driver *driver);
int hooks_gpu_open(struct hooks *hooks);
/* Takes a file that was open before for its own. */
int hooks_gpu_adopt(struct hooks *hooks, int fd);
/* Opens the render node, no more. */
int hooks_gpu_node(const struct hooks *hooks);
int hooks_gpu_remove(struct hooks *hooks);

/* modprobe, and as rmmod does; nothing happens if it is, or is not, there. */
int hooks_load(const char *module_and_parameters);
int hooks_unload(const char *module);
bool hooks_loaded(const char *module);
/* Address of a function, 0: this kernel has no such. */
__u64 hooks_symbol(struct hooks *hooks, const char *symbol);

/* Up to six arguments, the others 0. */
typedef __u64 hooks_args[DRM_FAULT_CALL_ARGS];
#define HOOKS_ARGS(...)	((hooks_args) { __VA_ARGS__ })

struct drm_fault_call_step hooks_step(const char *symbol, __u64 result, const __u64 *args);
/* As an initialiser in a struct drm_fault_call_make. */
#define HOOKS_STEP(symbol, result, ...) \
	hooks_step(symbol, result, HOOKS_ARGS(__VA_ARGS__))

int hooks_make(struct hooks *hooks, struct drm_fault_call_make *make);
/* One call of a prepared function, whose caller gets @result. */
#define hooks_call(hooks, symbol, result, ...) \
	hooks_make(hooks, &(struct drm_fault_call_make) { \
		.outer = HOOKS_STEP(symbol, result, __VA_ARGS__), \
	})
/* The same from a hard interrupt. */
#define hooks_call_in_irq(hooks, symbol, result, ...) \
	hooks_make(hooks, &(struct drm_fault_call_make) { \
		.outer = HOOKS_STEP(symbol, result, __VA_ARGS__), \
		.flags = DRM_FAULT_CALL_IN_IRQ, \
	})
/* A call that really does what the function does; its result is in *@returned. */
int hooks_run(struct hooks *hooks, const char *symbol, __u64 *returned, const __u64 *args);
/* A tracepoint passed with these arguments; @tracepoint is "module:name". */
int hooks_trace(struct hooks *hooks, const char *tracepoint, const __u64 *args);

/* Address of zeroed memory of the kernel, 0 if there is none. */
__u64 hooks_buffer(struct hooks *hooks, __u64 size);
/* @address may be in the midst of a buffer. */
int hooks_write(struct hooks *hooks, __u64 address, const void *data, size_t size);
int hooks_read(struct hooks *hooks, __u64 address, void *data, size_t size);

/* Sets the offsets; the error of the first that is not there, and says which. */
int hooks_fields(struct hooks *hooks, const char *module,
		 struct drm_fault_call_field *fields, unsigned int count);
/* Writes a member of the structure at @base; its size is the field's, at most 8. */
int hooks_set(struct hooks *hooks, __u64 base, const struct drm_fault_call_field *field,
	      __u64 value);

/* The next record of a stream, -EAGAIN: there is none. */
int hooks_record(int stream, struct drm_fault_record *record);
/* A fault of this process at the GPU with nothing else told, to be filled in. */
struct drm_fault_record hooks_want(const struct hooks *hooks);
/* The same of nobody, as an event with an unknown key gives. */
struct drm_fault_record hooks_want_unowned(const struct hooks *hooks);
/*
 * How many members differ, each printed. Numbers and times that no caller can
 * know are left out: seqno, record_id, group_id, timestamp_ns,
 * last_timestamp_ns, context_id.
 */
int hooks_differ(const struct drm_fault_record *want, const struct drm_fault_record *got);

#define EXPECT_RECORD(want, got)	EXPECT_EQ(0, hooks_differ(want, got))
#define EXPECT_NO_RECORD(stream) \
	do { \
		struct drm_fault_record _none; \
		\
		EXPECT_EQ(-EAGAIN, hooks_record(stream, &_none)); \
	} while (0)

#endif /* _HOOKS_H_ */
