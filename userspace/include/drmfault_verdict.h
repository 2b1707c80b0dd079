/* SPDX-License-Identifier: MIT */
/*
 * libdrmfault: verdicts, what the address of a fault means.
 *
 * A fault has an address, a precision and a time. Beside the history of bindings
 * (<drmfault_bindings.h>) they say which mistake it was: an object was used after its
 * end, an access went past one, nothing was ever there. A verdict has all that it can
 * have been, likeliest first, each with its reason. Documentation/verdicts.rst tells how
 * it is made.
 *
 * Rules, besides those of drmfault.h:
 *  - A verdict is made of what was told: where bindings are missing, it is wrong in good
 *    faith. drmfault_verdict_candidate.confidence says how much there is to it.
 *  - The library knows no types of objects. Their names and what they are for come from
 *    a table of the caller's, struct drmfault_object_type.
 *  - A history that came out of a dump gives the same verdict as the live one did.
 */
#ifndef DRMFAULT_VERDICT_H
#define DRMFAULT_VERDICT_H

#include "drmfault_bindings.h"

#ifdef __cplusplus
extern "C" {
#endif

struct drmfault_verdict;

/** It is memory, in which other objects lie. */
#define DRMFAULT_TRAIT_MEMORY 0x1u
/** The GPU executes what is in it: pipelines, shaders. */
#define DRMFAULT_TRAIT_CODE 0x2u
/** It has commands: command buffers. */
#define DRMFAULT_TRAIT_COMMANDS 0x4u
/** What is bound to it is the driver's own: the device. */
#define DRMFAULT_TRAIT_DRIVER 0x8u

/** struct drmfault_object_type - what the caller knows of a type of objects */
struct drmfault_object_type {
	/** As in bindings */
	uint32_t type;
	/** DRMFAULT_TRAIT_* */
	uint32_t traits;
	/** As it is to be written, "VkBuffer" */
	const char *name;
};

/** enum drmfault_verdict_kind - what it was */
enum drmfault_verdict_kind {
	/** The base of the address was no pointer: it is within 64 KiB of 0 */
	DRMFAULT_VERDICT_NULL = 1,
	/** In an object that had ended */
	DRMFAULT_VERDICT_USE_AFTER_FREE = 2,
	/** Behind or in front of an object */
	DRMFAULT_VERDICT_OUT_OF_BOUNDS = 3,
	/** In an object that may not be accessed so */
	DRMFAULT_VERDICT_PERMISSION = 4,
	/** In an object, where it has no memory */
	DRMFAULT_VERDICT_SPARSE_HOLE = 5,
	/** In an object that got the address only later */
	DRMFAULT_VERDICT_NOT_YET_BOUND = 6,
	/** In an object that had the address; it should not have faulted */
	DRMFAULT_VERDICT_STILL_BOUND = 7,
	/** In what the driver has for itself */
	DRMFAULT_VERDICT_INTERNAL = 8,
	/** Where nothing is known to have been */
	DRMFAULT_VERDICT_NEVER_BOUND = 9,
	/** Of instruction pointers: in code or commands, where it belongs */
	DRMFAULT_VERDICT_CODE = 10,
};

/** enum drmfault_verdict_reason - what speaks for it */
enum drmfault_verdict_reason {
	/** The range of the fault has addresses near 0, or near the last one */
	DRMFAULT_REASON_NEAR_NULL = 1,
	/** The object was destroyed, or unbound, before the fault */
	DRMFAULT_REASON_DESTROYED = 2,
	DRMFAULT_REASON_UNBOUND = 3,
	/** The object is there, but the memory below it had ended */
	DRMFAULT_REASON_MEMORY_ENDED = 4,
	/** It begins, or may begin, behind the object's last byte */
	DRMFAULT_REASON_PAST_END = 5,
	/** It is, or may be, in front of the object's first byte */
	DRMFAULT_REASON_BEFORE_START = 6,
	/** It was a write, and the binding is for reading */
	DRMFAULT_REASON_READ_ONLY = 7,
	/** It was an instruction fetch, and the object is no code */
	DRMFAULT_REASON_NOT_CODE = 8,
	/** The GPU said so */
	DRMFAULT_REASON_GPU_SAID = 9,
	/** A sparse object, and nothing else is bound there */
	DRMFAULT_REASON_NO_MEMORY = 10,
	/** The object had the address when it faulted */
	DRMFAULT_REASON_BOUND = 11,
	/** The object got the address after that */
	DRMFAULT_REASON_BOUND_LATER = 12,
	/** The driver bound it for itself */
	DRMFAULT_REASON_OF_DRIVER = 13,
	/** Nothing is known at the address; see drmfault_verdict_incomplete() */
	DRMFAULT_REASON_UNKNOWN_ADDRESS = 14,
};

/** enum drmfault_confidence - how much there is to it */
enum drmfault_confidence {
	DRMFAULT_CONFIDENCE_LOW = 1,	/**< it cannot be ruled out */
	DRMFAULT_CONFIDENCE_MEDIUM = 2, /**< it fits, and so may others */
	DRMFAULT_CONFIDENCE_HIGH = 3,	/**< it fits in every way */
};

/**
 * struct drmfault_verdict_args - a fault, for drmfault_verdict_make()
 * @size: sizeof(struct drmfault_verdict_args), as for drmfault_subscribe_args
 * @address: where
 * @precision: as drmfault_range() takes it
 * @address_bits: width of the fault's address, 0: as the history has it
 * @access: enum drmfault_access
 * @fault_type: enum drmfault_type, 0: not known
 * @time_ns: when, CLOCK_MONOTONIC; 0: not known, now
 * @is_instruction: the address is an instruction pointer
 * @types: what is known of types, NULL: nothing
 * @type_count: how many
 */
struct drmfault_verdict_args {
	size_t size;
	uint64_t address;
	uint64_t precision;
	uint64_t time_ns;
	const struct drmfault_object_type *types;
	size_t type_count;
	uint32_t address_bits;
	uint32_t access;
	uint32_t fault_type;
	bool is_instruction;
};

/** struct drmfault_verdict_candidate - one thing that it can have been */
struct drmfault_verdict_candidate {
	size_t size;
	enum drmfault_verdict_kind kind;
	enum drmfault_verdict_reason reason;
	enum drmfault_confidence confidence;
	/** Has the object, its name and times; all 0 and "" for NULL and NEVER_BOUND */
	struct drmfault_dump_binding binding;
	/**
	 * In the object: bytes from its first to the first of the fault. Out of bounds:
	 * bytes between the object and the fault's first (PAST_END: 0 is right behind it) or
	 * last byte (BEFORE_START: 0 does not occur, 1 is right in front of it).
	 */
	uint64_t offset;
	/** The greatest that the precision allows; as @offset if it is exact */
	uint64_t offset_max;
	/** From the end of the object to the fault, or from that to its beginning; else 0 */
	uint64_t ago_ns;
};

/**
 * drmfault_verdict_args_of_record - what a record says of its address
 * @record: the record
 * @args: @size, @types and @type_count are the caller's, the rest is set
 *
 * Return: 0; -ENODATA: it is no fault, or has no address
 */
int drmfault_verdict_args_of_record(const struct drmfault_record *record,
				    struct drmfault_verdict_args *args);
/**
 * drmfault_verdict_args_of_ip - what a record says of its instruction pointer
 * @record: the record
 * @args: as drmfault_verdict_args_of_record()
 *
 * Return: 0; -ENODATA: it has none
 */
int drmfault_verdict_args_of_ip(const struct drmfault_record *record,
				struct drmfault_verdict_args *args);

/**
 * drmfault_verdict_make - judge a fault
 * @bindings: the history
 * @args: the fault
 * @verdict: to be freed with drmfault_verdict_free()
 *
 * Return: 0; -E2BIG: see @args.size; -ENOMEM
 */
int drmfault_verdict_make(struct drmfault_bindings *bindings,
			  const struct drmfault_verdict_args *args,
			  struct drmfault_verdict **verdict);
void drmfault_verdict_free(struct drmfault_verdict *verdict);

/** drmfault_verdict_count - how many candidates there are, at least 1 */
size_t drmfault_verdict_count(const struct drmfault_verdict *verdict);
/** drmfault_verdict_candidate - candidate @i, likeliest first; 0, or -ENOENT */
int drmfault_verdict_candidate(const struct drmfault_verdict *verdict, size_t i,
			       struct drmfault_verdict_candidate *candidate);
/**
 * drmfault_verdict_text - candidate @i in one line for a person
 * @verdict: the verdict
 * @i: its number
 *
 * For example: write 0x40 past the end of VkBuffer "particles", freed 3.2 ms earlier
 *
 * Return: a string that lives as long as the verdict; what is no printable ASCII in a
 * name below 0x80 is '?' in it. NULL: there is no such candidate
 */
const char *drmfault_verdict_text(const struct drmfault_verdict *verdict, size_t i);
/**
 * drmfault_verdict_incomplete - may a binding that explains it be missing?
 * @verdict: the verdict
 *
 * Return: how many ended ones the history had forgotten
 */
uint64_t drmfault_verdict_incomplete(const struct drmfault_verdict *verdict);

/* Short words, NULL for what has no name here. */
const char *drmfault_verdict_kind_name(uint32_t kind);
const char *drmfault_verdict_reason_name(uint32_t reason);
const char *drmfault_confidence_name(uint32_t confidence);

#ifdef __cplusplus
}
#endif

#endif /* DRMFAULT_VERDICT_H */
