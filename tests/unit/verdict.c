// SPDX-License-Identifier: MIT
/*
 * What faults mean: small histories, a fault in each, and what must come out. Every case
 * is a test of its own, judged three times: from the live history, from an exported one,
 * and from a dump.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "verdict_case.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define FORGETFUL	  2
#define TESTS_MAX	  100

static const struct drmfault_object_type types[] = {
	{ COMMAND_BUFFER, DRMFAULT_TRAIT_COMMANDS, "VkCommandBuffer" },
	{ DEVICE, DRMFAULT_TRAIT_DRIVER, "VkDevice" },
	{ MEMORY, DRMFAULT_TRAIT_MEMORY, "VkDeviceMemory" },
	{ BUFFER, 0, "VkBuffer" },
	{ IMAGE, 0, "VkImage" },
	{ PIPELINE, DRMFAULT_TRAIT_CODE, "VkPipeline" },
};

static const struct verdict_cases *const all[] = {
	&verdict_ended, &verdict_beside, &verdict_inside, &verdict_address, &verdict_instruction,
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

static uint32_t bits_of(const struct verdict_case *c)
{
	return c->fault.address_bits ? c->fault.address_bits : 48;
}

static struct drmfault_bindings *history_new(const struct verdict_case *c)
{
	const struct drmfault_bindings_args args = {
		.size = sizeof(args),
		.address_bits = bits_of(c),
	};
	struct drmfault_bindings *bindings;

	assert_int_equal(drmfault_bindings_new(&args, &bindings), 0);
	return bindings;
}

static struct drmfault_bindings *history_of(const struct verdict_case *c)
{
	struct drmfault_bindings *bindings = history_new(c);
	size_t i;

	for (i = 0; i < STEPS; i++)
		take_step(bindings, &c->steps[i]);
	return bindings;
}

static struct drmfault_bindings *imported(const struct verdict_case *c,
					  struct drmfault_bindings *from)
{
	struct drmfault_bindings *bindings = history_new(c);
	struct drmfault_binding_list *list;

	assert_int_equal(drmfault_bindings_export(from, &list), 0);
	assert_int_equal(drmfault_bindings_import(bindings, drmfault_binding_list_bindings(list),
						  drmfault_binding_list_count(list)),
			 0);
	drmfault_binding_list_free(list);
	return bindings;
}

/* Through the bytes of a dump. */
static struct drmfault_bindings *dumped(const struct verdict_case *c,
					struct drmfault_bindings *from)
{
	const struct drmfault_dump_device device = {
		.size = sizeof(device),
		.address_bits = bits_of(c),
	};
	struct drmfault_dump_content content = {
		.size = sizeof(content),
		.device = bits_of(c) == DRMFAULT_ADDRESS_BITS_AUTO ? NULL : &device,
	};
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

static void check_other(const struct drmfault_verdict *verdict, const struct verdict_case *c,
			const char *from)
{
	struct drmfault_verdict_candidate candidate = { .size = sizeof(candidate) };
	size_t i;

	for (i = 1; !drmfault_verdict_candidate(verdict, i, &candidate); i++)
		if (candidate.kind == c->other &&
		    (!c->other_text || !strcmp(drmfault_verdict_text(verdict, i), c->other_text)))
			return;
	for (i = 0; i < drmfault_verdict_count(verdict); i++)
		print_message("# %s\n", drmfault_verdict_text(verdict, i));
	fail_msg("%s: no such candidate: %s, %s", from, drmfault_verdict_kind_name(c->other),
		 c->other_text ? c->other_text : "in any words");
}

/* @from: where the history comes from, for those who read of a failure. */
static void check(struct drmfault_bindings *bindings, const struct verdict_case *c,
		  const char *from)
{
	struct drmfault_verdict_candidate best = { .size = sizeof(best) }, next = best;
	struct drmfault_verdict_args args = c->fault;
	struct drmfault_verdict *verdict;
	size_t i;

	args.size = sizeof(args);
	args.address_bits = 0;
	args.types = types;
	args.type_count = ARRAY_SIZE(types);
	assert_int_equal(drmfault_verdict_make(bindings, &args, &verdict), 0);
	assert_int_equal(drmfault_verdict_candidate(verdict, 0, &best), 0);
	if (c->text && strcmp(drmfault_verdict_text(verdict, 0), c->text))
		fail_msg("%s: %s", from, drmfault_verdict_text(verdict, 0));
	if (best.kind != c->kind || best.reason != c->reason || best.confidence != c->confidence)
		fail_msg("%s: %s, %s, %s", from, drmfault_verdict_kind_name(best.kind),
			 drmfault_verdict_reason_name(best.reason),
			 drmfault_confidence_name(best.confidence));
	if (c->other)
		check_other(verdict, c, from);
	for (i = 1; !drmfault_verdict_candidate(verdict, i, &next); i++) {
		assert_true(next.confidence <= best.confidence);
		best = next;
	}
	assert_int_equal(i, drmfault_verdict_count(verdict));
	drmfault_verdict_free(verdict);
}

static void judge_thrice(void **state)
{
	const struct verdict_case *c = *state;
	struct drmfault_bindings *bindings = history_of(c), *again;

	check(bindings, c, "live");
	again = imported(c, bindings);
	check(again, c, "exported");
	drmfault_bindings_free(again);
	again = dumped(c, bindings);
	check(again, c, "in a dump");
	drmfault_bindings_free(again);
	drmfault_bindings_free(bindings);
}

static bool has_kind(const struct verdict_cases *cases, uint32_t kind)
{
	size_t i;

	for (i = 0; i < cases->count; i++)
		if (cases->cases[i].kind == kind || cases->cases[i].other == kind)
			return true;
	return false;
}

static void every_kind_is_among_the_cases(void **state)
{
	uint32_t kind;
	size_t i;

	(void)state;
	for (kind = 1; drmfault_verdict_kind_name(kind); kind++) {
		for (i = 0; i < ARRAY_SIZE(all) && !has_kind(all[i], kind); i++)
			;
		assert_true(i < ARRAY_SIZE(all));
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
		const struct step bind = BOUND(i, BUFFER, i, i << 20, 4096);
		const struct step unbind = UNBOUND(i + 1, BUFFER, i, i << 20, 4096);

		take_step(bindings, &bind);
		take_step(bindings, &unbind);
	}
	assert_int_equal(drmfault_verdict_make(bindings, &fault, &verdict), 0);
	assert_int_equal(drmfault_verdict_incomplete(verdict), FORGETFUL);
	assert_int_equal(drmfault_verdict_candidate(verdict, 0, &best), 0);
	assert_int_equal(best.confidence, DRMFAULT_CONFIDENCE_LOW);
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

static struct CMUnitTest test_of(const struct verdict_case *c)
{
	return (struct CMUnitTest){
		.name = c->title,
		.test_func = judge_thrice,
		.initial_state = (void *)c,
	};
}

int main(void)
{
	struct CMUnitTest tests[TESTS_MAX] = {
		cmocka_unit_test(every_kind_is_among_the_cases),
		cmocka_unit_test(forgotten_ones_are_said),
		cmocka_unit_test(sizes_are_looked_at),
	};
	size_t i, j, count;

	for (count = 0; tests[count].name; count++)
		;
	for (i = 0; i < ARRAY_SIZE(all); i++)
		for (j = 0; j < all[i]->count; j++) {
			if (count == TESTS_MAX) {
				fputs("more cases than TESTS_MAX\n", stderr);
				return EXIT_FAILURE;
			}
			tests[count++] = test_of(&all[i]->cases[j]);
		}
	/* Those that are left empty do not count. */
	return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
