// SPDX-License-Identifier: GPL-2.0-only
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/string.h>

#include "btf.h"

/* Types refer to types; no chain of a sane kernel is longer. */
#define DRM_FAULT_BTF_DEPTH	32

/* What the headers of all versions have. */
#define DRM_FAULT_BTF_HEADER	offsetofend(struct btf_header, str_len)

static u32 drm_fault_btf_kind(const struct btf_type *type)
{
	return BTF_INFO_KIND(type->info);
}

static u32 drm_fault_btf_vlen(const struct btf_type *type)
{
	return BTF_INFO_VLEN(type->info);
}

/* Bytes behind a type that belong to it, negative if it is of no known kind. */
static int drm_fault_btf_tail(const struct btf_type *type)
{
	static const struct {
		bool known;
		u8 once;
		u8 each;
	} tails[] = {
		[BTF_KIND_INT] = { true, sizeof(u32), 0 },
		[BTF_KIND_PTR] = { true, 0, 0 },
		[BTF_KIND_ARRAY] = { true, sizeof(struct btf_array), 0 },
		[BTF_KIND_STRUCT] = { true, 0, sizeof(struct btf_member) },
		[BTF_KIND_UNION] = { true, 0, sizeof(struct btf_member) },
		[BTF_KIND_ENUM] = { true, 0, sizeof(struct btf_enum) },
		[BTF_KIND_FWD] = { true, 0, 0 },
		[BTF_KIND_TYPEDEF] = { true, 0, 0 },
		[BTF_KIND_VOLATILE] = { true, 0, 0 },
		[BTF_KIND_CONST] = { true, 0, 0 },
		[BTF_KIND_RESTRICT] = { true, 0, 0 },
		[BTF_KIND_FUNC] = { true, 0, 0 },
		[BTF_KIND_FUNC_PROTO] = { true, 0, sizeof(struct btf_param) },
		[BTF_KIND_VAR] = { true, sizeof(struct btf_var), 0 },
		[BTF_KIND_DATASEC] = { true, 0, sizeof(struct btf_var_secinfo) },
		[BTF_KIND_FLOAT] = { true, 0, 0 },
		[BTF_KIND_DECL_TAG] = { true, sizeof(struct btf_decl_tag), 0 },
		[BTF_KIND_TYPE_TAG] = { true, 0, 0 },
		[BTF_KIND_ENUM64] = { true, 0, sizeof(struct btf_enum64) },
	};
	u32 kind = drm_fault_btf_kind(type);

	if (kind >= ARRAY_SIZE(tails) || !tails[kind].known)
		return -EOPNOTSUPP;
	return tails[kind].once + drm_fault_btf_vlen(type) * tails[kind].each;
}

/* Counts the types, and with @offsets notes where they are. */
static int drm_fault_btf_walk(const char *types, u32 size, u32 *offsets)
{
	int tail, count = 0;
	u32 at = 0;

	while (size - at >= sizeof(struct btf_type)) {
		tail = drm_fault_btf_tail((const struct btf_type *)(types + at));
		if (tail < 0)
			return tail;
		if (size - at - sizeof(struct btf_type) < (u32)tail)
			return -EINVAL;
		if (offsets)
			offsets[count] = at;
		count++;
		at += sizeof(struct btf_type) + tail;
	}
	if (at != size)
		return -EINVAL;
	return count;
}

/**
 * drm_fault_btf_open - begin to read type information
 * @btf: the reader
 * @data: the information, aligned to 4 bytes, to be kept until the end
 * @size: bytes of it
 * @base: the kernel's if this is a module's, else NULL
 *
 * Context: Process, may sleep.
 * Return: 0; -EINVAL if it is malformed, -EOPNOTSUPP if it is of a later kind,
 * -ENOMEM
 */
int drm_fault_btf_open(struct drm_fault_btf *btf, const void *data, size_t size,
		       const struct drm_fault_btf *base)
{
	const struct btf_header *header = data;
	size_t room;
	int count;

	if (size < DRM_FAULT_BTF_HEADER || header->magic != BTF_MAGIC ||
	    header->hdr_len < DRM_FAULT_BTF_HEADER || header->hdr_len > size)
		return -EINVAL;
	room = size - header->hdr_len;
	if (header->type_off > room || header->type_len > room - header->type_off ||
	    header->str_off > room || header->str_len > room - header->str_off ||
	    !header->str_len || header->type_off % sizeof(u32) ||
	    header->hdr_len % sizeof(u32))
		return -EINVAL;

	*btf = (struct drm_fault_btf) {
		.base = base,
		.types = (const char *)data + header->hdr_len + header->type_off,
		.strings = (const char *)data + header->hdr_len + header->str_off,
		.strings_size = header->str_len,
		.strings_start = base ? base->strings_start + base->strings_size : 0,
		.first = base ? base->first + base->count : 1,
	};
	if (btf->strings[btf->strings_size - 1])
		return -EINVAL;

	count = drm_fault_btf_walk(btf->types, header->type_len, NULL);
	if (count < 0)
		return count;
	btf->count = count;
	btf->offsets = kvcalloc(max(count, 1), sizeof(u32), GFP_KERNEL);
	if (!btf->offsets)
		return -ENOMEM;
	drm_fault_btf_walk(btf->types, header->type_len, btf->offsets);
	return 0;
}

/**
 * drm_fault_btf_close - end reading
 * @btf: opened or zeroed
 *
 * Context: Process, may sleep.
 */
void drm_fault_btf_close(struct drm_fault_btf *btf)
{
	kvfree(btf->offsets);
	btf->offsets = NULL;
}

static const struct btf_type *drm_fault_btf_type(const struct drm_fault_btf *btf, u32 id)
{
	if (btf->base && id < btf->first)
		btf = btf->base;
	if (id < btf->first || id - btf->first >= btf->count)
		return NULL;
	return (const struct btf_type *)(btf->types + btf->offsets[id - btf->first]);
}

static const char *drm_fault_btf_string(const struct drm_fault_btf *btf, u32 offset)
{
	if (btf->base && offset < btf->strings_start)
		btf = btf->base;
	if (offset < btf->strings_start || offset - btf->strings_start >= btf->strings_size)
		return "";
	return btf->strings + (offset - btf->strings_start);
}

static const struct btf_type *drm_fault_btf_find_in(const struct drm_fault_btf *btf,
						    const char *name, u32 kinds)
{
	const struct btf_type *type;
	u32 i;

	for (i = 0; i < btf->count; i++) {
		type = (const struct btf_type *)(btf->types + btf->offsets[i]);
		if ((kinds & BIT(drm_fault_btf_kind(type))) &&
		    !strcmp(drm_fault_btf_string(btf, type->name_off), name))
			return type;
	}
	return NULL;
}

static const struct btf_type *drm_fault_btf_find(const struct drm_fault_btf *btf,
						 const char *name, u32 kinds)
{
	const struct btf_type *type = NULL;

	for (; btf && !type; btf = btf->base)
		type = drm_fault_btf_find_in(btf, name, kinds);
	return type;
}

#define DRM_FAULT_BTF_STRUCTS	(BIT(BTF_KIND_STRUCT) | BIT(BTF_KIND_UNION))
#define DRM_FAULT_BTF_ALIASES	(BIT(BTF_KIND_TYPEDEF) | BIT(BTF_KIND_CONST) |	\
				 BIT(BTF_KIND_VOLATILE) | BIT(BTF_KIND_RESTRICT) |	\
				 BIT(BTF_KIND_TYPE_TAG))

/* What is behind other names and qualifiers. */
static const struct btf_type *drm_fault_btf_plain(const struct drm_fault_btf *btf, u32 id)
{
	const struct btf_type *type = drm_fault_btf_type(btf, id);
	unsigned int depth;

	for (depth = 0; type && depth < DRM_FAULT_BTF_DEPTH; depth++) {
		if (!(DRM_FAULT_BTF_ALIASES & BIT(drm_fault_btf_kind(type))))
			return type;
		type = drm_fault_btf_type(btf, type->type);
	}
	return NULL;
}

static bool drm_fault_btf_is_struct(const struct btf_type *type)
{
	return type && (DRM_FAULT_BTF_STRUCTS & BIT(drm_fault_btf_kind(type)));
}

static u32 drm_fault_btf_bytes(const struct drm_fault_btf *btf, u32 id)
{
	const struct btf_type *type;
	const struct btf_array *array;
	u64 bytes = 1;
	unsigned int depth;

	for (depth = 0; depth < DRM_FAULT_BTF_DEPTH; depth++) {
		type = drm_fault_btf_plain(btf, id);
		if (!type)
			return 0;
		switch (drm_fault_btf_kind(type)) {
		case BTF_KIND_PTR:
			bytes *= sizeof(void *);
			return bytes > U32_MAX ? 0 : bytes;
		case BTF_KIND_ARRAY:
			array = (const struct btf_array *)(type + 1);
			bytes *= array->nelems;
			if (bytes > U32_MAX)
				return 0;
			id = array->type;
			break;
		case BTF_KIND_INT:
		case BTF_KIND_FLOAT:
		case BTF_KIND_ENUM:
		case BTF_KIND_ENUM64:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
			bytes *= type->size;
			return bytes > U32_MAX ? 0 : bytes;
		default:
			return 0;
		}
	}
	return 0;
}

/**
 * drm_fault_btf_size - how large is a structure?
 * @btf: where to look, and then in its base
 * @type: name of the structure or union
 *
 * Context: Any.
 * Return: bytes, -ENOENT
 */
int drm_fault_btf_size(const struct drm_fault_btf *btf, const char *type)
{
	const struct btf_type *found = drm_fault_btf_find(btf, type, DRM_FAULT_BTF_STRUCTS);

	return found && found->size <= INT_MAX ? (int)found->size : -ENOENT;
}

static bool drm_fault_btf_named(const char *name, const char *path, size_t length)
{
	return !strncmp(name, path, length) && !name[length];
}

/* Finds a member, also in structures without a name. @bits: in, where @type is. */
static const struct btf_member *
drm_fault_btf_look(const struct drm_fault_btf *btf, const struct btf_type *type,
		   const char *name, size_t length, u64 *bits, unsigned int depth)
{
	const struct btf_member *member = (const struct btf_member *)(type + 1);
	const struct btf_member *found;
	const struct btf_type *inner;
	u64 at;
	u32 i;

	for (i = 0; i < drm_fault_btf_vlen(type); i++, member++) {
		at = *bits + member->offset;
		if (BTF_INFO_KFLAG(type->info)) {
			if (BTF_MEMBER_BITFIELD_SIZE(member->offset))
				continue;
			at = *bits + BTF_MEMBER_BIT_OFFSET(member->offset);
		}
		if (member->name_off) {
			if (!drm_fault_btf_named(drm_fault_btf_string(btf, member->name_off),
						 name, length))
				continue;
			*bits = at;
			return member;
		}
		inner = drm_fault_btf_plain(btf, member->type);
		if (!drm_fault_btf_is_struct(inner) || !depth)
			continue;
		found = drm_fault_btf_look(btf, inner, name, length, &at, depth - 1);
		if (found) {
			*bits = at;
			return found;
		}
	}
	return NULL;
}

/**
 * drm_fault_btf_member - where is a member of a structure?
 * @btf: where to look, and then in its base
 * @type: name of the structure or union
 * @path: the member, through embedded structures with dots
 * @size: returns its size, 0 if that is not known
 *
 * Context: Any.
 * Return: bytes from the start; -ENOENT; -EINVAL if it does not start at a byte
 */
int drm_fault_btf_member(const struct drm_fault_btf *btf, const char *type,
			 const char *path, u32 *size)
{
	const struct btf_type *in = drm_fault_btf_find(btf, type, DRM_FAULT_BTF_STRUCTS);
	const struct btf_member *member;
	u64 bits = 0;
	size_t length;

	for (;;) {
		length = strcspn(path, ".");
		if (!drm_fault_btf_is_struct(in))
			return -ENOENT;
		member = drm_fault_btf_look(btf, in, path, length, &bits, 4);
		if (!member)
			return -ENOENT;
		if (!path[length])
			break;
		path += length + 1;
		in = drm_fault_btf_plain(btf, member->type);
	}
	if (bits % 8 || bits / 8 > INT_MAX)
		return -EINVAL;
	*size = drm_fault_btf_bytes(btf, member->type);
	return bits / 8;
}

struct drm_fault_btf_text {
	const struct drm_fault_btf *btf;
	char *text;
	size_t size;
	size_t length;
};

static void drm_fault_btf_add(struct drm_fault_btf_text *to, const char *words)
{
	for (; *words && to->length + 1 < to->size; words++)
		to->text[to->length++] = *words;
	to->text[to->length] = '\0';
}

static void drm_fault_btf_add_name(struct drm_fault_btf_text *to, const char *what,
				   const struct btf_type *type)
{
	drm_fault_btf_add(to, what);
	drm_fault_btf_add(to, drm_fault_btf_string(to->btf, type->name_off));
}

static void drm_fault_btf_add_pointer(struct drm_fault_btf_text *to)
{
	bool pointer = to->length && to->text[to->length - 1] == '*';

	drm_fault_btf_add(to, pointer ? "*" : " *");
}

/* A type as one writes it in C; pointers come last, and from the inside out. */
static void drm_fault_btf_add_type(struct drm_fault_btf_text *to, u32 id)
{
	const struct btf_type *type = NULL;
	unsigned int pointers = 0, depth;
	bool is_const = false;
	u32 kind = BTF_KIND_UNKN;

	for (depth = 0; id && depth < DRM_FAULT_BTF_DEPTH; depth++) {
		type = drm_fault_btf_type(to->btf, id);
		if (!type)
			break;
		kind = drm_fault_btf_kind(type);
		if (kind == BTF_KIND_PTR) {
			pointers++;
			is_const = false;
		} else if (kind == BTF_KIND_CONST) {
			is_const = true;
		} else if (kind != BTF_KIND_VOLATILE && kind != BTF_KIND_RESTRICT &&
			   kind != BTF_KIND_TYPE_TAG) {
			break;
		}
		id = type->type;
	}

	if (is_const)
		drm_fault_btf_add(to, "const ");
	if (!id)
		drm_fault_btf_add(to, "void");
	else if (!type || depth == DRM_FAULT_BTF_DEPTH)
		drm_fault_btf_add(to, "?");
	else if (kind == BTF_KIND_FUNC_PROTO)
		drm_fault_btf_add(to, "function");
	else if (kind == BTF_KIND_UNION || (kind == BTF_KIND_FWD && BTF_INFO_KFLAG(type->info)))
		drm_fault_btf_add_name(to, "union ", type);
	else if (kind == BTF_KIND_STRUCT || kind == BTF_KIND_FWD)
		drm_fault_btf_add_name(to, "struct ", type);
	else if (kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64)
		drm_fault_btf_add_name(to, "enum ", type);
	else
		drm_fault_btf_add_name(to, "", type);
	while (pointers--)
		drm_fault_btf_add_pointer(to);
}

/**
 * drm_fault_btf_prototype - print the prototype of a function
 * @btf: where to look, and then in its base
 * @function: its name
 * @text: returns the prototype, for example "int (struct file *, const char *)"
 * @size: bytes of @text; what is longer is cut
 *
 * Names of types are those of the source, also of other names (typedef).
 *
 * Context: Any.
 * Return: 0, -ENOENT, -EINVAL
 */
int drm_fault_btf_prototype(const struct drm_fault_btf *btf, const char *function,
			    char *text, size_t size)
{
	const struct btf_type *type = drm_fault_btf_find(btf, function, BIT(BTF_KIND_FUNC));
	struct drm_fault_btf_text to = { .btf = btf, .text = text, .size = size };
	const struct btf_param *param;
	u32 i;

	if (!type)
		return -ENOENT;
	type = drm_fault_btf_type(btf, type->type);
	if (!type || drm_fault_btf_kind(type) != BTF_KIND_FUNC_PROTO)
		return -EINVAL;

	drm_fault_btf_add_type(&to, type->type);
	drm_fault_btf_add(&to, " (");
	param = (const struct btf_param *)(type + 1);
	for (i = 0; i < drm_fault_btf_vlen(type); i++, param++) {
		if (i)
			drm_fault_btf_add(&to, ", ");
		if (param->type)
			drm_fault_btf_add_type(&to, param->type);
		else
			drm_fault_btf_add(&to, "...");
	}
	if (!i)
		drm_fault_btf_add(&to, "void");
	drm_fault_btf_add(&to, ")");
	return 0;
}
