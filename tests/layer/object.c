// SPDX-License-Identifier: MIT
/* The layer's table of objects, against an array that says what should be in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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

static struct object child_of(const struct object *parent, uint32_t i)
{
	return (struct object){
		.type = VK_OBJECT_TYPE_BUFFER,
		.handle = 0x1000 + i,
		.parent_type = parent->type,
		.parent = parent->handle,
	};
}

/* As many wait as may, those that end make room, and the list goes where the parent goes. */
static void test_waiting(void **state)
{
	struct object parent = { .type = VK_OBJECT_TYPE_DEVICE_MEMORY, .handle = 1 };
	struct objects *objects = objects_new();
	struct object child, found, other;
	struct waiting *waiting;
	uint32_t i, count;

	(void)state;
	assert_non_null(objects);
	objects_set(objects, &parent);
	for (i = 0; i < WAITING_MAX + 1; i++) {
		child = child_of(&parent, i);
		assert_int_equal(objects_wait(objects, &child, &found), i < WAITING_MAX);
		assert_int_equal(found.handle, parent.handle);
	}
	objects_remove(objects, VK_OBJECT_TYPE_BUFFER, 0x1000);
	assert_true(objects_wait(objects, &child, &found));
	for (i = 0; i < HANDLES; i++) {
		other = object_of(i);
		objects_set(objects, &other);
	}
	objects_set(objects, &parent);

	waiting = objects_take_waiting(objects, parent.type, parent.handle, &count);
	assert_non_null(waiting);
	assert_int_equal(count, WAITING_MAX);
	for (i = 0; i < count; i++)
		assert_int_not_equal(waiting[i].handle, 0x1000);
	free(waiting);
	assert_null(objects_take_waiting(objects, parent.type, parent.handle, &count));
	assert_int_equal(count, 0);
	objects_free(objects);
}

/* Nobody waits for one that has an address, or that is not there. */
static void test_not_waiting(void **state)
{
	struct object parent = { .type = VK_OBJECT_TYPE_DEVICE_MEMORY, .handle = 1 };
	struct object child = child_of(&parent, 0), found;
	struct objects *objects = objects_new();

	(void)state;
	assert_non_null(objects);
	assert_false(objects_wait(objects, &child, &found));
	assert_int_equal(found.address, 0);
	objects_set(objects, &parent);
	assert_true(objects_wait(objects, &child, &found));
	assert_true(objects_locate(objects, parent.type, parent.handle, 0x1000));
	assert_false(objects_locate(objects, parent.type, parent.handle, 0x2000));
	assert_false(objects_wait(objects, &child, &found));
	assert_int_equal(found.address, 0x1000);
	/* With its list. */
	objects_remove(objects, parent.type, parent.handle);
	objects_remove(objects, child.type, child.handle);
	objects_free(objects);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_changes),
		cmocka_unit_test(test_report),
		cmocka_unit_test(test_waiting),
		cmocka_unit_test(test_not_waiting),
	};

	return cmocka_run_group_tests_name("objects of the layer", tests, NULL, NULL);
}
