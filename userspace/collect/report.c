// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <syslog.h>
#include <unistd.h>
#ifdef HAVE_SYSTEMD
/* Where in this file an entry is made tells nobody anything. */
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>
#endif

#include "report.h"

#define MESSAGE_SIZE 1024
/* With a path in it. */
#define SENTENCE_MAX (PATH_MAX + MESSAGE_SIZE)
#define FIELDS_MAX   64

/* The fields of an entry, and where in the metadata their values are. */
static const struct {
	const char *field;
	const char *object;
	const char *key;
} fields[] = {
	{ "DRMFAULT_ID", NULL, "id" },
	{ "DRMFAULT_DRIVER", NULL, "driver" },
	{ "DRMFAULT_DEVICE", NULL, "device" },
	{ "DRMFAULT_BUS", NULL, "bus" },
	{ "DRMFAULT_SUBSYSTEM", NULL, "subsystem" },
	{ "DRMFAULT_PCI_ID", NULL, "pci_id" },
	{ "DRMFAULT_GPU", NULL, "gpu" },
	{ "DRMFAULT_DEVCOREDUMP", NULL, "devcoredump" },
	{ "DRMFAULT_FORMAT", NULL, "format" },
	{ "DRMFAULT_SIZE", NULL, "size" },
	{ "DRMFAULT_STORED_SIZE", NULL, "stored_size" },
	{ "DRMFAULT_KERNEL", NULL, "kernel" },
	{ "DRMFAULT_FINGERPRINT", NULL, "fingerprint" },
	{ "DRMFAULT_ACCESS", "fault", "access" },
	{ "DRMFAULT_FAULT_TYPE", "fault", "type" },
	{ "DRMFAULT_ENGINE", "fault", "engine" },
	{ "DRMFAULT_ADDRESS", "fault", "address" },
	{ "DRMFAULT_EVENTS", "fault", "events" },
	{ "DRMFAULT_DUMPS_SKIPPED", "fault", "dumps_skipped" },
	{ "DRMFAULT_PID", "process", "pid" },
	{ "DRMFAULT_UID", "process", "uid" },
	{ "DRMFAULT_COMM", "process", "comm" },
	{ "DRMFAULT_EXE", "process", "exe" },
	{ "DRMFAULT_CMDLINE", "process", "cmdline" },
	{ "DRMFAULT_UNIT", "process", "unit" },
	/* journald adds what it knows of that process, as OBJECT_... */
	{ "OBJECT_PID", "process", "pid" },
	{ "DRMFAULT_HANG_PID", "hang", "pid" },
	{ "DRMFAULT_HANG_COMM", "hang", "comm" },
	{ "DRMFAULT_VULKAN_LIBRARY", "vulkan_driver", "library" },
	{ "DRMFAULT_VULKAN_PACKAGE", "vulkan_driver", "package" },
	{ "DRMFAULT_VULKAN_VERSION", "vulkan_driver", "version" },
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static bool no_journal;

struct entry {
	struct iovec parts[FIELDS_MAX];
	int count;
};

static void add(struct entry *entry, const char *field, const char *value)
{
	char *text;
	int length;

	if (entry->count == FIELDS_MAX)
		return;
	length = asprintf(&text, "%s=%s", field, value);
	if (length < 0)
		return;
	entry->parts[entry->count++] = (struct iovec){ text, (size_t)length };
}

static void add_number(struct entry *entry, const char *field, int64_t value)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRId64, value);
	add(entry, field, text);
}

static void add_meta(struct entry *entry, const json_t *meta)
{
	const json_t *from, *value;
	size_t i;

	for (i = 0; i < FIELDS; i++) {
		from = fields[i].object ? json_object_get(meta, fields[i].object) : meta;
		value = json_object_get(from, fields[i].key);
		if (json_is_string(value))
			add(entry, fields[i].field, json_string_value(value));
		else if (json_is_integer(value))
			add_number(entry, fields[i].field, json_integer_value(value));
	}
}

/* Of a service the standard error is the journal as well: nothing is to be there twice. */
static bool stderr_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	struct stat status;
	uint64_t device, inode;

	return stream && sscanf(stream, "%" SCNu64 ":%" SCNu64, &device, &inode) == 2 &&
	       !fstat(STDERR_FILENO, &status) && status.st_dev == device && status.st_ino == inode;
}

void report_to_stderr(void)
{
	no_journal = true;
}

static bool send(const struct entry *entry)
{
#ifdef HAVE_SYSTEMD
	return !no_journal && sd_journal_sendv(entry->parts, entry->count) >= 0;
#else
	(void)entry;
	return false;
#endif
}

/* A process chooses its name, and neither a terminal nor a log is to obey it. */
static void make_plain(char *text)
{
	unsigned char *c = (unsigned char *)text;

	for (; *c; c++) {
		if (*c < 0x20 || *c == 0x7f)
			*c = '?';
		/* U+0080 to U+009F, which are control characters as well. */
		if (*c == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f)
			c[0] = c[1] = '?';
	}
}

static void report(struct entry *entry, int priority, const char *text)
{
	char sentence[SENTENCE_MAX];
	int i;

	snprintf(sentence, sizeof(sentence), "%s", text);
	make_plain(sentence);
	add(entry, "MESSAGE", sentence);
	add(entry, "SYSLOG_IDENTIFIER", "drmfault-collect");
	add_number(entry, "PRIORITY", priority);
	if (!send(entry) || !stderr_is_journal())
		fprintf(stderr, "drmfault-collect: %s\n", sentence);
	for (i = 0; i < entry->count; i++)
		free(entry->parts[i].iov_base);
}

static const char *text_of(const json_t *meta, const char *object, const char *key)
{
	const char *text;

	if (object)
		meta = json_object_get(meta, object);
	text = json_string_value(json_object_get(meta, key));
	return text ? text : "";
}

/* "write fault (not present) of vkcube (1234) on amdgpu 0000:03:00.0" */
static void describe(const json_t *meta, char message[MESSAGE_SIZE])
{
	const char *access = text_of(meta, "fault", "access");
	const char *type = text_of(meta, "fault", "type");
	const char *driver = text_of(meta, NULL, "driver");
	json_int_t pid =
		json_integer_value(json_object_get(json_object_get(meta, "process"), "pid"));
	FILE *to = fmemopen(message, MESSAGE_SIZE, "w");

	*message = '\0';
	if (!to)
		return;
	if (json_object_get(meta, "fault"))
		fprintf(to, "%s%sfault%s%s%s", access, *access ? " " : "", *type ? " (" : "", type,
			*type ? ")" : "");
	else
		fputs("dump", to);
	if (pid)
		fprintf(to, " of %s (%" JSON_INTEGER_FORMAT ")", text_of(meta, "process", "comm"),
			pid);
	fprintf(to, " on %s %s", *driver ? driver : "an unknown driver's",
		*text_of(meta, NULL, "bus") ? text_of(meta, NULL, "bus") : "device");
	fclose(to);
}

void report_stored(const json_t *meta, const char *folder)
{
	char what[MESSAGE_SIZE], message[2 * MESSAGE_SIZE];
	struct entry entry = { .count = 0 };
	const char *id = text_of(meta, NULL, "id");

	describe(meta, what);
	snprintf(message, sizeof(message), "GPU %s: stored, see `drmfault show %s`", what, id);
	add(&entry, "MESSAGE_ID", REPORT_STORED);
	add_meta(&entry, meta);
	snprintf(what, sizeof(what), "%s/%s", folder, id);
	add(&entry, "DRMFAULT_FOLDER", what);
	report(&entry, LOG_ERR, message);
}

void report_failed(const json_t *meta, int error, const char *sentence)
{
	struct entry entry = { .count = 0 };

	add(&entry, "MESSAGE_ID", REPORT_FAILED);
	add_meta(&entry, meta);
	add_number(&entry, "ERRNO", -error);
	report(&entry, LOG_ERR, sentence);
}

void report_warning(const char *sentence)
{
	struct entry entry = { .count = 0 };

	report(&entry, LOG_WARNING, sentence);
}

void report_note(const char *sentence)
{
	struct entry entry = { .count = 0 };

	report(&entry, LOG_INFO, sentence);
}
