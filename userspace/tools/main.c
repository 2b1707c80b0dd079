// SPDX-License-Identifier: MIT
#include <argp.h>
#include <errno.h>
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store.h"
#include "tool.h"
#include "when.h"

#define NS_PER_S 1e9
#define US_PER_S INT64_C(1000000)

static const struct command *const commands[] = {
	&command_decode, &command_devices, &command_doctor, &command_export, &command_list,
	&command_report, &command_rm,	   &command_run,    &command_show,   &command_watch,
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static const struct argp_option option_table[] = {
	{ "json", 'j', NULL, 0, "Print JSON", 0 },
	{ "html", 'H', NULL, 0, "Write a page for a browser, all in one file", 0 },
	{ "long", 'l', NULL, 0, "Print all values of each record", 0 },
	{ "strict", 's', NULL, 0, "Fail if anything is damaged", 0 },
	{ "all", 'a', NULL, 0, "Faults of all processes (the default, needs CAP_PERFMON)", 0 },
	{ "pid", 'p', "PID", 0, "Faults of one process", 0 },
	{ "device", 'd', "ID", 0, "Faults of one GPU, by its number (needs CAP_PERFMON)", 0 },
	{ "filter", 'f', "FIELD=VALUE", 0,
	  "Only records whose FIELD (as JSON has it) is VALUE; repeat it for more", 0 },
	{ "count", 'n', "N", 0, "End after N records", 0 },
	{ "timeout", 't', "SECONDS", 0, "End after so many seconds", 0 },
	{ "since", 'S', "TIME", 0, "Only dumps from then on: " WHEN_FORMS, 0 },
	{ "until", 'U', "TIME", 0, "Only dumps until then", 0 },
	{ "driver", 'r', "NAME", 0, "Only dumps of GPUs of this driver", 0 },
	{ "comm", 'c', "NAME", 0, "Only dumps of processes with this name", 0 },
	{ "boot", 'b', "ID", 0, "Only dumps of this boot; 0 is the one that runs", 0 },
	{ "limit", 'N', "N", 0, "Only the newest N", 0 },
	{ "group", 'g', NULL, 0, "Count the dumps with the same fingerprint", 0 },
	{ "format", 'F', "FORMAT", 0, NULL, 0 },
	{ "output", 'o', "FILE", 0, "Write there; nothing may be there yet", 0 },
	{ "log", 'L', NULL, 0, "Print the kernel log as well", 0 },
	{ "all", 'A', NULL, 0, "Remove every dump; needs --yes", 0 },
	{ "yes", 'y', NULL, 0, "Do it without being asked", 0 },
	{ "watchdog", 'w', "MS", 0, "Report a wait for the GPU that takes longer, once", 0 },
	{ "store", 'D', "FOLDER", 0, "Where the dumps are, instead of " STORE_FOLDER, 0 },
	{ 0 },
};

#define OPTIONS (sizeof(option_table) / sizeof(option_table[0]) - 1)

static uint64_t parse_number(struct argp_state *state, const char *what, const char *text,
			     uint64_t max)
{
	unsigned long long value;
	char *end;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (errno || end == text || *end || *text == '-' || !value || value > max)
		argp_error(state, "%s must be a number from 1 to %llu, not \"%s\"", what,
			   (unsigned long long)max, text);
	return value;
}

static uint64_t parse_seconds(struct argp_state *state, const char *text)
{
	double value;
	char *end;

	value = strtod(text, &end);
	if (end == text || *end || !(value >= 0 && value <= 1e9))
		argp_error(state, "the timeout must be a number of seconds, not \"%s\"", text);
	return (uint64_t)(value * NS_PER_S);
}

static int64_t parse_moment(struct argp_state *state, const char *text)
{
	int64_t when_us;

	if (!parse_when(text, (int64_t)time(NULL) * US_PER_S, &when_us))
		argp_error(state, "\"%s\" is no time: write " WHEN_FORMS, text);
	return when_us;
}

/* Options of stored dumps. */
static error_t parse_stored(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'S':
		options->since_us = parse_moment(state, arg);
		return 0;
	case 'U':
		options->until_us = parse_moment(state, arg);
		return 0;
	case 'r':
		options->driver = arg;
		return 0;
	case 'c':
		options->comm = arg;
		return 0;
	case 'b':
		options->boot = arg;
		return 0;
	case 'N':
		options->count = parse_number(state, "N", arg, UINT64_MAX);
		return 0;
	case 'g':
		options->group = true;
		return 0;
	case 'F':
		options->format = arg;
		return 0;
	case 'o':
		options->output = arg;
		return 0;
	case 'L':
		options->log = true;
		return 0;
	case 'A':
		options->every = true;
		return 0;
	case 'y':
		options->yes = true;
		return 0;
	case 'D':
		options->store = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* What follows the options. */
static error_t parse_arguments(int key, struct argp_state *state)
{
	struct options *options = state->input;
	const struct command *command = options->command;

	switch (key) {
	case ARGP_KEY_ARG:
		/* Then all come at once, as ARGP_KEY_ARGS. */
		return ARGP_ERR_UNKNOWN;
	case ARGP_KEY_ARGS:
		options->args = state->argv + state->next;
		options->arg_count = state->argc - state->next;
		if (options->arg_count > command->most)
			argp_error(state, "\"%s\" is one word too many",
				   options->args[command->most]);
		return 0;
	case ARGP_KEY_NO_ARGS:
		if (command->missing)
			argp_error(state, "%s", command->missing);
		return 0;
	case ARGP_KEY_SUCCESS:
		if (options->all + !!options->pid + !!options->device > 1)
			argp_error(state, "--all, --pid and --device exclude each other");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *options = state->input;
	char message[256];

	switch (key) {
	case 'j':
		options->json = true;
		return 0;
	case 'H':
		options->html = true;
		return 0;
	case 'l':
		options->full = true;
		return 0;
	case 's':
		options->strict = true;
		return 0;
	case 'f':
		if (filters_add(&options->filters, arg, message, sizeof(message)))
			argp_error(state, "%s", message);
		return 0;
	case 'a':
		options->all = true;
		return 0;
	case 'p':
		options->pid = (pid_t)parse_number(state, "PID", arg, INT32_MAX);
		return 0;
	case 'd':
		options->device = (uint32_t)parse_number(state, "ID", arg, UINT32_MAX);
		return 0;
	case 'n':
		options->count = parse_number(state, "N", arg, UINT64_MAX);
		return 0;
	case 'w':
		options->watchdog_ms = (uint32_t)parse_number(state, "MS", arg, INT32_MAX);
		return 0;
	case 't':
		options->timeout_ns = parse_seconds(state, arg);
		return 0;
	default:
		if (parse_stored(key, arg, state) == 0)
			return 0;
		return parse_arguments(key, state);
	}
}

static void print_version(FILE *file, struct argp_state *state)
{
	(void)state;
	fprintf(file, "drmfault %s\n", drmfault_version());
}

static int run_command(const struct command *command, int argc, char **argv)
{
	struct argp_option allowed[OPTIONS + 1] = { 0 };
	struct argp argp = {
		.options = allowed,
		.parser = parse_option,
		.args_doc = command->arguments,
		.doc = command->summary,
	};
	struct options options = {
		.command = command,
		.timeout_ns = DRMFAULT_FOREVER,
		.since_us = INT64_MIN,
		.until_us = INT64_MAX,
	};
	char name[64];
	size_t i, n = 0;

	for (i = 0; i < OPTIONS; i++) {
		if (!strchr(command->options, option_table[i].key))
			continue;
		allowed[n] = option_table[i];
		if (!allowed[n].doc)
			allowed[n].doc = command->formats;
		n++;
	}
	snprintf(name, sizeof(name), "drmfault %s", command->name);
	argv[0] = name;
	argp_parse(&argp, argc, argv, command->flags, NULL, &options);
	return command->run(&options);
}

static int print_usage(FILE *file)
{
	size_t i;

	fputs("Usage: drmfault COMMAND [OPTION...]\n\n"
	      "Tells why a GPU stopped: which process, which address, which access.\n\n"
	      "Commands:\n",
	      file);
	for (i = 0; i < COMMANDS; i++)
		fprintf(file, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\n`drmfault COMMAND --help` lists a command's options.\n", file);
	return file == stderr ? EXIT_USAGE : finish_output();
}

int main(int argc, char **argv)
{
	size_t i;

	setlocale(LC_ALL, "");
	/*
	 * The JSON of a record has a table so large that malloc() first merges all small
	 * blocks that were freed, each time. Without such blocks it has nothing to merge.
	 */
	mallopt(M_MXFAST, 0);
	argp_err_exit_status = EXIT_USAGE;
	argp_program_version_hook = print_version;
	if (argc < 2)
		return print_usage(stderr);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return print_usage(stdout);
	if (!strcmp(argv[1], "--version")) {
		print_version(stdout, NULL);
		return finish_output();
	}
	for (i = 0; i < COMMANDS; i++)
		if (!strcmp(argv[1], commands[i]->name))
			return run_command(commands[i], argc - 1, argv + 1);
	fprintf(stderr, "drmfault: there is no command \"%s\"; `drmfault --help` lists them\n",
		argv[1]);
	return EXIT_USAGE;
}
