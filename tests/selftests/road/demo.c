// SPDX-License-Identifier: MIT
/*
 * The demo: a program makes three mistakes on the software GPU and is told of
 * each by the kernel, as any process would be, without a privilege. Then the
 * same is shown as a Vulkan driver returns it. Every value that is shown is
 * compared with what was provoked.
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

static struct drmfault_stream *subscribe(const struct demo_gpu *gpu)
{
	const struct drmfault_subscribe_args args = {
		.size = sizeof(args),
		.scope = DRMFAULT_SCOPE_FILE,
		.fd = gpu->fd,
	};
	struct drmfault_stream *stream;
	struct drmfault_device *device;
	struct drmfault *fault;
	int ret;

	ret = drmfault_open(NULL, &fault);
	if (ret)
		die("/dev/drm_fault", drmfault_explain(ret));
	ret = drmfault_device_of_fd(fault, gpu->fd, &device);
	if (ret)
		die("drm_fault_sim", drmfault_explain(ret));
	printf("GPU      %s, driver %s, /dev/dri/renderD%d\n", drmfault_device_name(device),
	       drmfault_device_driver(device), drmfault_device_render_minor(device));
	printf("process  %d of user %s, %s\n\n", (int)getpid(), user_name(),
	       drmfault_is_privileged(fault) ? "privileged" : "without privileges");
	check_begin("process");
	check_true(!drmfault_is_privileged(fault) && getuid(), "it is privileged");
	drmfault_device_free(device);

	ret = drmfault_subscribe(fault, &args, &stream);
	if (ret)
		die("subscribe", drmfault_explain(ret));
	drmfault_close(fault);
	return stream;
}

/* The second mistake is one only because of what was right before. */
static void use_and_unmap(struct demo_gpu *gpu, const struct demo_mistake *mistake)
{
	struct drm_fault_sim_submit submit = { .ring = mistake->ring };
	int result = -1;

	if (gpu_run(gpu, mistake->program, ARRAY_SIZE(mistake->program), &submit, &result))
		die("a job that is right cannot be run", NULL);
	check_begin("the read before the unmapping");
	check_true(!result, "it failed");
	if (gpu_unmap_freed(gpu))
		die("cannot unmap", NULL);
}

static void commit(struct demo_gpu *gpu, const struct demo_mistake *mistake, struct demo_job *job)
{
	struct drm_fault_sim_submit submit = {
		.ring = mistake->ring,
		.flags = mistake->submit_flags,
	};
	int result = 1;

	job->mistake = mistake;
	job->pid = (uint32_t)getpid();
	prctl(PR_GET_NAME, job->comm);
	job->submitted_ns = demo_now();
	if (gpu_run(gpu, mistake->program, ARRAY_SIZE(mistake->program), &submit, &result))
		die(mistake->title, "the job cannot be run");
	job->fence_context = submit.fence_context;
	job->fence_seqno = submit.fence_seqno;
	check_begin(mistake->title);
	check_true(result == mistake->result, "the job did not end as it must");
	if (gpu_recover(gpu))
		die(mistake->title, "no recovery");
}

static void read_record(struct drmfault_stream *stream, const struct demo_job *job)
{
	const struct drmfault_record *record;

	if (drmfault_stream_wait(stream, RECORD_LIMIT_NS) != 1 ||
	    drmfault_stream_next(stream, &record) != 1)
		die(job->mistake->title, "no record came");
	record_show(record, job);
	record_check(record, job);
	check_true(drmfault_stream_wait(stream, 0) == 0, "there is a record more");
}

static void check_buffer(const struct demo_gpu *gpu)
{
	const uint32_t *words = gpu->buffer.cpu;
	size_t i, end = BUFFER_SIZE / sizeof(*words);

	check_begin("buffer");
	check_u64("word before the first", words[end - WORDS_WITHIN - 1], 0);
	for (i = end - WORDS_WITHIN; i < end; i++)
		check_u64("word", words[i], WORD_WRITTEN);
}

int main(void)
{
	struct demo_job jobs[MISTAKES] = { 0 };
	struct drmfault_snapshot *snapshot;
	struct drmfault_stream *stream;
	struct demo_gpu gpu;
	const char *wrong;
	size_t i;
	int ret;

	wrong = gpu_open(&gpu);
	if (wrong)
		die(wrong, NULL);
	stream = subscribe(&gpu);
	for (i = 0; i < MISTAKES; i++) {
		printf("%zu. %s\n   (%s)\n", i + 1, demo_mistakes[i].title, demo_mistakes[i].cause);
		if (i == 1)
			use_and_unmap(&gpu, &demo_mistakes[i]);
		commit(&gpu, &demo_mistakes[i], &jobs[i]);
		read_record(stream, &jobs[i]);
	}
	check_buffer(&gpu);

	printf("As vkGetDeviceFaultInfoEXT returns it:\n\n");
	ret = drmfault_snapshot_take(stream, &snapshot);
	if (ret)
		die("snapshot", drmfault_explain(ret));
	vulkan_show_and_check(snapshot, jobs);
	drmfault_snapshot_free(snapshot);
	drmfault_stream_free(stream);
	gpu_close(&gpu);

	if (check_failures())
		printf("\n%u of %u values are wrong\n", check_failures(), check_count());
	else
		printf("\nAll %u values are as they were provoked.\n", check_count());
	return check_failures() ? 1 : 0;
}
