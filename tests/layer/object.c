// SPDX-License-Identifier: MIT
/* The layer's table of objects, against an array that says what should be in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "object.h"

#define HANDLES 4096u
#define CHANGES 400000u

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Like pointers, of two types with the same handles. */
static struct object object_of(uint32_t i)
{
	return (struct object){
		.type = i % 2 ? VK_OBJECT_TYPE_BUFFER : VK_OBJECT_TYPE_IMAGE,
		.handle = UINT64_C(0x7f0000000010) + i / 2 * UINT64_C(0x60),
	};
}

static void compare(struct objects *objects, const uint32_t *sizes)
{
	struct object object, found;
	uint32_t i;

	for (i = 0; i < HANDLES; i++) {
		object = object_of(i);
		assert_int_equal(objects_get(objects, object.type, object.handle, &found),
				 sizes[i] != 0);
		if (sizes[i])
			assert_int_equal(found.size, sizes[i]);
	}
}

static void test_changes(void **state)
{
	struct objects *objects = objects_new();
	static uint32_t sizes[HANDLES];
	uint32_t random = 1, done, i;
	struct object object;

	(void)state;
	assert_non_null(objects);
	for (done = 0; done < CHANGES; done++) {
		i = next_random(&random) % HANDLES;
		object = object_of(i);
		/* There are many for a while, then few, so that the table grows and shrinks. */
		if (next_random(&random) % 10 < (done / 50000 % 2 ? 1 : 7)) {
			sizes[i] = done + 1;
			object.size = sizes[i];
			objects_set(objects, &object);
		} else {
			sizes[i] = 0;
			objects_remove(objects, object.type, object.handle);
		}
		if (done % 10000 == 9999)
			compare(objects, sizes);
	}
	objects_free(objects);
}

static void test_report(void **state)
{
	struct objects *objects = objects_new();
	struct object object = object_of(0), found;

	(void)state;
	assert_non_null(objects);
	objects_report(objects, object.type, object.handle, 0x1000, 16);
	objects_report(objects, object.type, object.handle, 0x2000, 32);
	assert_true(objects_get(objects, object.type, object.handle, &found));
	assert_int_equal(found.flags, OBJECT_REPORTED);
	assert_int_equal(found.address, 0x1000);
	assert_int_equal(found.size, 16);
	objects_free(objects);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_report),
	};

	return cmocka_run_group_tests_name("objects of the layer", tests, NULL, NULL);
}
