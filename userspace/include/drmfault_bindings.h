/* SPDX-License-Identifier: MIT */
/*
 * libdrmfault: bindings, which object had which GPU addresses, and when.
 *
 * Whoever knows the objects of an application (a Vulkan layer, a driver) tells each
 * range of addresses that an object gets (drmfault_bindings_bind) and loses
 * (drmfault_bindings_unbind, drmfault_bindings_destroy), and the names of objects
 * (drmfault_bindings_name). What was bound where at the time of a fault is then asked
 * for (drmfault_bindings_find), judged (<drmfault_verdict.h>), or put into a dump
 * (drmfault_bindings_export) from which it all can be asked again on another machine
 * (drmfault_bindings_from_dump).
 *
 * Rules, besides those of drmfault.h:
 *  - One struct drmfault_bindings is one GPU address space. Unlike other objects of
 *    this library, it may be used by any number of threads at a time; only the one that
 *    frees it must be the last.
 *  - Ranges may overlap, lie in each other, be the same, and be used again.
 *  - Objects are told apart by their type and handle together. What these mean is
 *    the caller's: VkObjectType and the handle, for dumps that others shall read.
 *  - Addresses are those of drmfault_canonical(). They come in either form.
 *  - Times are CLOCK_MONOTONIC in nanoseconds, as in records.
 *  - Everything that is bound is kept. Of what no longer is, the newest are kept up to
 *    a limit; the others are forgotten, oldest first, and counted.
 *  - A child of fork() can only free what it has got from its parent if no other thread
 *    of the parent was in a function with it.
 */
#ifndef DRMFAULT_BINDINGS_H
#define DRMFAULT_BINDINGS_H

#include "drmfault_dump.h"

#ifdef __cplusplus
extern "C" {
#endif

struct drmfault_bindings;
struct drmfault_binding_list;

/*
 * Flags of a binding. The low 24 bits are VkDeviceAddressBindingFlagsEXT, of which
 * Vulkan has one. Flags make no difference to which binding an unbinding ends.
 */
/** Of the driver itself. */
#define DRMFAULT_BINDING_INTERNAL 0x00000001u
/** The GPU may not write here. */
#define DRMFAULT_BINDING_READ_ONLY 0x80000000u
/** Only addresses: memory is where another binding without this flag is as well. */
#define DRMFAULT_BINDING_SPARSE 0x40000000u
/** Memory of a sparse object is somewhere in this range, and nobody knows where. */
#define DRMFAULT_BINDING_PARTIAL 0x10000000u
/** It ended because the object was destroyed; set by the library. */
#define DRMFAULT_BINDING_DESTROYED 0x20000000u

/**
 * struct drmfault_bindings_args - what drmfault_bindings_new() is to make
 * @size: sizeof(struct drmfault_bindings_args), as for drmfault_subscribe_args
 * @address_bits: width of the GPU's addresses, as drmfault_canonical() takes it
 * @past_count: ended bindings to keep at most, 0: 65536
 * @past_bytes: memory for them and their names at most, 0: 16 MiB
 */
struct drmfault_bindings_args {
	size_t size;
	uint32_t address_bits;
	uint32_t past_count;
	uint64_t past_bytes;
};

/**
 * struct drmfault_binding_event - an object got or lost a range
 * @size: sizeof(struct drmfault_binding_event), as for drmfault_subscribe_args
 * @address: first address
 * @length: bytes from there on, at least 1
 * @time_ns: when, 0: now. Of a binding, a time at which it was there for sure; of an
 *	unbinding, one at which it was there still: before the driver is told to do it
 * @object: handle
 * @object_type: type
 * @flags: DRMFAULT_BINDING_*. Of an unbinding only DRMFAULT_BINDING_SPARSE has a meaning:
 *	a sparse object lost memory, and keeps what it has with that flag
 */
struct drmfault_binding_event {
	size_t size;
	uint64_t address;
	uint64_t length;
	uint64_t time_ns;
	uint64_t object;
	uint32_t object_type;
	uint32_t flags;
};

/** struct drmfault_bindings_counts - how much there is, and what is missing */
struct drmfault_bindings_counts {
	size_t size;
	/** Bindings that did not end */
	uint64_t live;
	/** Ended ones that are kept */
	uint64_t past;
	/** Ended ones that are not kept any more, or for which there was no memory */
	uint64_t forgotten;
	/** Unbindings of what was not bound */
	uint64_t unmatched;
	/** Objects that have a binding or a name */
	uint64_t objects;
	/** Memory that it takes, all in all */
	uint64_t bytes;
	/** Memory that past ones count for, see @past_bytes of drmfault_bindings_args */
	uint64_t past_bytes;
};

/** enum drmfault_binding_relation - how a binding lies to a range and a time */
enum drmfault_binding_relation {
	DRMFAULT_RELATION_AT = 1,	    /**< it has bytes of the range at that time */
	DRMFAULT_RELATION_BEFORE = 2,	    /**< it had, and ended before */
	DRMFAULT_RELATION_LATER = 3,	    /**< it has or had, and began later */
	DRMFAULT_RELATION_BELOW = 4,	    /**< it ends below the range, at that time */
	DRMFAULT_RELATION_ABOVE = 5,	    /**< it begins above the range, at that time */
	DRMFAULT_RELATION_BELOW_BEFORE = 6, /**< below it, and ended before that time */
	DRMFAULT_RELATION_ABOVE_BEFORE = 7, /**< above it, and ended before that time */
};

/** The bit of a relation in drmfault_binding_query.relations. */
#define DRMFAULT_RELATION_BIT(relation) (1u << (relation))

/**
 * struct drmfault_binding_query - what drmfault_bindings_find() is to find
 * @size: sizeof(struct drmfault_binding_query), as for drmfault_subscribe_args
 * @address: first address of the range
 * @length: its bytes, at least 1
 * @time_ns: the time, 0: now
 * @relations: DRMFAULT_RELATION_BIT() of those that are wanted, 0: all
 * @limit: how many of each at most, the nearest in space or time; 0: 16, 4096 at most
 */
struct drmfault_binding_query {
	size_t size;
	uint64_t address;
	uint64_t length;
	uint64_t time_ns;
	uint32_t relations;
	uint32_t limit;
};

/**
 * drmfault_bindings_new - a history without bindings
 * @args: NULL: all 0
 * @bindings: to be freed with drmfault_bindings_free()
 *
 * Return: 0; -E2BIG: see @args.size; -EINVAL: @args.past_count is above 2^26; -ENOMEM
 */
int drmfault_bindings_new(const struct drmfault_bindings_args *args,
			  struct drmfault_bindings **bindings);
void drmfault_bindings_free(struct drmfault_bindings *bindings);

/**
 * drmfault_bindings_bind - an object got a range
 * @bindings: the history
 * @event: object, range, time
 *
 * What it has already it keeps. Takes well below a microsecond, however many there are.
 *
 * Return: 0; -EINVAL: the range is empty, or goes beyond the last address or that of
 * the lower half; -E2BIG: see @event.size; -ENOMEM: nothing changed
 */
int drmfault_bindings_bind(struct drmfault_bindings *bindings,
			   const struct drmfault_binding_event *event);
/**
 * drmfault_bindings_unbind - an object lost a range
 * @bindings: the history
 * @event: object, range, time
 *
 * Ends the object's newest binding of exactly this range. If it has none, then what it
 * has of the range ends, and what is left of bindings on either side goes on. What ended
 * before because the object was destroyed may be told once more, and a sparse object may
 * lose memory where it has none.
 *
 * Return: 0; -ENOENT: it has nothing there, which is counted; others as
 * drmfault_bindings_bind()
 */
int drmfault_bindings_unbind(struct drmfault_bindings *bindings,
			     const struct drmfault_binding_event *event);
/**
 * drmfault_bindings_destroy - an object is about to be destroyed
 * @bindings: the history
 * @object_type: its type
 * @object: its handle
 * @time_ns: when, 0: now
 *
 * Ends all its bindings. Its name stays with them; the next object with the same handle
 * is another one.
 *
 * Return: 0; -ENOENT: it has no binding and no name
 */
int drmfault_bindings_destroy(struct drmfault_bindings *bindings, uint32_t object_type,
			      uint64_t object, uint64_t time_ns);
/**
 * drmfault_bindings_name - an object got a name
 * @bindings: the history
 * @object_type: its type
 * @object: its handle
 * @name: copied, the first 255 bytes of it; NULL or "": none any more
 *
 * Before its first binding or after it, also anew. Bindings that ended keep the name
 * that they had.
 *
 * Return: 0; -ENOMEM: nothing changed
 */
int drmfault_bindings_name(struct drmfault_bindings *bindings, uint32_t object_type,
			   uint64_t object, const char *name);

/** drmfault_bindings_counts - how much there is; what this library does not know is 0 */
void drmfault_bindings_counts(struct drmfault_bindings *bindings,
			      struct drmfault_bindings_counts *counts);

/**
 * drmfault_bindings_find - what is, was or will be bound in and around a range
 * @bindings: the history
 * @query: range and time
 * @list: in the order of enum drmfault_binding_relation, and each nearest first; of two
 *	that are as near the smaller one first. To be freed with
 *	drmfault_binding_list_free()
 *
 * What other threads change meanwhile may be in it or not.
 *
 * Return: 0, also if nothing was found; -EINVAL: as drmfault_bindings_bind(); -E2BIG:
 * see @query.size; -ENOMEM
 */
int drmfault_bindings_find(struct drmfault_bindings *bindings,
			   const struct drmfault_binding_query *query,
			   struct drmfault_binding_list **list);

/**
 * drmfault_bindings_export - all bindings, past ones too, for a dump
 * @bindings: the history
 * @list: by address, then time, with addresses no wider than they need. To be freed with
 *	drmfault_binding_list_free()
 *
 * Return: 0; -ENOMEM
 */
int drmfault_bindings_export(struct drmfault_bindings *bindings,
			     struct drmfault_binding_list **list);
/**
 * drmfault_bindings_import - add what came from elsewhere
 * @bindings: the history; limits hold
 * @entries: bindings as of a dump, ended ones in any order
 * @count: how many
 *
 * Return: 0; -EINVAL: as drmfault_bindings_bind(), for one of them, which is left out;
 * -ENOMEM: some are missing
 */
int drmfault_bindings_import(struct drmfault_bindings *bindings,
			     const struct drmfault_dump_binding *entries, size_t count);
/**
 * drmfault_bindings_from_dump - the history that a dump has
 * @dump: not needed afterwards
 * @bindings: to be freed with drmfault_bindings_free(). All that is in the dump, but
 *	for what no range can be; empty where it has none
 *
 * Return: 0; -ENOMEM
 */
int drmfault_bindings_from_dump(const struct drmfault_dump *dump,
				struct drmfault_bindings **bindings);

/** drmfault_binding_list_count - how many there are */
size_t drmfault_binding_list_count(const struct drmfault_binding_list *list);
/**
 * drmfault_binding_list_bindings - all of them
 * @list: the list
 *
 * Return: an array, as drmfault_dump_write() takes it, that lives as long as the list.
 * Names are never NULL
 */
const struct drmfault_dump_binding *
drmfault_binding_list_bindings(const struct drmfault_binding_list *list);
/** drmfault_binding_list_relation - of number @i; 0 if exported, or there is none */
uint32_t drmfault_binding_list_relation(const struct drmfault_binding_list *list, size_t i);
/**
 * drmfault_binding_list_distance - how far from the range number @i is
 * @list: the list
 * @i: its number
 *
 * Return: bytes between the two, 0 if they touch or overlap
 */
uint64_t drmfault_binding_list_distance(const struct drmfault_binding_list *list, size_t i);
void drmfault_binding_list_free(struct drmfault_binding_list *list);

#ifdef __cplusplus
}
#endif

#endif /* DRMFAULT_BINDINGS_H */
