// SPDX-License-Identifier: MIT
/*
 * What faults mean: small histories, a fault in each, and what must come out. Every case
 * is judged three times: from the live history, from an exported one, and from a dump.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "drmfault_verdict.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define MS		  UINT64_C(1000000)
#define K		  UINT64_C(1024)
#define STEPS		  8
#define FORGETFUL	  2

enum {
	COMMAND_BUFFER = 6,
	DEVICE = 3,
	MEMORY = 8,
	BUFFER = 9,
	IMAGE = 10,
	PIPELINE = 19,
};

static const struct drmfault_object_type types[] = {
	{ COMMAND_BUFFER, DRMFAULT_TRAIT_COMMANDS, "VkCommandBuffer" },
	{ DEVICE, DRMFAULT_TRAIT_DRIVER, "VkDevice" },
	{ MEMORY, DRMFAULT_TRAIT_MEMORY, "VkDeviceMemory" },
	{ BUFFER, 0, "VkBuffer" },
	{ IMAGE, 0, "VkImage" },
	{ PIPELINE, DRMFAULT_TRAIT_CODE, "VkPipeline" },
};

enum what { END, BIND, UNBIND, DESTROY, NAME };

struct step {
	enum what what;
	uint32_t type;
	uint64_t object;
	uint64_t address;
	uint64_t length;
	uint64_t ms;
	uint32_t flags;
	const char *name;
};

struct verdict_case {
	const char *title;
	struct step steps[STEPS];
	/* Types, history and width are the same for all. */
	struct drmfault_verdict_args fault;
	enum drmfault_verdict_kind kind;
	enum drmfault_verdict_reason reason;
	enum drmfault_confidence confidence;
	const char *text;
	/* Another candidate that must be there, if any. */
	enum drmfault_verdict_kind other;
	const char *other_text;
};

#define READ	DRMFAULT_ACCESS_READ
#define WRITE	DRMFAULT_ACCESS_WRITE
#define EXECUTE DRMFAULT_ACCESS_EXECUTE
#define ATOMIC	DRMFAULT_ACCESS_ATOMIC
#define LOW	DRMFAULT_CONFIDENCE_LOW
#define MEDIUM	DRMFAULT_CONFIDENCE_MEDIUM
#define HIGH	DRMFAULT_CONFIDENCE_HIGH

#define AT(where, exact, how, when) \
	.address = (where), .precision = (exact), .access = (how), .time_ns = (when)*MS

static const struct verdict_case cases[] = {
	{
		"destroyed",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { NAME, BUFFER, 1, 0, 0, 0, 0, "particles" },
		  { DESTROY, BUFFER, 1, 0, 0, 50, 0, NULL } },
		{ AT(0x100040, 4, WRITE, 53) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_DESTROYED,
		HIGH,
		"write to VkBuffer \"particles\" at 0x40 to 0x43, freed 3.0 ms earlier",
		0,
		NULL,
	},
	{
		"unbound, name before the bind",
		{ { NAME, BUFFER, 1, 0, 0, 0, 0, "particles" },
		  { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { UNBIND, BUFFER, 1, 0x100000, 0x1000, 50, 0, NULL } },
		{ AT(0x100fff, 1, READ, 1050) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_UNBOUND,
		HIGH,
		"read of VkBuffer \"particles\" at 0xfff, unbound 1.0 s earlier",
		0,
		NULL,
	},
	{
		"buffer before its memory, both ended",
		{ { BIND, MEMORY, 2, 0x100000, 0x10000, 9, 0, NULL },
		  { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { DESTROY, BUFFER, 1, 0, 0, 50, 0, NULL },
		  { DESTROY, MEMORY, 2, 0, 0, 51, 0, NULL } },
		{ AT(0x100040, 1, WRITE, 53) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_DESTROYED,
		HIGH,
		"write to VkBuffer 0x1 at 0x40, freed 3.0 ms earlier",
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		"write to VkDeviceMemory 0x2 at 0x40, freed 2.0 ms earlier",
	},
	{
		"memory freed below a buffer",
		{ { BIND, MEMORY, 2, 0x100000, 0x10000, 9, 0, NULL },
		  { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { DESTROY, MEMORY, 2, 0, 0, 50, 0, NULL } },
		{ AT(0x100040, 1, WRITE, 53) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_MEMORY_ENDED,
		HIGH,
		"write to VkBuffer 0x1 at 0x40, whose memory was freed 3.0 ms earlier",
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		"write to VkDeviceMemory 0x2 at 0x40, freed 3.0 ms earlier",
	},
	{
		"the newest of those that had the address",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { UNBIND, BUFFER, 1, 0x100000, 0x1000, 20, 0, NULL },
		  { BIND, BUFFER, 2, 0x100000, 0x1000, 30, 0, NULL },
		  { UNBIND, BUFFER, 2, 0x100000, 0x1000, 40, 0, NULL } },
		{ AT(0x100000, 1, READ, 41) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_UNBOUND,
		HIGH,
		"read of VkBuffer 0x2 at 0x0, unbound 1.0 ms earlier",
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		"read of VkBuffer 0x1 at 0x0, unbound 21 ms earlier",
	},
	{
		"ended only after the fault",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { DESTROY, BUFFER, 1, 0, 0, 50, 0, NULL } },
		{ AT(0x100040, 1, WRITE, 49) },
		DRMFAULT_VERDICT_STILL_BOUND,
		DRMFAULT_REASON_BOUND,
		LOW,
		"write to VkBuffer 0x1 at 0x40, which was bound",
		0,
		NULL,
	},
	{
		"right past the end",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, "grid" },
		  { NAME, BUFFER, 1, 0, 0, 0, 0, "grid" } },
		{ AT(0x101000, 1, WRITE, 50) },
		DRMFAULT_VERDICT_OUT_OF_BOUNDS,
		DRMFAULT_REASON_PAST_END,
		HIGH,
		"write right past the end of VkBuffer \"grid\"",
		DRMFAULT_VERDICT_NEVER_BOUND,
		"write at address 0x101000, where nothing is known to have been",
	},
	{
		"0x40 past the end, of the nearer of two",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { NAME, BUFFER, 1, 0, 0, 0, 0, "particles" },
		  { BIND, BUFFER, 2, 0x102000, 0x1000, 10, 0, NULL } },
		{ AT(0x101040, 1, WRITE, 50) },
		DRMFAULT_VERDICT_OUT_OF_BOUNDS,
		DRMFAULT_REASON_PAST_END,
		HIGH,
		"write 0x40 past the end of VkBuffer \"particles\"",
		DRMFAULT_VERDICT_OUT_OF_BOUNDS,
		"write 0xfc0 before the start of VkBuffer 0x2",
	},
	{
		"0x40 past the end of one that had ended",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { NAME, BUFFER, 1, 0, 0, 0, 0, "particles" },
		  { DESTROY, BUFFER, 1, 0, 0, 50, 0, NULL } },
		{ AT(0x101040, 1, WRITE, 53) },
		DRMFAULT_VERDICT_OUT_OF_BOUNDS,
		DRMFAULT_REASON_PAST_END,
		HIGH,
		"write 0x40 past the end of VkBuffer \"particles\", freed 3.0 ms earlier",
		DRMFAULT_VERDICT_NEVER_BOUND,
		NULL,
	},
	{
		"in front of an object, nothing below",
		{ { BIND, IMAGE, 1, 0x100000, 0x1000, 10, 0, NULL } },
		{ AT(0xffff0, 16, READ, 50) },
		DRMFAULT_VERDICT_OUT_OF_BOUNDS,
		DRMFAULT_REASON_BEFORE_START,
		MEDIUM,
		"read 0x1 to 0x10 before the start of VkImage 0x1",
		0,
		NULL,
	},
	{
		"a page behind a buffer that ends with a page",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL } },
		{ AT(0x101000, 4 * K, WRITE, 50) },
		DRMFAULT_VERDICT_OUT_OF_BOUNDS,
		DRMFAULT_REASON_PAST_END,
		HIGH,
		"write 0x0 to 0xfff past the end of VkBuffer 0x1",
		0,
		NULL,
	},
	{
		"a page with the end of one and the start of another",
		{ { BIND, BUFFER, 1, 0x100000, 0x1800, 10, 0, NULL },
		  { BIND, BUFFER, 2, 0x101c00, 0x1000, 10, 0, NULL } },
		{ AT(0x101000, 4 * K, WRITE, 50) },
		DRMFAULT_VERDICT_OUT_OF_BOUNDS,
		DRMFAULT_REASON_PAST_END,
		HIGH,
		"write 0x0 to 0x7ff past the end of VkBuffer 0x1",
		DRMFAULT_VERDICT_OUT_OF_BOUNDS,
		"write 0x1 to 0xc00 before the start of VkBuffer 0x2",
	},
	{
		"one of which the page has only the last byte had ended",
		{ { BIND, BUFFER, 1, 0x100000, 0x1001, 10, 0, NULL },
		  { DESTROY, BUFFER, 1, 0, 0, 40, 0, NULL } },
		{ AT(0x101234, 4 * K, READ, 50) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_DESTROYED,
		MEDIUM,
		"read of VkBuffer 0x1 at 0x1000, freed 10 ms earlier",
		0,
		NULL,
	},
	{
		"far from everything",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL } },
		{ AT(0x200000000000, 4 * K, READ, 50) },
		DRMFAULT_VERDICT_NEVER_BOUND,
		DRMFAULT_REASON_UNKNOWN_ADDRESS,
		HIGH,
		"read at address 0x200000000000 to 0x200000000fff, where nothing is known to have "
		"been",
		DRMFAULT_VERDICT_OUT_OF_BOUNDS,
		NULL,
	},
	{
		"no history at all",
		{ { END, 0, 0, 0, 0, 0, 0, NULL } },
		{ AT(0x100000, 1, DRMFAULT_ACCESS_UNKNOWN, 50) },
		DRMFAULT_VERDICT_NEVER_BOUND,
		DRMFAULT_REASON_UNKNOWN_ADDRESS,
		LOW,
		"access at address 0x100000, where nothing is known to have been",
		0,
		NULL,
	},
	{
		"null",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL } },
		{ AT(0x18, 8, READ, 50) },
		DRMFAULT_VERDICT_NULL,
		DRMFAULT_REASON_NEAR_NULL,
		HIGH,
		"read at address 0x18 to 0x1f, null or close to it",
		DRMFAULT_VERDICT_NEVER_BOUND,
		NULL,
	},
	{
		"null, less a little",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL } },
		{ AT(0xfffffffffff0, 16, READ, 50) },
		DRMFAULT_VERDICT_NULL,
		DRMFAULT_REASON_NEAR_NULL,
		HIGH,
		"read at address 0xfffffffffffffff0 to 0xffffffffffffffff, null or close to it",
		0,
		NULL,
	},
	{
		"an object where null would be",
		{ { BIND, BUFFER, 1, 0x1000, 0x1000, 10, 0, NULL },
		  { UNBIND, BUFFER, 1, 0x1000, 0x1000, 20, 0, NULL } },
		{ AT(0x1008, 8, READ, 50) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_UNBOUND,
		HIGH,
		NULL,
		DRMFAULT_VERDICT_NULL,
		NULL,
	},
	{
		"a write to what is read-only",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, DRMFAULT_BINDING_READ_ONLY, NULL } },
		{ AT(0x100000, 4, ATOMIC, 50), .fault_type = DRMFAULT_TYPE_PERMISSION },
		DRMFAULT_VERDICT_PERMISSION,
		DRMFAULT_REASON_READ_ONLY,
		HIGH,
		"atomic access to VkBuffer 0x1 at 0x0 to 0x3, which is read-only",
		0,
		NULL,
	},
	{
		"a read of what is read-only",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, DRMFAULT_BINDING_READ_ONLY, NULL } },
		{ AT(0x100000, 4, READ, 50) },
		DRMFAULT_VERDICT_STILL_BOUND,
		DRMFAULT_REASON_BOUND,
		LOW,
		NULL,
		0,
		NULL,
	},
	{
		"execution of a buffer",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL } },
		{ AT(0x100100, 8, EXECUTE, 50), .fault_type = DRMFAULT_TYPE_PERMISSION },
		DRMFAULT_VERDICT_PERMISSION,
		DRMFAULT_REASON_NOT_CODE,
		HIGH,
		"instruction fetch from VkBuffer 0x1 at 0x100 to 0x107, which is no code",
		0,
		NULL,
	},
	{
		"what the GPU calls a permission",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL } },
		{ AT(0x100100, 8, WRITE, 50), .fault_type = DRMFAULT_TYPE_PERMISSION },
		DRMFAULT_VERDICT_PERMISSION,
		DRMFAULT_REASON_GPU_SAID,
		HIGH,
		"write to VkBuffer 0x1 at 0x100 to 0x107, which does not allow it",
		0,
		NULL,
	},
	{
		"a hole in a sparse image",
		{ { BIND, IMAGE, 1, 0x100000, 0x100000, 10, DRMFAULT_BINDING_SPARSE, NULL },
		  { BIND, MEMORY, 2, 0x100000, 0x10000, 11, 0, NULL } },
		{ AT(0x120000, 4 * K, READ, 50) },
		DRMFAULT_VERDICT_SPARSE_HOLE,
		DRMFAULT_REASON_NO_MEMORY,
		HIGH,
		"read of VkImage 0x1 at 0x20000 to 0x20fff, which has no memory there",
		0,
		NULL,
	},
	{
		"no hole in a sparse image",
		{ { BIND, IMAGE, 1, 0x100000, 0x100000, 10, DRMFAULT_BINDING_SPARSE, NULL },
		  { BIND, MEMORY, 2, 0x100000, 0x10000, 11, 0, NULL } },
		{ AT(0x101000, 4 * K, READ, 50) },
		DRMFAULT_VERDICT_STILL_BOUND,
		DRMFAULT_REASON_BOUND,
		LOW,
		"read of VkImage 0x1 at 0x1000 to 0x1fff, which was bound",
		0,
		NULL,
	},
	{
		"bound after the fault",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 60, 0, NULL },
		  { BIND, BUFFER, 2, 0x900000000, 0x1000, 10, 0, NULL } },
		{ AT(0x100100, 8, WRITE, 50) },
		DRMFAULT_VERDICT_NEVER_BOUND,
		DRMFAULT_REASON_UNKNOWN_ADDRESS,
		HIGH,
		NULL,
		DRMFAULT_VERDICT_NOT_YET_BOUND,
		"write to VkBuffer 0x1 at 0x100 to 0x107, bound 10 ms later",
	},
	{
		"bound for the driver",
		{ { BIND, MEMORY, 1, 0x100000, 0x1000, 10, DRMFAULT_BINDING_INTERNAL, NULL } },
		{ AT(0x100100, 8, WRITE, 50) },
		DRMFAULT_VERDICT_INTERNAL,
		DRMFAULT_REASON_OF_DRIVER,
		MEDIUM,
		"write to VkDeviceMemory 0x1 at 0x100 to 0x107, which is the driver's own",
		0,
		NULL,
	},
	{
		"had been bound to the device",
		{ { BIND, DEVICE, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { UNBIND, DEVICE, 1, 0x100000, 0x1000, 40, 0, NULL } },
		{ AT(0x100100, 8, WRITE, 50) },
		DRMFAULT_VERDICT_INTERNAL,
		DRMFAULT_REASON_UNBOUND,
		MEDIUM,
		"write to VkDevice 0x1 at 0x100 to 0x107, unbound 10 ms earlier, which is the "
		"driver's own",
		0,
		NULL,
	},
	{
		"ended, and the address is another's now",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { DESTROY, BUFFER, 1, 0, 0, 20, 0, NULL },
		  { BIND, BUFFER, 2, 0x100000, 0x1000, 30, 0, NULL } },
		{ AT(0x100100, 8, WRITE, 50) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_DESTROYED,
		MEDIUM,
		NULL,
		DRMFAULT_VERDICT_STILL_BOUND,
		NULL,
	},
	{
		"high addresses, as the kernel and as Vulkan have them",
		{ { BIND, BUFFER, 1, 0xffff800000202000, 0x1000, 10, 0, NULL },
		  { NAME, BUFFER, 1, 0, 0, 0, 0, "high" } },
		{ AT(0x800000203040, 4, WRITE, 50) },
		DRMFAULT_VERDICT_OUT_OF_BOUNDS,
		DRMFAULT_REASON_PAST_END,
		HIGH,
		"write 0x40 to 0x43 past the end of VkBuffer \"high\"",
		0,
		NULL,
	},
	{
		"the last page of all",
		{ { BIND, BUFFER, 1, 0xfffffffff000, 0x1000, 10, 0, NULL },
		  { DESTROY, BUFFER, 1, 0, 0, 40, 0, NULL } },
		{ AT(0xffffffffffff, 4 * K, WRITE, 50) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_DESTROYED,
		HIGH,
		"write to VkBuffer 0x1 at 0x0 to 0xfff, freed 10 ms earlier",
		DRMFAULT_VERDICT_NULL,
		NULL,
	},
	{
		"nobody knows when",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { DESTROY, BUFFER, 1, 0, 0, 20, 0, NULL } },
		{ AT(0x100000, 1, WRITE, 0) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_DESTROYED,
		MEDIUM,
		"write to VkBuffer 0x1 at 0x0, freed before",
		0,
		NULL,
	},
	{
		"a precision that cannot be",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { DESTROY, BUFFER, 1, 0, 0, 40, 0, NULL } },
		{ AT(0x100010, UINT64_C(1) << 63, WRITE, 50) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_DESTROYED,
		HIGH,
		"write to VkBuffer 0x1 at 0x10, freed 10 ms earlier",
		0,
		NULL,
	},
	{
		"an instruction in a pipeline",
		{ { BIND, MEMORY, 2, 0x100000, 0x10000, 9, 0, NULL },
		  { BIND, PIPELINE, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { NAME, PIPELINE, 1, 0, 0, 0, 0, "shade\n" } },
		{ AT(0x100040, 1, WRITE, 50), .is_instruction = true },
		DRMFAULT_VERDICT_CODE,
		DRMFAULT_REASON_BOUND,
		HIGH,
		"instruction pointer in VkPipeline \"shade?\" at 0x40",
		DRMFAULT_VERDICT_STILL_BOUND,
		NULL,
	},
	{
		"an instruction in a command buffer",
		{ { BIND, COMMAND_BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL } },
		{ AT(0x100040, 8, READ, 50), .is_instruction = true },
		DRMFAULT_VERDICT_CODE,
		DRMFAULT_REASON_BOUND,
		HIGH,
		"instruction pointer in VkCommandBuffer 0x1 at 0x40 to 0x47",
		0,
		NULL,
	},
	{
		"an instruction in a pipeline that had ended",
		{ { BIND, PIPELINE, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { DESTROY, PIPELINE, 1, 0, 0, 49, 0, NULL } },
		{ AT(0x100040, 1, READ, 50), .is_instruction = true },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_DESTROYED,
		HIGH,
		"instruction pointer in VkPipeline 0x1 at 0x40, freed 1.0 ms earlier",
		0,
		NULL,
	},
	{
		"an instruction behind a buffer",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL } },
		{ AT(0x101000, 1, READ, 50), .is_instruction = true },
		DRMFAULT_VERDICT_NEVER_BOUND,
		DRMFAULT_REASON_UNKNOWN_ADDRESS,
		LOW,
		"instruction pointer at address 0x101000, where nothing is known to have been",
		0,
		NULL,
	},
	{
		"a type that nobody knows",
		{ { BIND, 4711, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { UNBIND, 4711, 1, 0x100000, 0x1000, 50, 0, NULL } },
		{ AT(0x100000, 1, READ, 51) },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_UNBOUND,
		HIGH,
		"read of an object of type 4711, 0x1 at 0x0, unbound 1.0 ms earlier",
		0,
		NULL,
	},
};

static void take_step(struct drmfault_bindings *bindings, const struct step *step)
{
	const struct drmfault_binding_event event = {
		.size = sizeof(event),
		.address = step->address,
		.length = step->length,
		.time_ns = step->ms * MS,
		.object = step->object,
		.object_type = step->type,
		.flags = step->flags,
	};
	int ret = 0;

	if (step->what == BIND)
		ret = drmfault_bindings_bind(bindings, &event);
	else if (step->what == UNBIND)
		ret = drmfault_bindings_unbind(bindings, &event);
	else if (step->what == DESTROY)
		ret = drmfault_bindings_destroy(bindings, step->type, step->object, event.time_ns);
	else if (step->what == NAME)
		ret = drmfault_bindings_name(bindings, step->type, step->object, step->name);
	assert_int_equal(ret, 0);
}

static struct drmfault_bindings *history_of(const struct verdict_case *c)
{
	const struct drmfault_bindings_args args = { .size = sizeof(args), .address_bits = 48 };
	struct drmfault_bindings *bindings;
	size_t i;

	assert_int_equal(drmfault_bindings_new(&args, &bindings), 0);
	for (i = 0; i < STEPS; i++)
		take_step(bindings, &c->steps[i]);
	return bindings;
}

static struct drmfault_bindings *imported(struct drmfault_bindings *from)
{
	const struct drmfault_bindings_args args = { .size = sizeof(args), .address_bits = 48 };
	struct drmfault_binding_list *list;
	struct drmfault_bindings *bindings;

	assert_int_equal(drmfault_bindings_new(&args, &bindings), 0);
	assert_int_equal(drmfault_bindings_export(from, &list), 0);
	assert_int_equal(drmfault_bindings_import(bindings, drmfault_binding_list_bindings(list),
						  drmfault_binding_list_count(list)),
			 0);
	drmfault_binding_list_free(list);
	return bindings;
}

/* Through the bytes of a dump. */
static struct drmfault_bindings *dumped(struct drmfault_bindings *from)
{
	const struct drmfault_dump_device device = { .size = sizeof(device), .address_bits = 48 };
	struct drmfault_dump_content content = { .size = sizeof(content), .device = &device };
	struct drmfault_binding_list *list;
	struct drmfault_bindings *bindings;
	struct drmfault_dump *dump;
	uint8_t bytes[4096];
	uint64_t size;

	assert_int_equal(drmfault_bindings_export(from, &list), 0);
	content.bindings = drmfault_binding_list_bindings(list);
	content.binding_count = drmfault_binding_list_count(list);
	assert_int_equal(drmfault_dump_write(&content, bytes, sizeof(bytes), &size), 0);
	assert_true(size <= sizeof(bytes));
	drmfault_binding_list_free(list);
	assert_int_equal(drmfault_dump_open_memory(bytes, size, &dump), 0);
	assert_int_equal(drmfault_bindings_from_dump(dump, &bindings), 0);
	drmfault_dump_free(dump);
	return bindings;
}

static void check_other(const struct drmfault_verdict *verdict, const struct verdict_case *c)
{
	struct drmfault_verdict_candidate candidate = { .size = sizeof(candidate) };
	size_t i;

	for (i = 1; !drmfault_verdict_candidate(verdict, i, &candidate); i++)
		if (candidate.kind == c->other &&
		    (!c->other_text || !strcmp(drmfault_verdict_text(verdict, i), c->other_text)))
			return;
	for (i = 0; i < drmfault_verdict_count(verdict); i++)
		print_message("# %s\n", drmfault_verdict_text(verdict, i));
	fail_msg("%s: no such candidate: %s", c->title, c->other_text ? c->other_text : "");
}

static void check(struct drmfault_bindings *bindings, const struct verdict_case *c)
{
	struct drmfault_verdict_candidate best = { .size = sizeof(best) }, next = best;
	struct drmfault_verdict_args args = c->fault;
	struct drmfault_verdict *verdict;
	size_t i;

	args.size = sizeof(args);
	args.types = types;
	args.type_count = ARRAY_SIZE(types);
	assert_int_equal(drmfault_verdict_make(bindings, &args, &verdict), 0);
	assert_int_equal(drmfault_verdict_candidate(verdict, 0, &best), 0);
	if (c->text && strcmp(drmfault_verdict_text(verdict, 0), c->text))
		fail_msg("%s: %s", c->title, drmfault_verdict_text(verdict, 0));
	if (best.kind != c->kind || best.reason != c->reason || best.confidence != c->confidence)
		fail_msg("%s: %s, %s, %s", c->title, drmfault_verdict_kind_name(best.kind),
			 drmfault_verdict_reason_name(best.reason),
			 drmfault_confidence_name(best.confidence));
	if (c->other)
		check_other(verdict, c);
	for (i = 1; !drmfault_verdict_candidate(verdict, i, &next); i++) {
		assert_true(next.confidence <= best.confidence);
		best = next;
	}
	assert_int_equal(i, drmfault_verdict_count(verdict));
	drmfault_verdict_free(verdict);
}

static void every_kind(void **state)
{
	struct drmfault_bindings *bindings, *again;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		bindings = history_of(&cases[i]);
		check(bindings, &cases[i]);
		again = imported(bindings);
		check(again, &cases[i]);
		drmfault_bindings_free(again);
		again = dumped(bindings);
		check(again, &cases[i]);
		drmfault_bindings_free(again);
		drmfault_bindings_free(bindings);
	}
}

static void every_kind_is_among_the_cases(void **state)
{
	uint32_t kind;
	size_t i;

	(void)state;
	for (kind = 1; drmfault_verdict_kind_name(kind); kind++) {
		for (i = 0; i < ARRAY_SIZE(cases); i++)
			if (cases[i].kind == kind || cases[i].other == kind)
				break;
		assert_true(i < ARRAY_SIZE(cases));
	}
	assert_int_equal(kind, DRMFAULT_VERDICT_CODE + 1);
}

/* What was forgotten is said, and takes from the confidence. */
static void forgotten_ones_are_said(void **state)
{
	const struct drmfault_bindings_args args = { .size = sizeof(args), .past_count = 1 };
	struct drmfault_verdict_args fault = {
		.size = sizeof(fault), .address = 0x900000000, .precision = 1, .time_ns = 60 * MS
	};
	struct drmfault_verdict_candidate best = { .size = sizeof(best) };
	struct drmfault_bindings *bindings;
	struct drmfault_verdict *verdict;
	uint64_t i;

	(void)state;
	assert_int_equal(drmfault_bindings_new(&args, &bindings), 0);
	for (i = 1; i <= 1 + FORGETFUL; i++) {
		const struct step bind = { BIND, BUFFER, i, i << 20, 4096, i, 0, NULL };
		const struct step unbind = { UNBIND, BUFFER, i, i << 20, 4096, i + 1, 0, NULL };

		take_step(bindings, &bind);
		take_step(bindings, &unbind);
	}
	assert_int_equal(drmfault_verdict_make(bindings, &fault, &verdict), 0);
	assert_int_equal(drmfault_verdict_incomplete(verdict), FORGETFUL);
	assert_int_equal(drmfault_verdict_candidate(verdict, 0, &best), 0);
	assert_int_equal(best.confidence, LOW);
	assert_string_equal(drmfault_verdict_text(verdict, 0),
			    "access at address 0x900000000, where nothing is known to have been "
			    "(2 older bindings are forgotten)");
	drmfault_verdict_free(verdict);
	drmfault_bindings_free(bindings);
}

static void sizes_are_looked_at(void **state)
{
	struct {
		struct drmfault_verdict_args args;
		uint64_t newer;
	} newer = { .args = { .size = sizeof(newer), .address = 1 }, .newer = 1 };
	struct drmfault_verdict_candidate best = {
		.size = offsetof(struct drmfault_verdict_candidate, reason)
	};
	struct drmfault_bindings *bindings;
	struct drmfault_verdict *verdict;

	(void)state;
	assert_int_equal(drmfault_bindings_new(NULL, &bindings), 0);
	assert_int_equal(drmfault_verdict_make(bindings, &newer.args, &verdict), -E2BIG);
	newer.newer = 0;
	assert_int_equal(drmfault_verdict_make(bindings, &newer.args, &verdict), 0);
	best.reason = DRMFAULT_REASON_BOUND;
	assert_int_equal(drmfault_verdict_candidate(verdict, 0, &best), 0);
	assert_int_equal(best.kind, DRMFAULT_VERDICT_NULL);
	assert_int_equal(best.reason, DRMFAULT_REASON_BOUND);
	assert_int_equal(drmfault_verdict_candidate(verdict, 100, &best), -ENOENT);
	assert_null(drmfault_verdict_text(verdict, 100));
	assert_null(drmfault_verdict_kind_name(0));
	assert_null(drmfault_verdict_reason_name(1000));
	assert_null(drmfault_confidence_name(4));
	drmfault_verdict_free(verdict);
	drmfault_verdict_free(NULL);
	drmfault_bindings_free(bindings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind),
		cmocka_unit_test(every_kind_is_among_the_cases),
		cmocka_unit_test(forgotten_ones_are_said),
		cmocka_unit_test(sizes_are_looked_at),
	};

	return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
