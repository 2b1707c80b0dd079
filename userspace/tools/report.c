// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "foreign.h"
#include "input.h"
#include "report.h"

#define MODE 0644

/* From here on what is printed goes to a file that was not there. */
static int begin_output(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE);

	if (fd < 0 && errno == EEXIST)
		return complain_of(path, "it is there already: choose another name, or remove it");
	if (fd < 0)
		return complain_of(path, strerror(errno));
	if (dup2(fd, STDOUT_FILENO) < 0) {
		unlink(path);
		return complain_of(path, strerror(errno));
	}
	close(fd);
	return EXIT_SUCCESS;
}

/* What is not whole is not left. */
static int end_output(const char *path, int ret)
{
	if (finish_output())
		ret = EXIT_FAILURE;
	if (path && ret)
		unlink(path);
	return ret;
}

static int print(const struct report *report)
{
	const struct options *options = report->options;
	int ret;

	if (options->output && begin_output(options->output))
		return EXIT_FAILURE;
	if (options->html)
		ret = report_print_html(report);
	else if (options->json)
		ret = report_print_json(report);
	else
		ret = report_print_text(report);
	ret = end_output(options->output, ret);
	if (!ret && drmfault_dump_finding_count(report->dump))
		fprintf(stderr, "drmfault: %s: it is damaged; `drmfault decode` says where\n",
			report->file);
	return ret;
}

static int report_bytes(const struct bytes *bytes, const struct options *options)
{
	struct report report = { .file = input_name(options->args[0]), .options = options };
	struct drmfault_dump *dump;
	int ret = drmfault_dump_open_memory(bytes->data, bytes->size, &dump);

	if (ret == -EBADMSG && foreign_recognise(bytes->data, bytes->size))
		return complain_of(report.file,
				   "a dump that the driver itself made: `drmfault decode` "
				   "prints what is known of it");
	if (ret)
		return complain_of(report.file, drmfault_explain(ret));
	report.dump = dump;
	ret = print(&report);
	drmfault_dump_free(dump);
	return ret;
}

static int check_usage(const struct options *options)
{
	if (options->html && options->json)
		fputs("drmfault: --html and --json exclude each other\n", stderr);
	else if (options->html && !options->output && isatty(STDOUT_FILENO))
		fputs("drmfault: a page is not for a terminal: name a file by --output\n", stderr);
	else
		return 0;
	return EXIT_USAGE;
}

static int run(const struct options *options)
{
	const char *word = options->args[0];
	struct bytes bytes;
	int ret = check_usage(options);

	if (ret)
		return ret;
	ret = input_read(word, options, &bytes);
	if (ret)
		return ret;
	ret = report_bytes(&bytes, options);
	if (bytes.damaged)
		complain_of(input_name(word), "its compression is damaged, or cut off");
	free(bytes.data);
	return ret;
}

const struct command command_report = {
	.name = "report",
	.summary = "Tell what a dump means: text, JSON, or a page to look at",
	.options = "jHofD",
	.arguments = "FILE|ID",
	.missing = "name a file, - for the standard input, or a stored dump",
	.most = 1,
	.run = run,
};
