// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dump.h"
#include "export.h"

#define MODE 0640

enum form {
	FORM_RAW,
	FORM_APPORT,
	FORM_ABRT,
	FORMS,
};

static const char *const forms[] = { "raw", "apport", "abrt" };

static enum form parse_form(const char *text)
{
	enum form form;

	for (form = 0; text && form < FORMS; form++)
		if (!strcmp(forms[form], text))
			return form;
	return text ? FORMS : FORM_RAW;
}

static int fail(const char *path, int error)
{
	const char *why = strerror(-error);

	if (error == -EEXIST)
		why = "it is there already: choose another name, or remove it";
	else if (error == -ENOENT)
		why = "there is no such folder";
	else if (error == -ENOPKG)
		why = "gzip, which this format needs, is not installed";
	fprintf(stderr, "drmfault: cannot write %s: %s\n", path, why);
	return EXIT_FAILURE;
}

/* The decoder prints to the standard output, which this lends it a text for. */
static char *decoded_text(const struct bytes *dump)
{
	static const struct options plain = { 0 };
	FILE *own = stdout;
	size_t size = 0;
	char *text = NULL;

	stdout = open_memstream(&text, &size);
	if (stdout) {
		if (decode_knows(dump))
			decode_bytes(dump, "The dump", &plain);
		else
			puts("A dump of the driver's own, which drmfault does not decode.");
		fclose(stdout);
	}
	stdout = own;
	return text;
}

static int to_file(void *data, const void *bytes, size_t size)
{
	errno = EIO;
	return fwrite(bytes, 1, size, data) == size ? 0 : -errno;
}

/* -EBADMSG: all that could be read is written. */
static int write_raw(struct store *store, const char *id, FILE *file)
{
	int ret = store_read(store, id, STORE_DUMP, to_file, file);

	if (fflush(file) && (!ret || ret == -EBADMSG))
		ret = -errno;
	return ret;
}

static int gather(struct store *store, const char *id, struct exported *exported)
{
	int ret = stored_bytes(store, id, STORE_DUMP, &exported->dump);

	if (ret && ret != -EBADMSG)
		return ret;
	stored_bytes(store, id, STORE_LOG, &exported->log);
	exported->text = decoded_text(&exported->dump);
	return exported->text ? ret : -ENOMEM;
}

static int export_to_file(struct store *store, const char *id, const struct exported *exported,
			  const char *path)
{
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE) : -1, ret;
	FILE *file = path ? NULL : stdout;

	if (path && fd < 0)
		return -errno;
	if (path)
		file = fdopen(fd, "w");
	if (!file) {
		close(fd);
		return -ENOMEM;
	}
	ret = exported ? export_apport(exported, file) : write_raw(store, id, file);
	if (path && fclose(file) && !ret)
		ret = -errno;
	/* What is not whole is not left, unless the dump itself is not. */
	if (path && ret && ret != -EBADMSG)
		unlink(path);
	return ret;
}

static int export_as(enum form form, struct store *store, const char *id, const json_t *meta,
		     const struct options *options)
{
	struct exported exported = { .meta = meta };
	const char *path = options->output;
	int ret = 0, damaged = 0;

	if (form != FORM_RAW) {
		ret = gather(store, id, &exported);
		damaged = ret == -EBADMSG ? ret : 0;
		ret = damaged ? 0 : ret;
	}
	if (!ret && form == FORM_ABRT)
		ret = export_abrt(&exported, path);
	else if (!ret)
		ret = export_to_file(store, id, form == FORM_APPORT ? &exported : NULL, path);
	free(exported.dump.data);
	free(exported.log.data);
	free(exported.text);
	if (ret && ret != -EBADMSG)
		return fail(path ? path : "the output", ret);
	return ret || damaged ? stored_complain(id, -EBADMSG) : EXIT_SUCCESS;
}

/* A usage error, after saying which; else 0. */
static int check_usage(enum form form, const struct options *options)
{
	if (form == FORMS)
		fputs("drmfault: --format is raw, apport or abrt\n", stderr);
	else if (form == FORM_ABRT && !options->output)
		fputs("drmfault: name the problem directory to make by --output\n", stderr);
	else if (!options->output && isatty(STDOUT_FILENO))
		fputs("drmfault: a dump is not for a terminal: name a file by --output\n", stderr);
	else
		return 0;
	return EXIT_USAGE;
}

static int run(const struct options *options)
{
	enum form form = parse_form(options->format);
	int ret = check_usage(form, options);
	char id[STORE_ID_SIZE];
	struct store *store;
	json_t *meta;

	if (ret)
		return ret;
	ret = stored_open(options, &store);
	if (ret)
		return ret;
	ret = stored_find(store, options->args[0], id);
	if (!ret) {
		meta = stored_load(store, id, true);
		ret = meta ? export_as(form, store, id, meta, options) : EXIT_FAILURE;
		json_decref(meta);
	}
	store_close(store);
	return ret;
}

const struct command command_export = {
	.name = "export",
	.summary = "Write a dump that was collected to a file, or as a report",
	.options = "oFD",
	.arguments = "ID",
	.missing = "name a dump by its ID, or as \"latest\"; `drmfault list` shows them",
	.most = 1,
	.formats = "raw (as the kernel gave it), apport (a file for /var/crash) or abrt (a "
		   "problem directory)",
	.run = run,
};
