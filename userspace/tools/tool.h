/* SPDX-License-Identifier: MIT */
/* What the subcommands of drmfault share. */
#ifndef DRMFAULT_TOOL_H
#define DRMFAULT_TOOL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "drmfault.h"
#include "filter.h"

#define EXIT_USAGE 2

struct command;

/* What the command line says; each subcommand allows some of it. */
struct options {
	const struct command *command;
	bool json;
	bool html;
	bool full;
	bool strict;
	bool all;
	pid_t pid;
	uint32_t device;
	uint64_t count;
	uint64_t timeout_ns;
	struct filters filters;
	/* Which stored dumps, and what of them. */
	const char *store;
	int64_t since_us;
	int64_t until_us;
	const char *driver;
	const char *comm;
	const char *boot;
	const char *format;
	const char *output;
	bool group;
	bool log;
	bool every;
	bool yes;
	/* Of the layer, milliseconds; 0: none. */
	uint32_t watchdog_ms;
	/* What follows the options. */
	char **args;
	int arg_count;
};

struct command {
	const char *name;
	const char *summary;
	/* Letters of the options it takes, as in the table of main.c. */
	const char *options;
	/* What follows them, as --help has it, and what to say if that lacks; NULL: it may. */
	const char *arguments;
	const char *missing;
	/* How many may follow. */
	int most;
	/* Of argp_parse(). */
	unsigned int flags;
	/* What --format says in --help. */
	const char *formats;
	int (*run)(const struct options *options);
};

/* CLOCK_REALTIME less CLOCK_MONOTONIC, where records are from. */
struct wall_clock {
	bool known;
	uint64_t offset_ns;
};

extern const struct command command_decode;
extern const struct command command_devices;
extern const struct command command_doctor;
extern const struct command command_export;
extern const struct command command_list;
extern const struct command command_report;
extern const struct command command_rm;
extern const struct command command_run;
extern const struct command command_show;
extern const struct command command_watch;

/* Prints one sentence on stderr and returns EXIT_FAILURE. */
int complain(const char *what, int error);
/* The same of a file or a dump, in words. */
int complain_of(const char *file, const char *why);
int open_fault(struct drmfault **fault);
int open_stream(const struct options *options, struct drmfault_stream **stream);

/* One record for a person, and below it all its values where that is not enough. */
void print_record_text(const struct drmfault_record *record);
/* The same for one of another boot, or machine. */
void print_record_at(const struct drmfault_record *record, const struct wall_clock *clock);
void print_record_long(const struct drmfault_record *record);
/* The same as JSON; NULL without memory. */
json_t *record_json(const struct drmfault_record *record);
/* Prints it on a line of its own and frees it; NULL is an error that it tells. */
int print_json(json_t *json);
/* As one line without its end. What a terminal would obey is escaped where it is one. */
int write_json(const json_t *json, size_t flags);
/* "", or what makes of a noun more than one of it. */
const char *plural(uint64_t count);
/* 0, or EXIT_FAILURE after saying so when the output cannot be written. */
int finish_output(void);

#endif /* DRMFAULT_TOOL_H */
