// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dump.h"
#include "value.h"

#define NS_PER_S 1000000000u

/* A text that somebody else chose, of any length; what a terminal would obey is not in it. */
void dump_print_clean(const char *text)
{
	size_t size = strlen(text) + MB_CUR_MAX + 1;
	char *clean = malloc(size);

	if (clean)
		fputs(clean_text(text, clean, size), stdout);
	free(clean);
}

static struct wall_clock clock_of(const struct drmfault_dump *dump)
{
	struct drmfault_dump_meta meta = { .size = sizeof(meta) };

	if (drmfault_dump_meta(dump, 0, &meta) || !meta.realtime_ns)
		return (struct wall_clock){ .known = false };
	return (struct wall_clock){
		.known = true,
		.offset_ns = meta.realtime_ns - meta.monotonic_ns,
	};
}

static void print_meta(const struct drmfault_dump *dump)
{
	struct drmfault_dump_meta meta = { .size = sizeof(meta) };
	time_t seconds;
	struct tm local;
	char text[64];
	size_t i;

	for (i = 0; !drmfault_dump_meta(dump, i, &meta); i++) {
		fputs("  made         ", stdout);
		if (meta.realtime_ns) {
			seconds = (time_t)(meta.realtime_ns / NS_PER_S);
			localtime_r(&seconds, &local);
			strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &local);
			printf("%s, ", text);
		}
		if (*meta.release) {
			fputs("by kernel ", stdout);
			dump_print_clean(meta.release);
			putchar(' ');
			dump_print_clean(meta.machine);
		} else {
			fputs("by an unknown kernel", stdout);
		}
		if (*meta.module_version) {
			fputs(", drm_fault ", stdout);
			dump_print_clean(meta.module_version);
		}
		putchar('\n');
		if (*meta.boot_id) {
			fputs("  boot         ", stdout);
			dump_print_clean(meta.boot_id);
			putchar('\n');
		}
	}
}

static void print_devices(const struct drmfault_dump *dump)
{
	struct drmfault_dump_device device = { .size = sizeof(device) };
	size_t i;

	for (i = 0; !drmfault_dump_device(dump, i, &device); i++) {
		fputs("  GPU          ", stdout);
		dump_print_clean(device.name);
		fputs(", driver ", stdout);
		dump_print_clean(device.driver);
		fputs(", ", stdout);
		dump_print_clean(device.bus);
		if (device.pci_vendor)
			printf(" [%04x:%04x]", device.pci_vendor, device.pci_device);
		if (device.missed)
			printf(", %" PRIu64 " event%s could not be recorded", device.missed,
			       plural(device.missed));
		putchar('\n');
	}
}

static void print_contexts(const struct drmfault_dump *dump)
{
	struct drmfault_dump_context context = { .size = sizeof(context) };
	size_t i;

	for (i = 0; !drmfault_dump_context(dump, i, &context); i++) {
		printf("  context %-4" PRIu64 " ", context.id);
		if (context.flags & DRMFAULT_CONTEXT_OWNER_UNKNOWN) {
			fputs("unknown process", stdout);
		} else {
			dump_print_clean(context.comm);
			printf("[%" PRIu32 "] of user %" PRIu32, context.pid, context.uid);
		}
		printf(": %" PRIu64 " event%s", context.events, plural(context.events));
		if (context.lost)
			printf(", %" PRIu64 " of them in no record", context.lost);
		puts(context.flags & DRMFAULT_CONTEXT_ENDED ? ", ended" : "");
	}
}

/* As VK_MAKE_API_VERSION has them. */
static void print_api_version(uint32_t version)
{
	printf("%" PRIu32 ".%" PRIu32 ".%" PRIu32, version >> 22 & 0x7f, version >> 12 & 0x3ff,
	       version & 0xfff);
}

static void print_applications(const struct drmfault_dump *dump)
{
	struct drmfault_dump_application app = { .size = sizeof(app) };
	size_t i;

	for (i = 0; !drmfault_dump_application(dump, i, &app); i++) {
		fputs("  application  ", stdout);
		dump_print_clean(*app.application_name ? app.application_name : "without a name");
		printf(" (%" PRIu32 ")", app.application_version);
		if (*app.engine_name) {
			fputs(", engine ", stdout);
			dump_print_clean(app.engine_name);
			printf(" (%" PRIu32 ")", app.engine_version);
		}
		fputs(", Vulkan ", stdout);
		print_api_version(app.api_version);
		printf("\n  Vulkan GPU   %04" PRIx32 ":%04" PRIx32 " ", app.vendor_id,
		       app.device_id);
		dump_print_clean(app.device_name);
		printf("%sdriver ", *app.device_name ? ", " : "");
		dump_print_clean(app.driver_name);
		printf("%s0x%" PRIx32 "\n", *app.driver_name ? ", " : "", app.driver_version);
	}
}

static void print_host(const struct drmfault_dump *dump)
{
	size_t i;

	for (i = 0; drmfault_dump_host(dump, i); i++) {
		fputs("  ", stdout);
		dump_print_clean(drmfault_dump_host(dump, i));
		putchar('\n');
	}
}

static void print_records(const struct drmfault_dump *dump, const struct options *options)
{
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(dump);
	const struct wall_clock clock = clock_of(dump);
	size_t i;

	for (i = 0; i < drmfault_snapshot_count(snapshot); i++) {
		const struct drmfault_record *record = drmfault_snapshot_record(snapshot, i);

		if (!filters_pass(&options->filters, record))
			continue;
		print_record_at(record, &clock);
		if (options->full)
			print_record_long(record);
	}
}

static void print_sums(const struct drmfault_dump *dump)
{
	const struct drmfault_snapshot *snapshot = drmfault_dump_snapshot(dump);
	struct drmfault_dump_lost lost = { .size = sizeof(lost) };
	size_t count = drmfault_snapshot_count(snapshot);
	uint64_t events = drmfault_snapshot_events(snapshot);

	printf("\n%zu record%s of %" PRIu64 " event%s", count, plural(count), events,
	       plural(events));
	if (drmfault_snapshot_lost(snapshot))
		printf(", %" PRIu64 " of them in no record", drmfault_snapshot_lost(snapshot));
	puts(".");
	if (!drmfault_dump_lost(dump, 0, &lost) && lost.dumps_skipped)
		printf("Of %" PRIu64
		       " incident%s right before there is no dump: the one before had "
		       "not been read.\n",
		       lost.dumps_skipped, plural(lost.dumps_skipped));
}

/* Line by line, since a newline is what a terminal shall obey. */
static void print_lines(const char *text, size_t length)
{
	const char *end = text + length, *next;
	char *line;

	for (; text < end; text = next + 1) {
		next = memchr(text, '\n', (size_t)(end - text));
		if (!next)
			next = end;
		line = strndup(text, (size_t)(next - text));
		fputs("  ", stdout);
		if (line)
			dump_print_clean(line);
		putchar('\n');
		free(line);
	}
}

static void print_engines(const struct drmfault_dump *dump)
{
	struct drmfault_dump_section section = { .size = sizeof(section) };
	size_t i;

	for (i = 0; !drmfault_dump_section(dump, i, &section); i++) {
		if (section.type != DRMFAULT_DUMP_ENGINE)
			continue;
		puts("\nState of the engines:");
		print_lines(section.bytes, section.length);
	}
}

static void print_bindings(const struct drmfault_dump *dump)
{
	struct drmfault_dump_binding binding = { .size = sizeof(binding) };
	size_t i;

	for (i = 0; !drmfault_dump_binding(dump, i, &binding); i++) {
		if (!i)
			puts("\nObjects of the application:");
		printf("  0x%012" PRIx64 "..0x%012" PRIx64 "  ", binding.address,
		       binding.address + (binding.length ? binding.length - 1 : 0));
		dump_print_clean(*binding.name ? binding.name : "without a name");
		printf(", type %" PRIu32 ", object 0x%" PRIx64 "%s\n", binding.object_type,
		       binding.object, binding.unbound_ns ? ", unbound" : "");
	}
}

void dump_print_facts(const struct drmfault_dump *dump)
{
	print_meta(dump);
	print_devices(dump);
	print_contexts(dump);
	print_applications(dump);
	print_host(dump);
}

void dump_print_records(const struct drmfault_dump *dump, const struct options *options)
{
	print_records(dump, options);
	print_sums(dump);
}

void dump_print(const struct drmfault_dump *dump, const char *file, const struct options *options)
{
	bool is_binary = drmfault_dump_form(dump) == DRMFAULT_DUMP_VENDOR_BINARY;

	printf("%s: %s\n", file, is_binary ? "a Vulkan vendor binary" : "a dump");
	dump_print_facts(dump);
	putchar('\n');
	dump_print_records(dump, options);
	print_bindings(dump);
	print_engines(dump);
}
