// SPDX-License-Identifier: MIT
/*
 * Threads bind, unbind, name, destroy, ask and judge at once, each with objects of its
 * own at addresses that all share. Run by itself, and under ThreadSanitizer.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "drmfault_verdict.h"

#define THREADS 4
#define ROUNDS	3000
#define OBJECTS 16
#define LIMIT	500

struct worker {
	pthread_t thread;
	struct drmfault_bindings *bindings;
	uint64_t number;
	/* What it ended, and what went wrong. */
	uint64_t ended;
	uint64_t failed;
};

static struct drmfault_binding_event event_of(const struct worker *worker, uint64_t i)
{
	return (struct drmfault_binding_event){
		.size = sizeof(struct drmfault_binding_event),
		.address = (1 + i % 7) << 16,
		.length = 0x1000 << i % 3,
		.object = worker->number * OBJECTS + i % OBJECTS,
		.object_type = 9,
	};
}

static void judge(struct worker *worker, uint64_t i)
{
	const struct drmfault_verdict_args args = {
		.size = sizeof(args),
		.address = ((1 + i % 7) << 16) + 0x800,
		.precision = 0x1000,
	};
	struct drmfault_verdict *verdict;

	if (drmfault_verdict_make(worker->bindings, &args, &verdict)) {
		worker->failed++;
		return;
	}
	worker->failed += !drmfault_verdict_count(verdict);
	drmfault_verdict_free(verdict);
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct drmfault_binding_event event;
	uint64_t i;

	for (i = 0; i < ROUNDS; i++) {
		event = event_of(worker, i);
		worker->failed += drmfault_bindings_bind(worker->bindings, &event) != 0;
		worker->failed += drmfault_bindings_name(worker->bindings, 9, event.object,
							 i % 2 ? "one" : "two") != 0;
		if (i % 64 == 0)
			judge(worker, i);
		if (i % 3)
			worker->failed += drmfault_bindings_unbind(worker->bindings, &event) != 0;
		else
			worker->failed += drmfault_bindings_destroy(worker->bindings, 9,
								    event.object, 0) != 0;
		worker->ended++;
	}
	return NULL;
}

int main(void)
{
	const struct drmfault_bindings_args args = { .size = sizeof(args), .past_count = LIMIT };
	struct drmfault_bindings_counts counts = { .size = sizeof(counts) };
	struct worker workers[THREADS] = { 0 };
	uint64_t i, ended = 0, failed = 0;
	struct drmfault_bindings *bindings;

	if (drmfault_bindings_new(&args, &bindings))
		return EXIT_FAILURE;
	for (i = 0; i < THREADS; i++) {
		workers[i].bindings = bindings;
		workers[i].number = i;
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			return EXIT_FAILURE;
	}
	for (i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		ended += workers[i].ended;
		failed += workers[i].failed;
	}
	drmfault_bindings_counts(bindings, &counts);
	drmfault_bindings_free(bindings);
	printf("1..3\n");
	printf("%s 1 - every call succeeds\n", failed ? "not ok" : "ok");
	printf("%s 2 - every one is kept or counted\n",
	       counts.live || counts.past + counts.forgotten != ended ? "not ok" : "ok");
	printf("%s 3 - no more are kept than may be\n",
	       counts.past > LIMIT || counts.past < LIMIT - THREADS ? "not ok" : "ok");
	return EXIT_SUCCESS;
}
