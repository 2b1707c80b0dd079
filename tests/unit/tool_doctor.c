// SPDX-License-Identifier: MIT
/* What drmfault doctor says of machines that are made up below a folder. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "doctor.h"
#include "tool_machine.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* The module knows these minors. */
static struct machine read_machine(const struct reported *reported, size_t count)
{
	struct machine machine = { 0 };

	assert_int_equal(machine_read(fake_sys, &machine), 0);
	if (count) {
		machine.reported = malloc(count * sizeof(*reported));
		assert_non_null(machine.reported);
		memcpy(machine.reported, reported, count * sizeof(*reported));
		machine.reported_count = count;
	}
	return machine;
}

static char *printed(const struct machine *machine)
{
	FILE *terminal = stdout;
	char *text = NULL;
	size_t size;

	stdout = open_memstream(&text, &size);
	assert_int_equal(machine_text(machine), 0);
	fclose(stdout);
	stdout = terminal;
	return text;
}

static void a_covered_machine(void **state)
{
	static const struct reported reported[] = { { 0, "amdgpu" } };
	struct machine machine;
	char *text;

	(void)state;
	fake_card(0, "0000:03:00.0", "amdgpu", true);
	fake_card(1, "0000:05:00.0", "ast", false);
	machine = read_machine(reported, 1);
	assert_int_equal(machine_status(&machine), EXIT_SUCCESS);
	text = printed(&machine);
	assert_non_null(strstr(text,
			       "CARD   DRIVER  BUS           COVERED  GIVES        WHY\n"
			       "card0  amdgpu  0000:03:00.0  yes      fault, hang  by hooks\n"
			       "card1  ast     0000:05:00.0  no GPU   -            it displays, "
			       "and runs no jobs\n\n"));
	free(text);
	machine_free(&machine);
}

static void a_driver_that_reports_itself(void **state)
{
	static const struct reported reported[] = { { -1, "iommu" }, { 2, "own" } };
	struct machine machine;

	(void)state;
	fake_card(2, "own.0", "own-platform", true);
	machine = read_machine(reported, 2);
	assert_int_equal(machine_status(&machine), EXIT_SUCCESS);
	assert_string_equal(card_driver(&machine, &machine.cards[0]), "own");
	machine_free(&machine);
}

static void no_fault_hook_is_not_covered(void **state)
{
	static const struct reported reported[] = { { 0, "xe" }, { 1, "amdgpu" } };
	struct machine machine;
	char *text;

	(void)state;
	fake_card(0, "0000:03:00.0", "xe", true);
	fake_card(1, "0000:04:00.0", "amdgpu", true);
	machine = read_machine(reported, 2);
	assert_int_equal(machine_status(&machine), DOCTOR_NOT_COVERED);
	text = printed(&machine);
	assert_non_null(strstr(text, "  no       hang         no hook that sees faults of xe is "
				     "attached; see below what each of them lacks\n"));
	free(text);
	machine_free(&machine);
}

static const struct {
	const char *driver;
	bool renders;
	int status;
	const char *reason;
} unreported_cases[] = {
	{ "nobody", true, DOCTOR_NOT_COVERED,
	  "no hook knows the driver nobody, and it does not report itself" },
	{ "amdgpu", true, DOCTOR_NOT_COVERED, "drm_fault could not take it in" },
	{ "virtio_gpu", true, DOCTOR_NOT_COVERED,
	  "the GPU is one of the host, which alone sees its faults" },
	{ "vgem", true, DOCTOR_CANNOT_TELL, "it is a GPU without hardware, for tests" },
	{ "bochs", false, DOCTOR_CANNOT_TELL, "it displays, and runs no jobs" },
};

static void gpus_that_nothing_reports(void **state)
{
	struct diagnosis diagnosis;
	struct machine machine;
	uint32_t gives;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(unreported_cases); i++) {
		fake_machine_end(state);
		assert_int_equal(fake_machine_begin(state), 0);
		fake_card(0, "0000:03:00.0", unreported_cases[i].driver,
			  unreported_cases[i].renders);
		machine = read_machine(NULL, 0);
		assert_int_equal(machine_status(&machine), unreported_cases[i].status);
		diagnose_card(&machine, &machine.cards[0], &gives, &diagnosis);
		assert_string_equal(diagnosis.reason, unreported_cases[i].reason);
		assert_int_equal(gives, 0);
		machine_free(&machine);
	}
}

static void without_gpus_it_cannot_tell(void **state)
{
	struct machine machine = read_machine(NULL, 0);
	char *text = printed(&machine);

	(void)state;
	assert_int_equal(machine_status(&machine), DOCTOR_CANNOT_TELL);
	assert_int_equal(strncmp(text, "No GPU has a driver here.\n\n", 27), 0);
	free(text);
	machine_free(&machine);
}

static const struct {
	const char *symbol, *reason, *advice;
} hook_cases[] = {
	{ "gmc_v9", "", "" },
	{ "gmc_v12", "this kernel's amdgpu has no such function",
	  "other hooks give the same: nothing is to be done" },
	{ "update_fault_cache", "it is another one here: int (long int)",
	  "amdgpu: status is missing: install a newer drm_fault, or tell its authors of this "
	  "kernel" },
	{ "pagefault", "the kernel refused: Operation not supported",
	  "use a kernel with CONFIG_KPROBES and CONFIG_KRETPROBES" },
	{ "cat_error", "this kernel's xe has no such function",
	  "xe: fault is missing: install a newer drm_fault, or tell its authors of this kernel" },
	{ "error_state", "i915 is not loaded",
	  "it attaches when that comes: nothing is to be done" },
	{ "io_page_fault", "this kernel's image has no such tracepoint",
	  "other hooks give the same: nothing is to be done" },
	{ "drm_dev_wedged_event", "", "" },
};

static const struct hook *find_hook(const struct hook_list *list, const char *symbol)
{
	size_t i;

	for (i = 0; i < list->hook_count; i++)
		if (!strcmp(list->hooks[i].symbol, symbol))
			return &list->hooks[i];
	fail_msg("no hook %s", symbol);
	return NULL;
}

static void every_state_has_a_reason(void **state)
{
	struct machine machine = read_machine(NULL, 0);
	struct diagnosis diagnosis;
	size_t i;

	(void)state;
	assert_int_equal(machine.hooks.hook_count, fake_hook_count);
	for (i = 0; i < ARRAY_SIZE(hook_cases); i++) {
		diagnosis = diagnose_hook(&machine.hooks,
					  find_hook(&machine.hooks, hook_cases[i].symbol));
		assert_string_equal(diagnosis.reason, hook_cases[i].reason);
		assert_string_equal(diagnosis.advice, hook_cases[i].advice);
	}
	machine_free(&machine);
}

/* A reporter that is there all the same is its driver's own. */
static void hooks_that_are_off(void **state)
{
	static const struct reported reported[] = { { 0, "amdgpu" } };
	struct diagnosis diagnosis;
	struct machine machine;
	uint32_t gives;
	char *text;
	size_t i;

	(void)state;
	for (i = 0; i < fake_hook_count; i++)
		fake_file("off\n", "%s/%s/%s/state", HOOKS_FOLDER, fake_hooks[i].set,
			  fake_hooks[i].symbol);
	fake_card(0, "0000:03:00.0", "amdgpu", true);
	machine = read_machine(NULL, 0);
	assert_int_equal(diagnose_card(&machine, &machine.cards[0], &gives, &diagnosis),
			 NOT_COVERED);
	assert_string_equal(diagnosis.advice, "load drm_fault with hooks=1");
	diagnosis = diagnose_hook(&machine.hooks, &machine.hooks.hooks[0]);
	assert_string_equal(diagnosis.reason, "hooks are switched off");
	text = printed(&machine);
	assert_null(strstr(text, "LAYOUT"));
	free(text);
	machine_free(&machine);
	machine = read_machine(reported, 1);
	assert_int_equal(machine_status(&machine), EXIT_SUCCESS);
	machine_free(&machine);
}

/* Of modules that are not there, or whose hooks are not, nothing is missed. */
static void layouts_that_are_missing(void **state)
{
	struct machine machine = read_machine(NULL, 0);
	char *text = printed(&machine), *part = strstr(text, "\nLayouts that are not known\n");

	(void)state;
	assert_non_null(part);
	assert_non_null(strstr(part, "amdgpu  amdgpu_job.vm    there is no such thing in this "
				     "kernel  what is read there"));
	assert_non_null(strstr(part, "iommu   intel_iommu.cap  it has another size in this "
				     "kernel     faults behind Intel VT-d are counted, and "
				     "not recorded\n"));
	assert_null(strstr(part, "xe_vm"));
	assert_null(strstr(part, "i915"));
	assert_null(strstr(part, "pasid"));
	free(text);
	machine_free(&machine);
}

static void no_types_at_all(void **state)
{
	struct diagnosis diagnosis;
	struct machine machine;

	(void)state;
	fake_file("0\n", "%s/iommu/dmar_fault/checked", HOOKS_FOLDER);
	fake_file("intel_iommu.cap -2\n", "%s/iommu/layout", HOOKS_FOLDER);
	machine = read_machine(NULL, 0);
	diagnosis = diagnose_field(&machine.hooks, &machine.hooks.fields[4]);
	assert_string_equal(machine.hooks.fields[4].set, "iommu");
	assert_non_null(strstr(diagnosis.reason, "CONFIG_DEBUG_INFO_BTF"));
	assert_string_equal(diagnosis.advice,
			    "faults behind Intel VT-d are counted, and not recorded");
	machine_free(&machine);
}

/* Only root may read the sums. */
static void sums_that_are_not_shown(void **state)
{
	struct machine machine;
	char path[256];
	json_t *json;

	(void)state;
	snprintf(path, sizeof(path), "%s/%s/amdgpu/gmc_v9/drops", fake_sys, HOOKS_FOLDER);
	assert_int_equal(unlink(path), 0);
	machine = read_machine(NULL, 0);
	json = hook_json(&machine.hooks, find_hook(&machine.hooks, "gmc_v9"));
	assert_true(json_is_null(json_object_get(json, "hits")));
	json_decref(json);
	json = hook_json(&machine.hooks, find_hook(&machine.hooks, "gmc_v12"));
	assert_int_equal(json_integer_value(json_object_get(json, "drops")), 2);
	json_decref(json);
	machine_free(&machine);
}

static void json_has_the_same(void **state)
{
	static const struct reported reported[] = { { 0, "xe" } };
	struct machine machine;
	json_t *json, *gpu;

	(void)state;
	fake_card(0, "0000:03:00.0", "xe", true);
	machine = read_machine(reported, 1);
	json = machine_json(&machine);
	assert_true(json_is_false(json_object_get(json, "covered")));
	gpu = json_array_get(json_object_get(json, "gpus"), 0);
	assert_true(json_is_false(json_object_get(gpu, "covered")));
	assert_string_equal(json_string_value(json_object_get(gpu, "bus")), "0000:03:00.0");
	assert_int_equal(json_array_size(json_object_get(json, "hooks")), fake_hook_count);
	assert_int_equal(json_array_size(json_object_get(json, "layouts")), 7);
	json_decref(json);
	machine_free(&machine);
}

static void without_the_folder(void **state)
{
	struct machine machine = { 0 };

	(void)state;
	assert_int_equal(machine_read("/nowhere", &machine), -ENOENT);
	machine_free(&machine);
}

#define POINT(function) \
	cmocka_unit_test_setup_teardown(function, fake_machine_begin, fake_machine_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		POINT(a_covered_machine),
		POINT(a_driver_that_reports_itself),
		POINT(no_fault_hook_is_not_covered),
		POINT(gpus_that_nothing_reports),
		POINT(without_gpus_it_cannot_tell),
		POINT(every_state_has_a_reason),
		POINT(hooks_that_are_off),
		POINT(layouts_that_are_missing),
		POINT(no_types_at_all),
		POINT(sums_that_are_not_shown),
		POINT(json_has_the_same),
		cmocka_unit_test(without_the_folder),
	};

	return cmocka_run_group_tests_name("drmfault: doctor", tests, NULL, NULL);
}
