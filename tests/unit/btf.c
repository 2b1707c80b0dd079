// SPDX-License-Identifier: MIT
/* Type information, of kernel/core: a kernel's and a module's that goes on from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include "kernel/core/btf.h"

#include <cmocka.h>

#define ROOM 4096

/* What is being written: types and strings grow apart, and are joined at the end. */
struct blob {
	u32 types[ROOM / 4];
	u32 words;
	char strings[ROOM];
	u32 length;
	u32 strings_start;
	u32 next;
	char data[2 * ROOM + sizeof(struct btf_header)];
	size_t size;
};

static u32 text(struct blob *b, const char *words)
{
	u32 at = b->length;

	if (!*words)
		return 0;
	memcpy(b->strings + at, words, strlen(words) + 1);
	b->length += strlen(words) + 1;
	return b->strings_start + at;
}

static void word(struct blob *b, u32 value)
{
	b->types[b->words++] = value;
}

static u32 type(struct blob *b, const char *name, u32 kind, u32 vlen, u32 flag, u32 last)
{
	word(b, text(b, name));
	word(b, flag << 31 | kind << 24 | vlen);
	word(b, last);
	return b->next++;
}

static void member(struct blob *b, const char *name, u32 of, u32 offset)
{
	word(b, text(b, name));
	word(b, of);
	word(b, offset);
}

static void param(struct blob *b, u32 of)
{
	word(b, 0);
	word(b, of);
}

static u32 integer(struct blob *b, const char *name, u32 size)
{
	u32 id = type(b, name, BTF_KIND_INT, 0, 0, size);

	word(b, size * 8);
	return id;
}

static void begin(struct blob *b, const struct blob *base)
{
	memset(b, 0, sizeof(*b));
	b->next = base ? base->next : 1;
	b->strings_start = base ? base->strings_start + base->length : 0;
	b->length = base ? 0 : 1;
}

static void end(struct blob *b)
{
	struct btf_header header = {
		.magic = BTF_MAGIC,
		.version = 1,
		.hdr_len = sizeof(header),
		.type_len = b->words * 4,
		.str_off = b->words * 4,
		.str_len = b->length,
	};

	memcpy(b->data, &header, sizeof(header));
	memcpy(b->data + sizeof(header), b->types, header.type_len);
	memcpy(b->data + sizeof(header) + header.str_off, b->strings, b->length);
	b->size = sizeof(header) + header.type_len + b->length;
}

struct fixture {
	struct blob kernel, module;
	struct drm_fault_btf base, btf;
	u32 integer, pointer;
};

/* struct file, u32, and int vfs(const struct file *, u32, ...) */
static void write_kernel(struct fixture *f)
{
	struct blob *b = &f->kernel;
	u32 file, constant, pointer, u32_type, array, proto;

	begin(b, NULL);
	f->integer = integer(b, "unsigned int", 4);
	u32_type = type(b, "u32", BTF_KIND_TYPEDEF, 0, 0, f->integer);
	array = type(b, "", BTF_KIND_ARRAY, 0, 0, 0);
	word(b, u32_type);
	word(b, f->integer);
	word(b, 6);
	file = type(b, "file", BTF_KIND_STRUCT, 2, 0, 32);
	member(b, "mode", u32_type, 0);
	member(b, "words", array, 64);
	constant = type(b, "", BTF_KIND_CONST, 0, 0, file);
	pointer = type(b, "", BTF_KIND_PTR, 0, 0, constant);
	proto = type(b, "", BTF_KIND_FUNC_PROTO, 3, 0, f->integer);
	param(b, pointer);
	param(b, u32_type);
	param(b, 0);
	type(b, "vfs", BTF_KIND_FUNC, 0, 0, proto);
	f->pointer = type(b, "", BTF_KIND_PTR, 0, 0, file);
	end(b);
}

/*
 * struct inner { u32 a; u32 b : 4; union { u32 c; struct file *d; }; };
 * struct outer { struct file *file; struct inner inner; struct inner *other; };
 */
static void write_module(struct fixture *f)
{
	struct blob *b = &f->module;
	u32 one, inner, other, proto, twice, enumeration;

	begin(b, &f->kernel);
	one = type(b, "", BTF_KIND_UNION, 2, 0, 8);
	member(b, "c", 2, 0);
	member(b, "d", f->pointer, 0);
	inner = type(b, "inner", BTF_KIND_STRUCT, 3, 1, 16);
	member(b, "a", 2, 0);
	member(b, "b", 2, 4u << 24 | 32);
	member(b, "", one, 64);
	other = type(b, "", BTF_KIND_PTR, 0, 0, inner);
	type(b, "outer", BTF_KIND_STRUCT, 3, 0, 32);
	member(b, "file", f->pointer, 0);
	member(b, "inner", inner, 64);
	member(b, "other", other, 192);
	twice = type(b, "", BTF_KIND_PTR, 0, 0, other);
	enumeration = type(b, "color", BTF_KIND_ENUM, 1, 0, 4);
	word(b, text(b, "red"));
	word(b, 0);
	proto = type(b, "", BTF_KIND_FUNC_PROTO, 2, 0, 0);
	param(b, twice);
	param(b, enumeration);
	type(b, "paint", BTF_KIND_FUNC, 0, 0, proto);
	proto = type(b, "", BTF_KIND_FUNC_PROTO, 0, 0, f->pointer);
	type(b, "nothing", BTF_KIND_FUNC, 0, 0, proto);
	end(b);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	write_kernel(f);
	write_module(f);
	assert_int_equal(drm_fault_btf_open(&f->base, f->kernel.data, f->kernel.size, NULL), 0);
	assert_int_equal(drm_fault_btf_open(&f->btf, f->module.data, f->module.size, &f->base), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	drm_fault_btf_close(&f->btf);
	drm_fault_btf_close(&f->base);
	free(f);
	return 0;
}

static const struct {
	const char *type, *path;
	int offset;
	u32 size;
} members[] = {
	{ "file", "mode", 0, 4 },
	{ "file", "words", 8, 24 },
	{ "outer", "file", 0, 8 },
	{ "outer", "inner", 8, 16 },
	{ "outer", "inner.a", 8, 4 },
	{ "outer", "inner.c", 16, 4 },
	{ "outer", "inner.d", 16, 8 },
	{ "outer", "other", 24, 8 },
	{ "inner", "d", 8, 8 },
	/* Bit fields have no address, and pointers are not followed. */
	{ "inner", "b", -ENOENT, 0 },
	{ "outer", "other.a", -ENOENT, 0 },
	{ "outer", "inner.", -ENOENT, 0 },
	{ "outer", "inne", -ENOENT, 0 },
	{ "outer", "inner.aa", -ENOENT, 0 },
	{ "outer", "", -ENOENT, 0 },
	{ "nowhere", "a", -ENOENT, 0 },
};

static void members_are_where_they_are(void **state)
{
	struct fixture *f = *state;
	size_t i;
	u32 size;

	for (i = 0; i < ARRAY_SIZE(members); i++) {
		size = 0;
		assert_int_equal(
			drm_fault_btf_member(&f->btf, members[i].type, members[i].path, &size),
			members[i].offset);
		assert_int_equal(size, members[i].size);
	}
	/* The kernel knows nothing of modules. */
	assert_int_equal(drm_fault_btf_member(&f->base, "inner", "a", &size), -ENOENT);
}

static void structures_have_sizes(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(drm_fault_btf_size(&f->btf, "outer"), 32);
	assert_int_equal(drm_fault_btf_size(&f->btf, "file"), 32);
	assert_int_equal(drm_fault_btf_size(&f->btf, "color"), -ENOENT);
}

static void prototypes_read_as_in_the_source(void **state)
{
	struct fixture *f = *state;
	char found[64];

	assert_int_equal(drm_fault_btf_prototype(&f->btf, "vfs", found, sizeof(found)), 0);
	assert_string_equal(found, "unsigned int (const struct file *, u32, ...)");
	assert_int_equal(drm_fault_btf_prototype(&f->btf, "paint", found, sizeof(found)), 0);
	assert_string_equal(found, "void (struct inner **, enum color)");
	assert_int_equal(drm_fault_btf_prototype(&f->btf, "nothing", found, sizeof(found)), 0);
	assert_string_equal(found, "struct file * (void)");
	assert_int_equal(drm_fault_btf_prototype(&f->btf, "outer", found, sizeof(found)), -ENOENT);
	assert_int_equal(drm_fault_btf_prototype(&f->btf, "vfs", found, 9), 0);
	assert_string_equal(found, "unsigned");
}

/* Asks everything there is to ask. */
static void ask_all(const struct drm_fault_btf *btf)
{
	char found[64];
	size_t i;
	u32 size;

	for (i = 0; i < ARRAY_SIZE(members); i++)
		drm_fault_btf_member(btf, members[i].type, members[i].path, &size);
	drm_fault_btf_prototype(btf, "vfs", found, sizeof(found));
	drm_fault_btf_prototype(btf, "paint", found, sizeof(found));
	drm_fault_btf_size(btf, "outer");
}

static void what_is_cut_off_is_refused(void **state)
{
	struct fixture *f = *state;
	struct drm_fault_btf btf;
	size_t size;
	char *copy;

	for (size = 0; size < f->kernel.size; size++) {
		/* Of its own size, so that a look behind it is seen. */
		copy = malloc(size ? size : 1);
		assert_non_null(copy);
		memcpy(copy, f->kernel.data, size);
		assert_int_equal(drm_fault_btf_open(&btf, copy, size, NULL), -EINVAL);
		free(copy);
	}
}

/* Whatever a number is changed to, nothing outside is read, and it ends. */
static void no_number_leads_astray(void **state)
{
	static const u32 values[] = { 0, 1, 5, 0x7f, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff };
	struct fixture *f = *state;
	struct drm_fault_btf btf;
	size_t at, i;
	char *copy;

	for (at = 0; at + 4 <= f->module.size; at += 4) {
		for (i = 0; i < ARRAY_SIZE(values); i++) {
			copy = malloc(f->module.size);
			assert_non_null(copy);
			memcpy(copy, f->module.data, f->module.size);
			memcpy(copy + at, &values[i], 4);
			memset(&btf, 0, sizeof(btf));
			if (!drm_fault_btf_open(&btf, copy, f->module.size, &f->base))
				ask_all(&btf);
			drm_fault_btf_close(&btf);
			free(copy);
		}
	}
}

static void types_in_a_circle_end(void **state)
{
	struct drm_fault_btf btf;
	struct blob *b = calloc(1, sizeof(*b));
	char found[16];
	u32 size;

	(void)state;
	assert_non_null(b);
	begin(b, NULL);
	type(b, "self", BTF_KIND_STRUCT, 1, 0, 8);
	member(b, "", 1, 0);
	type(b, "", BTF_KIND_CONST, 0, 0, 2);
	type(b, "round", BTF_KIND_STRUCT, 1, 0, 8);
	member(b, "a", 2, 0);
	type(b, "", BTF_KIND_FUNC_PROTO, 0, 0, 2);
	type(b, "circle", BTF_KIND_FUNC, 0, 0, 4);
	end(b);
	assert_int_equal(drm_fault_btf_open(&btf, b->data, b->size, NULL), 0);
	assert_int_equal(drm_fault_btf_member(&btf, "self", "a", &size), -ENOENT);
	assert_int_equal(drm_fault_btf_member(&btf, "round", "a", &size), 0);
	assert_int_equal(size, 0);
	assert_int_equal(drm_fault_btf_member(&btf, "round", "a.b", &size), -ENOENT);
	assert_int_equal(drm_fault_btf_prototype(&btf, "circle", found, sizeof(found)), 0);
	assert_string_equal(found, "const ? (void)");
	drm_fault_btf_close(&btf);
	free(b);
}

static void later_kinds_are_refused(void **state)
{
	struct drm_fault_btf btf;
	struct blob *b = calloc(1, sizeof(*b));

	(void)state;
	assert_non_null(b);
	begin(b, NULL);
	type(b, "new", 31, 0, 0, 0);
	end(b);
	assert_int_equal(drm_fault_btf_open(&btf, b->data, b->size, NULL), -EOPNOTSUPP);
	free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(members_are_where_they_are, setup, teardown),
		cmocka_unit_test_setup_teardown(structures_have_sizes, setup, teardown),
		cmocka_unit_test_setup_teardown(prototypes_read_as_in_the_source, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_cut_off_is_refused, setup, teardown),
		cmocka_unit_test_setup_teardown(no_number_leads_astray, setup, teardown),
		cmocka_unit_test(types_in_a_circle_end),
		cmocka_unit_test(later_kinds_are_refused),
	};

	return cmocka_run_group_tests_name("core: type information", tests, NULL, NULL);
}
