// SPDX-License-Identifier: MIT
/* drmfault-collect: stores the kernel's dumps of GPUs. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect.h"
#include "device.h"
#include "facts.h"
#include "report.h"

#define EXIT_USAGE 2

/* Dumps have secrets of the process. */
#define UMASK 0027

struct command_line {
	struct collector collector;
	const char *store;
	bool all;
};

static const char usage[] =
	"Usage: drmfault-collect [OPTION...] DEVCOREDUMP...\n"
	"  or:  drmfault-collect [OPTION...] --all\n"
	"\n"
	"Stores dumps of GPUs that the kernel has, \"devcd3\", and frees the kernel's copies.\n"
	"\n"
	"  -a, --all          All dumps that there are\n"
	"  -k, --keep         Leave the kernel's copies where they are\n"
	"  -s, --store=DIR    Store them there and not in /var/lib/drmfault\n"
	"  -r, --root=DIR     Take DIR for /: its sys, proc, dev, etc and var\n"
	"  -h, --help         Print this list\n"
	"  -V, --version      Print the version\n";

/* The exit status, or -1 to go on. */
static int parse(int argc, char **argv, struct command_line *line)
{
	static const struct option options[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "keep", no_argument, NULL, 'k' },
		{ "store", required_argument, NULL, 's' },
		{ "root", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "aks:r:hV", options, NULL)) != -1) {
		switch (option) {
		case 'a':
			line->all = true;
			break;
		case 'k':
			line->collector.keep = true;
			break;
		case 's':
			line->store = optarg;
			break;
		case 'r':
			line->collector.root = optarg;
			break;
		case 'h':
			return fputs(usage, stdout) < 0 || fflush(stdout) ? EXIT_FAILURE
									  : EXIT_SUCCESS;
		case 'V':
			return puts("drmfault-collect " DRMFAULT_VERSION) < 0 || fflush(stdout)
				       ? EXIT_FAILURE
				       : EXIT_SUCCESS;
		default:
			fputs("Try `drmfault-collect --help`.\n", stderr);
			return EXIT_USAGE;
		}
	}
	return -1;
}

/* What is named must be dumps, and something must be. */
static int check_names(int count, char **names, bool all)
{
	int i;

	if (all == (count > 0)) {
		fputs(all ? "drmfault-collect: --all goes without names\n"
			  : "drmfault-collect: name a dump of /sys/class/devcoredump, or use "
			    "--all\n",
		      stderr);
		return EXIT_USAGE;
	}
	for (i = 0; i < count; i++) {
		if (device_is_dump(names[i]))
			continue;
		fprintf(stderr,
			"drmfault-collect: \"%s\" is no dump: they are called devcd and a number, "
			"see "
			"/sys/class/devcoredump\n",
			names[i]);
		return EXIT_USAGE;
	}
	return 0;
}

/* Says it of each dump that waits: that is what somebody looks for. */
static int no_store(const struct command_line *line, int count, char **names, int error)
{
	char sentence[1024];
	json_t *meta;
	int i;

	for (i = 0; i < count || !i; i++) {
		meta = json_object();
		if (count)
			facts_set(meta, "devcoredump", names[i]);
		snprintf(sentence, sizeof(sentence),
			 "%s cannot be opened to store %s in it: %s; %s",
			 line->store ? line->store : STORE_FOLDER, count ? names[i] : "dumps",
			 strerror(-error),
			 error == -EACCES || error == -EPERM
				 ? "run this as root"
				 : "see to it: the kernel keeps dumps for some minutes only");
		report_failed(meta, error, sentence);
		json_decref(meta);
	}
	return COLLECT_FAILED;
}

int main(int argc, char **argv)
{
	struct command_line line = { .collector = { .root = "" } };
	enum collect_status status, worst = COLLECT_DONE;
	int i, ret = parse(argc, argv, &line);

	if (ret >= 0)
		return ret;
	ret = check_names(argc - optind, argv + optind, line.all);
	if (ret)
		return ret;
	umask(UMASK);
	/* Of another system's dumps this one's journal is not to tell. */
	if (*line.collector.root)
		report_to_stderr();
	ret = collector_open(&line.collector, line.store, report_warning);
	if (ret)
		return no_store(&line, argc - optind, argv + optind, ret);
	if (line.all)
		worst = collect_all(&line.collector);
	for (i = optind; i < argc; i++) {
		status = collect_dump(&line.collector, argv[i]);
		if (status == COLLECT_FAILED || !worst)
			worst = status;
	}
	collector_close(&line.collector);
	return worst;
}
