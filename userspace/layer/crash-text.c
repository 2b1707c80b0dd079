// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include <inttypes.h>
#include <string.h>

#include "crash.h"

#define VERDICTS_MAX   8
#define CODE_SIZE      512
#define CANDIDATES_MAX 4

static const char *or_number(const char *name, const char *otherwise)
{
	return name ? name : otherwise;
}

/* Bytes of UTF-8 that move a cursor, or turn text around: from, to, both in these. */
static const struct {
	unsigned char first[3], last[3];
	size_t length;
} hostile[] = {
	{ { 0x01 }, { 0x1f }, 1 },
	{ { 0x7f }, { 0x7f }, 1 },
	{ { 0xc2, 0x80 }, { 0xc2, 0x9f }, 2 },
	{ { 0xe2, 0x80, 0x8e }, { 0xe2, 0x80, 0x8f }, 3 },
	{ { 0xe2, 0x80, 0xa8 }, { 0xe2, 0x80, 0xae }, 3 },
	{ { 0xe2, 0x81, 0xa6 }, { 0xe2, 0x81, 0xa9 }, 3 },
};

/* Length of what is not to be printed at @text, 0: it may be. */
static size_t hostile_length(const char *text)
{
	size_t i;

	if (!character_length(text))
		return 1;
	for (i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++)
		if (strnlen(text, 3) >= hostile[i].length &&
		    memcmp(text, hostile[i].first, hostile[i].length) >= 0 &&
		    memcmp(text, hostile[i].last, hostile[i].length) <= 0)
			return hostile[i].length;
	return 0;
}

/* Names come from applications and drivers. */
static void print_clean(const char *text, FILE *to)
{
	size_t length;

	while (*text) {
		length = hostile_length(text);
		if (length) {
			putc('?', to);
		} else {
			length = character_length(text);
			fwrite(text, 1, length, to);
		}
		text += length;
	}
}

static void print_line(const char *name, const char *text, FILE *to)
{
	if (!text || !*text)
		return;
	fputs(name, to);
	print_clean(text, to);
	putc('\n', to);
}

static void print_host_verdict(void *data, const struct drmfault_verdict *verdict, bool is_code)
{
	(void)is_code;
	print_line("verdict=", drmfault_verdict_text(verdict, 0), data);
}

static uint32_t at_most(uint32_t count)
{
	return count < CRASH_TOLD_MAX ? count : CRASH_TOLD_MAX;
}

static void print_left_out(const char *name, uint32_t count, FILE *to)
{
	if (count > CRASH_TOLD_MAX)
		fprintf(to, "%s_left_out=%u\n", name, count - CRASH_TOLD_MAX);
}

static void print_driver(const struct answer *answer, FILE *to)
{
	uint32_t i;

	fprintf(to, "driver_result=%s\n",
		or_number(drmfault_vk_result_name(answer->driver_result), "unknown"));
	print_line("driver_description=", answer->driver_description, to);
	for (i = 0; i < at_most(answer->driver_address_count); i++)
		fprintf(to, "driver_address=%s 0x%" PRIx64 " 0x%" PRIx64 "\n",
			or_number(drmfault_vk_address_type_name(answer->addresses[i].addressType),
				  "unknown"),
			answer->addresses[i].reportedAddress,
			answer->addresses[i].addressPrecision);
	print_left_out("driver_address", answer->driver_address_count, to);
	for (i = 0; i < at_most(answer->driver_vendor_count); i++) {
		fprintf(to, "driver_vendor=0x%" PRIx64 " 0x%" PRIx64 " ",
			answer->vendors[i].vendorFaultCode, answer->vendors[i].vendorFaultData);
		print_line("", answer->vendors[i].description, to);
		if (!answer->vendors[i].description[0])
			putc('\n', to);
	}
	print_left_out("driver_vendor", answer->driver_vendor_count, to);
}

void crash_print_host(const struct crash *crash, FILE *to)
{
	fprintf(to, "layer=%s %s\n", LAYER_NAME, DRMFAULT_VERSION);
	print_line("reason=", crash->reason, to);
	if (crash->answer)
		print_driver(crash->answer, to);
	if (crash->told)
		fputs("records=those with an address are the driver's, at the time of the loss\n",
		      to);
	crash_judge(crash, print_host_verdict, to);
}

struct summary {
	FILE *to;
	unsigned int count, code_count;
	/* What was said of an instruction pointer last. */
	char code[CODE_SIZE];
};

/* A hang and the reset behind it have the same one. */
static bool is_said(struct summary *summary, const char *text)
{
	char code[CODE_SIZE];

	snprintf(code, sizeof(code), "%s", text);
	if (!strcmp(code, summary->code))
		return true;
	memcpy(summary->code, code, sizeof(code));
	return false;
}

/* Of code, which is that of the fault above it, one candidate is enough. */
static void print_verdict(void *data, const struct drmfault_verdict *verdict, bool is_code)
{
	struct drmfault_verdict_candidate candidate = { .size = sizeof(candidate) };
	struct summary *summary = data;
	size_t i, most = is_code ? 1 : CANDIDATES_MAX;

	if (is_code && is_said(summary, drmfault_verdict_text(verdict, 0)))
		return;
	if (is_code)
		summary->code_count++;
	else
		summary->count++;
	if (summary->count > VERDICTS_MAX || summary->code_count > VERDICTS_MAX)
		return;
	for (i = 0; i < most; i++) {
		if (drmfault_verdict_candidate(verdict, i, &candidate))
			break;
		fputs(i ? "    or: " : "  ", summary->to);
		print_clean(drmfault_verdict_text(verdict, i), summary->to);
		fprintf(summary->to, " (%s confidence)\n",
			or_number(drmfault_confidence_name(candidate.confidence), "no"));
	}
}

static void print_said(const struct crash *crash, FILE *to)
{
	const struct answer *answer = crash->answer;

	if (answer->driver_description[0])
		print_line("  the driver says: ", answer->driver_description, to);
	else if (!crash->told && crash->snapshot && drmfault_snapshot_count(crash->snapshot))
		print_line("  the kernel says: ", answer->description, to);
}

void crash_print_summary(const struct crash *crash, FILE *to)
{
	const VkApplicationInfo *application = &crash->device->instance->application;
	struct summary summary = { .to = to };

	fprintf(to, "drm_fault: the GPU device ");
	if (application->pApplicationName && *application->pApplicationName) {
		fputs("of \"", to);
		print_clean(application->pApplicationName, to);
		fputs("\" ", to);
	}
	fprintf(to, "%s: %s\n", crash->kind == CRASH_LOST ? "is lost" : "seems to hang",
		crash->reason);
	if (crash->answer)
		print_said(crash, to);
	crash_judge(crash, print_verdict, &summary);
	if (summary.count > VERDICTS_MAX)
		fprintf(to, "  and %u more faults\n", summary.count - VERDICTS_MAX);
	if (crash->left_out)
		fprintf(to, "  %" PRIu64 " more that the driver told are left out\n",
			crash->left_out);
	if (!crash->device->bindings)
		fputs("  which object it was is not known: `bindings` of the settings is false\n",
		      to);
	else if (!summary.count && !summary.code_count)
		fprintf(to, "  no address of a fault is known: %s\n",
			drmfault_vk_device_support(crash->device->kernel)
				? drmfault_explain(
					  drmfault_vk_device_support(crash->device->kernel))
				: "the kernel recorded none");
	if (crash->path[0])
		fprintf(to, "  `drmfault report %s` tells more\n", crash->path);
}
