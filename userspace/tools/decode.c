// SPDX-License-Identifier: MIT
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "foreign.h"
#include "input.h"
#include "stored.h"

/* What is wrong goes where errors go, so that the rest can be used. */
static void print_findings(const struct drmfault_dump *dump, const char *file)
{
	struct drmfault_dump_finding finding = { .size = sizeof(finding) };
	struct drmfault_dump_section section = { .size = sizeof(section) };
	const char *name;
	size_t i;

	for (i = 0; !drmfault_dump_finding(dump, i, &finding); i++) {
		fprintf(stderr, "drmfault: %s: %s at byte %" PRIu64, file,
			drmfault_dump_damage_name(finding.damage), finding.offset);
		if (!drmfault_dump_section(dump, finding.section, &section)) {
			name = drmfault_dump_type_name(section.type);
			fprintf(stderr, ", in section %" PRIu32, finding.section);
			if (name)
				fprintf(stderr, " (%s)", name);
		}
		fputc('\n', stderr);
	}
}

static int decode_dump(const struct drmfault_dump *dump, const char *file,
		       const struct options *options)
{
	int ret = EXIT_SUCCESS;

	if (options->json) {
		ret = print_json(dump_json(dump, file, options));
	} else {
		dump_print(dump, file, options);
		fflush(stdout);
		print_findings(dump, file);
	}
	return options->strict && drmfault_dump_finding_count(dump) ? EXIT_FAILURE : ret;
}

static int decode_foreign(const struct foreign *foreign, const char *file,
			  const struct bytes *bytes, const struct options *options)
{
	if (options->json)
		return print_json(foreign_json(foreign, file, bytes->data, bytes->size));
	foreign_print(foreign, file, bytes->data, bytes->size);
	return EXIT_SUCCESS;
}

int decode_bytes(const struct bytes *bytes, const char *file, const struct options *options)
{
	const struct foreign *foreign;
	struct drmfault_dump *dump;
	int ret = drmfault_dump_open_memory(bytes->data, bytes->size, &dump);

	if (!ret) {
		ret = decode_dump(dump, file, options);
		drmfault_dump_free(dump);
		return ret;
	}
	foreign = ret == -EBADMSG ? foreign_recognise(bytes->data, bytes->size) : NULL;
	return foreign ? decode_foreign(foreign, file, bytes, options)
		       : complain_of(file, drmfault_explain(ret));
}

bool decode_knows(const struct bytes *bytes)
{
	struct drmfault_dump *dump;

	if (drmfault_dump_open_memory(bytes->data, bytes->size, &dump))
		return foreign_recognise(bytes->data, bytes->size);
	drmfault_dump_free(dump);
	return true;
}

json_t *decode_json(const struct bytes *bytes, const char *file, const struct options *options)
{
	const struct foreign *foreign;
	struct drmfault_dump *dump;
	json_t *json;

	if (!drmfault_dump_open_memory(bytes->data, bytes->size, &dump)) {
		json = dump_json(dump, file, options);
		drmfault_dump_free(dump);
		return json;
	}
	foreign = foreign_recognise(bytes->data, bytes->size);
	return foreign ? foreign_json(foreign, file, bytes->data, bytes->size) : json_null();
}

static int decode_file(const char *path, const struct options *options)
{
	const char *file = input_name(path);
	struct bytes bytes;
	int ret = input_read(path, options, &bytes);

	if (ret)
		return ret;
	ret = decode_bytes(&bytes, file, options);
	if (bytes.damaged) {
		complain_of(file, "its compression is damaged, or cut off");
		ret = options->strict ? EXIT_FAILURE : ret;
	}
	free(bytes.data);
	return ret;
}

static int run(const struct options *options)
{
	int i, ret = EXIT_SUCCESS;

	for (i = 0; i < options->arg_count; i++) {
		if (i && !options->json)
			putchar('\n');
		if (decode_file(options->args[i], options))
			ret = EXIT_FAILURE;
	}
	return finish_output() ? EXIT_FAILURE : ret;
}

const struct command command_decode = {
	.name = "decode",
	.summary = "Print what a dump holds: devcoredump, vendor binary, stored file",
	.options = "jlfsD",
	.arguments = "FILE|ID...",
	.missing = "name a file, the ID of a stored dump, or - for the standard input",
	.most = INT_MAX,
	.run = run,
};
