// SPDX-License-Identifier: MIT
/*
 * The demo: a Vulkan application makes three mistakes on the software GPU. The
 * kernel tells it of each, as it would tell any process, without a privilege;
 * and so does Vulkan, by both fault extensions. Every value that is shown is
 * compared with what was provoked.
 *   demo [FILE]
 * writes the vendor binary to FILE.
 */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "demo/demo.h"

#define RECORD_LIMIT_NS 20000000000ULL

__attribute__((noreturn)) static void die(const char *what, const char *why)
{
	fflush(stdout);
	fprintf(stderr, "demo: %s%s%s\n", what, why ? ": " : "", why ? why : "");
	exit(1);
}

static const char *user_name(void)
{
	struct passwd *entry = getpwuid(getuid());

	return entry ? entry->pw_name : "?";
}

/* The faults of this process, whatever its Vulkan driver does. */
static struct drmfault_stream *subscribe(void)
{
	const struct drmfault_subscribe_args args = {
		.size = sizeof(args),
		.scope = DRMFAULT_SCOPE_SELF,
	};
	struct drmfault_stream *stream;
	struct drmfault *fault;
	int ret;

	ret = drmfault_open(NULL, &fault);
	if (ret)
		die("/dev/drm_fault", drmfault_explain(ret));
	printf("process  %d of user %s, %s\n", (int)getpid(), user_name(),
	       drmfault_is_privileged(fault) ? "privileged" : "without privileges");
	check_begin("process");
	check_true(!drmfault_is_privileged(fault) && getuid(), "it is privileged");
	ret = drmfault_subscribe(fault, &args, &stream);
	if (ret)
		die("subscribe", drmfault_explain(ret));
	drmfault_close(fault);
	return stream;
}

static void show_gpu(struct demo *demo)
{
	VkPhysicalDeviceProperties properties;

	vkGetPhysicalDeviceProperties(demo->gpu, &properties);
	printf("GPU      %s, through Vulkan's loader, the layer and a driver\n\n",
	       properties.deviceName);
}

/* Where its fault must be; the kernel's addresses are not sign-extended. */
static void expect(const struct demo *demo, struct demo_job *job)
{
	const uint64_t addresses[MISTAKES] = {
		demo->buffer.address + BUFFER_SIZE + BEYOND,
		demo->freed.address + READ_AT,
		demo->buffer.address + EXECUTE_AT,
	};

	job->address = DRM_FAULT_SIM_ADDRESS(addresses[job->mistake - demo_mistakes]);
}

static void commit(struct demo *demo, const struct demo_mistake *mistake, struct demo_job *job)
{
	VkResult result;

	job->mistake = mistake;
	job->pid = (uint32_t)getpid();
	prctl(PR_GET_NAME, job->comm);
	job->submitted_ns = demo_now();
	expect(demo, job);
	result = mistake->commit(demo);
	check_begin(mistake->title);
	if (!check_true(result == mistake->result, "the submission did not end as it must"))
		die(mistake->title, drmfault_vk_result_name(result));
	/* What cannot be fetched is both. */
	job->ip_first = mistake->access == DRMFAULT_ACCESS_EXECUTE ? job->address
								   : demo->cmd_address;
	job->ip_last = mistake->access == DRMFAULT_ACCESS_EXECUTE
			       ? job->address
			       : demo->cmd_address + demo->cmd_size - 1;
}

static void read_record(struct drmfault_stream *stream, struct demo_job *job)
{
	const struct drmfault_record *record;

	if (drmfault_stream_wait(stream, RECORD_LIMIT_NS) != 1 ||
	    drmfault_stream_next(stream, &record) != 1)
		die(job->mistake->title, "no record came");
	job->ip = drmfault_record_ip(record);
	record_show(record, job);
	record_check(record, job);
	check_true(drmfault_stream_wait(stream, 0) == 0, "there is a record more");
}

static void check_buffer(const struct demo *demo)
{
	const uint32_t *words = demo->buffer.cpu;
	size_t i, end = BUFFER_SIZE / sizeof(*words);

	check_begin("buffer");
	check_u64("word before the first", words[end - WORDS_WITHIN - 1], 0);
	for (i = end - WORDS_WITHIN; i < end; i++)
		check_u64("word", words[i], WORD_WRITTEN);
}

static void make_mistakes(struct demo *demo, struct drmfault_stream *stream, struct demo_job *jobs)
{
	const char *name;
	size_t i;

	for (i = 0; i < MISTAKES; i++) {
		printf("%zu. %s\n   (%s)\n", i + 1, demo_mistakes[i].title, demo_mistakes[i].cause);
		commit(demo, &demo_mistakes[i], &jobs[i]);
		name = drmfault_vk_result_name(jobs[i].mistake->result);
		printf("   %-20s%s\n", "vkWaitForFences", name ? name : "?");
		read_record(stream, &jobs[i]);
		khr_take(demo, &jobs[i]);
	}
}

int main(int argc, char **argv)
{
	struct demo_job jobs[MISTAKES] = { 0 };
	struct drmfault_snapshot *snapshot;
	struct drmfault_stream *stream;
	struct demo demo;
	const char *wrong;
	int ret;

	stream = subscribe();
	wrong = demo_open(&demo);
	if (wrong)
		die(wrong, NULL);
	show_gpu(&demo);
	make_mistakes(&demo, stream, jobs);
	check_buffer(&demo);

	printf("What vkGetDeviceFaultReportsKHR returned after each:\n\n");
	khr_show();
	printf("\nWhat vkGetDeviceFaultInfoEXT returns now that the device is lost:\n\n");
	ret = drmfault_snapshot_take(stream, &snapshot);
	if (ret)
		die("snapshot", drmfault_explain(ret));
	ext_show_and_check(&demo, snapshot, jobs, argc > 1 ? argv[1] : NULL);
	drmfault_snapshot_free(snapshot);
	drmfault_stream_free(stream);
	demo_close(&demo);

	if (check_failures())
		printf("\n%u of %u values are wrong\n", check_failures(), check_count());
	else
		printf("\nAll %u values are as they were provoked.\n", check_count());
	return check_failures() ? 1 : 0;
}
