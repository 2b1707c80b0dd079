/* SPDX-License-Identifier: MIT */
/* What the subcommands of drmfault share. */
#ifndef DRMFAULT_TOOL_H
#define DRMFAULT_TOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "drmfault.h"

#define EXIT_USAGE 2

/* What the command line says; each subcommand allows some of it. */
struct options {
	bool json;
	bool all;
	pid_t pid;
	uint32_t device;
	uint64_t count;
	uint64_t timeout_ns;
};

struct command {
	const char *name;
	const char *summary;
	/* Letters of the options it takes, as in the table of main.c. */
	const char *options;
	int (*run)(const struct options *options);
};

extern const struct command command_devices;
extern const struct command command_show;
extern const struct command command_watch;

/* Prints one sentence on stderr and returns EXIT_FAILURE. */
int fail(const char *what, int error);
int open_fault(struct drmfault **fault);
int open_stream(const struct options *options, struct drmfault_stream **stream);

/* One record for a person, or as a JSON object on a line of its own. */
int print_record_text(const struct drmfault_record *record);
int print_record_json(const struct drmfault_record *record);
/* 0, or EXIT_FAILURE after saying so when the output cannot be written. */
int finish_output(void);

#endif /* DRMFAULT_TOOL_H */
