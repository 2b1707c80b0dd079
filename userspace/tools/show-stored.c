// SPDX-License-Identifier: MIT
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dump.h"
#include "show.h"
#include "stored.h"
#include "value.h"

#define TIME_SIZE 32
#define TEXT_SIZE 1024

/* What is printed of the metadata, if it is there: LABEL, and where it is. */
static const struct {
	const char *label;
	const char *key;
	const char *sub;
} lines[] = {
	{ "driver", "driver", NULL },
	{ "GPU", "gpu", NULL },
	{ "device", "device", NULL },
	{ "bus", "bus", NULL },
	{ "PCI id", "pci_id", NULL },
	{ "kernel", "kernel", NULL },
	{ "boot", "boot_id", NULL },
	{ "host", "hostname", NULL },
	{ "executable", "process", "exe" },
	{ "command", "process", "cmdline" },
	{ "unit", "process", "unit" },
	{ "hung", "hang", "comm" },
	{ "ring", "hang", "ring" },
	{ "Vulkan", "vulkan_driver", "library" },
	{ "package", "vulkan_driver", "package" },
	{ "version", "vulkan_driver", "version" },
	{ "address is", "fault", "relation" },
	{ "same as", "fingerprint", NULL },
};

static void print_line(const char *label, const char *text)
{
	char clean[TEXT_SIZE];

	if (*text)
		printf("  %-12s %s\n", label, clean_text(text, clean, sizeof(clean)));
}

static void print_process(const json_t *meta)
{
	char comm[VALUE_TEXT];

	if (!json_object_get(meta, "process"))
		return;
	printf("  %-12s %s[%" PRId64 "]", "process",
	       clean_text(meta_text(meta, "process", "comm"), comm, sizeof(comm)),
	       meta_number(meta, "process", "pid"));
	if (json_object_get(json_object_get(meta, "process"), "uid"))
		printf(" of user %" PRId64, meta_number(meta, "process", "uid"));
	putchar('\n');
}

static void print_damage(const json_t *meta)
{
	const json_t *damage = json_object_get(meta, "damage"), *word;
	size_t i;

	json_array_foreach(damage, i, word) if (json_is_string(word))
		print_line("damage", json_string_value(word));
}

static void print_meta(const json_t *meta)
{
	char summary[SUMMARY_SIZE], time[TIME_SIZE];
	size_t i;

	printf("%s: %s\n", meta_text(meta, "id", NULL), stored_summary(meta, summary));
	print_line("collected", stored_time(meta, "time_us", time, sizeof(time)));
	print_process(meta);
	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		print_line(lines[i].label, meta_text(meta, lines[i].key, lines[i].sub));
	print_damage(meta);
	if (meta_number(meta, "size", NULL))
		printf("  %-12s %" PRId64 " bytes, stored in %" PRId64 "\n", "size",
		       meta_number(meta, "size", NULL), meta_number(meta, "stored_size", NULL));
}

/* Line by line: a newline is what a terminal shall obey. */
static void print_log(const struct bytes *log)
{
	const char *line = (const char *)log->data, *end = line + log->size, *next;
	char text[TEXT_SIZE], clean[TEXT_SIZE];

	puts("\nThe kernel log around it:");
	for (; line < end; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (!next)
			next = end;
		snprintf(text, sizeof(text), "%.*s", (int)(next - line), line);
		printf("  %s\n", clean_text(text, clean, sizeof(clean)));
	}
}

static int print_text(const json_t *meta, const struct bytes *dump, const struct bytes *log,
		      const struct options *options)
{
	const char *id = meta_text(meta, "id", NULL);

	print_meta(meta);
	if (dump->size) {
		putchar('\n');
		if (decode_knows(dump))
			decode_bytes(dump, "The dump", options);
		else
			printf("The dump is the driver's own: `drmfault export %s` gives it.\n",
			       id);
	}
	if (options->log && log->size)
		print_log(log);
	else if (options->log)
		puts("\nOf the kernel log, nothing was kept.");
	return EXIT_SUCCESS;
}

/* A log may have any bytes; JSON is UTF-8. */
static json_t *log_json(const struct bytes *log)
{
	json_t *text = json_stringn((const char *)log->data, log->size);
	size_t i;

	for (i = 0; !text && i < log->size; i++)
		if (log->data[i] >= 0x80)
			log->data[i] = '?';
	return text ? text : json_stringn((const char *)log->data, log->size);
}

static int print_all_json(json_t *meta, const struct bytes *dump, const struct bytes *log,
			  const struct options *options)
{
	json_t *decoded = decode_json(dump, meta_text(meta, "id", NULL), options);

	return print_json(json_pack("{s:O, s:o, s:o}", "meta", meta, "dump", decoded, "log",
				    log->data ? log_json(log) : json_null()));
}

/* A file that is damaged is shown as far as it is good; one that lacks is empty. */
static int read_part(struct store *store, const char *id, const char *name, bool needed,
		     struct bytes *bytes)
{
	int ret = stored_bytes(store, id, name, bytes);

	if (!ret || (!needed && ret == -ENOENT))
		return EXIT_SUCCESS;
	fprintf(stderr, "drmfault: %s: its %s is %s\n", id, name,
		ret == -EBADMSG	 ? "damaged, or cut off"
		: ret == -ENOENT ? "missing"
				 : "not to be read");
	return EXIT_FAILURE;
}

int show_stored(const struct options *options)
{
	struct bytes dump = { 0 }, log = { 0 };
	char id[STORE_ID_SIZE];
	struct store *store;
	json_t *meta = NULL;
	int ret = stored_open(options, &store);

	if (ret)
		return ret;
	ret = stored_find(store, options->args[0], id);
	if (!ret) {
		meta = stored_load(store, id, true);
		ret = meta ? EXIT_SUCCESS : EXIT_FAILURE;
	}
	if (meta) {
		ret = read_part(store, id, STORE_DUMP, true, &dump);
		if (options->log)
			ret |= read_part(store, id, STORE_LOG, false, &log);
		ret |= options->json ? print_all_json(meta, &dump, &log, options)
				     : print_text(meta, &dump, &log, options);
	}
	free(dump.data);
	free(log.data);
	json_decref(meta);
	store_close(store);
	return finish_output() ? EXIT_FAILURE : ret;
}
