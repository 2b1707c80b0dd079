/* SPDX-License-Identifier: MIT */
/* What is left of a device that is lost, or hangs: a file, and a text for a person. */
#ifndef DRMFAULT_LAYER_CRASH_H
#define DRMFAULT_LAYER_CRASH_H

#include <stdio.h>

#include "drmfault_verdict.h"
#include "faults.h"

/* So much of what a driver tells of each sort goes into the file. */
#define CRASH_TOLD_MAX 256u

enum crash_kind {
	CRASH_LOST,
	CRASH_HANG,
};

/* Writes both as the settings say. Without success the application is not disturbed. */
void crash_report(struct device *device, enum crash_kind kind, const char *reason);

/* ---- Of its parts ---- */

struct crash {
	struct device *device;
	enum crash_kind kind;
	const char *reason;
	/* When it was seen, CLOCK_MONOTONIC. */
	uint64_t time_ns;
	/* The driver's words and addresses; NULL of a hang, of which it may not be asked. */
	const struct answer *answer;
	/* The kernel's records, or NULL, and the dump in which they came, or NULL. */
	const struct drmfault_snapshot *snapshot;
	struct drmfault_dump *dump;
	/* The records with those of the driver behind them, or NULL. */
	struct drmfault_snapshot *told;
	/* What the driver told and none of them is. */
	uint64_t left_out;
	/* The file, "" if there is none. */
	char path[PATH_MAX];
};

/* @is_code: it is about the instruction pointer. */
typedef void (*crash_visit)(void *data, const struct drmfault_verdict *verdict, bool is_code);

/* If the kernel's records have no address, those that the driver tells become records. */
void crash_add_told(struct crash *crash);
/* Each address of the records, and the instruction pointer if it is known whose code it is. */
void crash_judge(const struct crash *crash, crash_visit visit, void *data);
/* Lines NAME=VALUE of what has no place elsewhere in the file. */
void crash_print_host(const struct crash *crash, FILE *to);
void crash_print_summary(const struct crash *crash, FILE *to);
/* Sets the path, or says on the standard error why there is none. */
void crash_write(struct crash *crash);

#endif /* DRMFAULT_LAYER_CRASH_H */
