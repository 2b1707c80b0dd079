// SPDX-License-Identifier: MIT
/*
 * What bindings cost, with a thousand of them live and with a million: one to be bound,
 * to be unbound, its memory, a verdict; and four threads at once, whose goal is what one
 * takes for as many changes. Needs no kernel. Prints "bench NAME VALUE GOAL ok|short".
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "drmfault_verdict.h"

#define LENGTH		UINT64_C(0x1000)
#define STRIDE		UINT64_C(0x1800)
#define BASE		UINT64_C(0x100000000)
#define FEW		1000u
#define MANY		1000000u
#define CHANGES		400000u
#define BATCH		50000u
#define VERDICTS	2000u
#define THREADS		4u
#define GOAL_NS		1000
#define GOAL_BYTES	150
#define GOAL_FIRST_NS	100000000
#define GOAL_VERDICT_NS 1000000

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void figure(const char *name, double value, double goal)
{
	printf("bench %s %.1f <%.0f %s\n", name, value, goal, value < goal ? "ok" : "short");
}

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Objects of an application: handles like pointers, each with a range of its own. */
static struct drmfault_binding_event event_of(uint32_t i)
{
	return (struct drmfault_binding_event){
		.size = sizeof(struct drmfault_binding_event),
		.address = BASE + i * STRIDE,
		.length = LENGTH,
		.object = UINT64_C(0x7f0000000000) + i * UINT64_C(64),
		.object_type = 9,
	};
}

static void check(int ret)
{
	if (ret) {
		fprintf(stderr, "bench_bindings: %s\n", drmfault_explain(ret));
		exit(EXIT_FAILURE);
	}
}

static void shuffle(uint32_t *order, uint32_t count)
{
	uint32_t state = 1, i, j, other;

	for (i = 0; i < count; i++)
		order[i] = i;
	for (i = count - 1; i > 0; i--) {
		j = next_random(&state) % (i + 1);
		other = order[i];
		order[i] = order[j];
		order[j] = other;
	}
}

static struct drmfault_bindings *fill(const uint32_t *order, uint32_t count)
{
	struct drmfault_binding_event event;
	struct drmfault_bindings *bindings;
	uint32_t i;

	check(drmfault_bindings_new(NULL, &bindings));
	for (i = 0; i < count; i++) {
		event = event_of(order[i]);
		check(drmfault_bindings_bind(bindings, &event));
	}
	return bindings;
}

struct cost {
	double unbind;
	double bind;
};

static double change_batch(struct drmfault_bindings *bindings, const uint32_t *order,
			   uint32_t batch,
			   int (*change)(struct drmfault_bindings *bindings,
					 const struct drmfault_binding_event *event))
{
	struct drmfault_binding_event event;
	double start = now_ns();
	uint32_t i;

	for (i = 0; i < batch; i++) {
		event = event_of(order[i]);
		check(change(bindings, &event));
	}
	return (now_ns() - start) / batch;
}

/*
 * Unbinds some of @count at random and binds them again. The fastest round counts: the
 * others had to share the processor.
 */
static struct cost measure(struct drmfault_bindings *bindings, const uint32_t *order,
			   uint32_t count)
{
	uint32_t batch = count < 10 * BATCH ? count / 2 : BATCH, done, at = 0;
	struct cost best = { 1e12, 1e12 }, cost;

	for (done = 0; done < CHANGES; done += batch) {
		cost.unbind = change_batch(bindings, order + at, batch, drmfault_bindings_unbind);
		cost.bind = change_batch(bindings, order + at, batch, drmfault_bindings_bind);
		best.unbind = cost.unbind < best.unbind ? cost.unbind : best.unbind;
		best.bind = cost.bind < best.bind ? cost.bind : best.bind;
		at = (at + batch) % (count - batch);
	}
	return best;
}

static double judge_one(struct drmfault_bindings *bindings, uint64_t address)
{
	const struct drmfault_verdict_args args = {
		.size = sizeof(args),
		.address = address,
		.precision = 4096,
		.access = DRMFAULT_ACCESS_WRITE,
	};
	struct drmfault_verdict *verdict;
	double start = now_ns();

	check(drmfault_verdict_make(bindings, &args, &verdict));
	drmfault_verdict_free(verdict);
	return now_ns() - start;
}

/* Right past the end of objects, chosen at random. */
static double judge(struct drmfault_bindings *bindings)
{
	uint32_t state = 7, i;
	double sum = 0;

	for (i = 0; i < VERDICTS; i++)
		sum += judge_one(bindings, BASE + next_random(&state) % MANY * STRIDE + LENGTH);
	return sum / VERDICTS;
}

/* ---- Threads ---- */

struct worker {
	struct drmfault_bindings *bindings;
	pthread_t thread;
	const uint32_t *order;
	uint32_t from;
	uint32_t count;
};

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct drmfault_binding_event event;
	uint32_t i;

	for (i = 0; i < worker->count; i++) {
		event = event_of(worker->order[worker->from + i]);
		check(drmfault_bindings_unbind(worker->bindings, &event));
		check(drmfault_bindings_bind(worker->bindings, &event));
	}
	return NULL;
}

/* Nanoseconds of the clock per change, by so many threads. */
static double work_together(struct drmfault_bindings *bindings, const uint32_t *order,
			    uint32_t threads)
{
	struct worker workers[THREADS];
	double start = now_ns();
	uint32_t i;

	for (i = 0; i < threads; i++) {
		workers[i] = (struct worker){
			.bindings = bindings,
			.order = order,
			.from = i * (MANY / threads),
			.count = CHANGES / 2 / threads,
		};
		pthread_create(&workers[i].thread, NULL, work, &workers[i]);
	}
	for (i = 0; i < threads; i++)
		pthread_join(workers[i].thread, NULL);
	return (now_ns() - start) / CHANGES;
}

static void print_few(uint32_t *order)
{
	struct drmfault_bindings *bindings;
	struct cost cost;

	shuffle(order, FEW);
	bindings = fill(order, FEW);
	cost = measure(bindings, order, FEW);
	figure("bind-1e3-ns", cost.bind, GOAL_NS);
	figure("unbind-1e3-ns", cost.unbind, GOAL_NS);
	drmfault_bindings_free(bindings);
}

static void print_many(uint32_t *order)
{
	struct drmfault_bindings_counts counts = { .size = sizeof(counts) };
	struct drmfault_bindings *bindings;
	struct cost cost;

	shuffle(order, MANY);
	bindings = fill(order, MANY);
	drmfault_bindings_counts(bindings, &counts);
	figure("binding-bytes", (double)counts.bytes / MANY, GOAL_BYTES);
	cost = measure(bindings, order, MANY);
	figure("bind-1e6-ns", cost.bind, GOAL_NS);
	figure("unbind-1e6-ns", cost.unbind, GOAL_NS);
	/* The first one after a while puts in order what had ended until then. */
	figure("verdict-first-1e6-ns", judge_one(bindings, BASE + LENGTH), GOAL_FIRST_NS);
	figure("verdict-1e6-ns", judge(bindings), GOAL_VERDICT_NS);
	cost.bind = work_together(bindings, order, 1);
	figure("bind-4-threads-ns", work_together(bindings, order, THREADS), cost.bind);
	drmfault_bindings_free(bindings);
}

int main(void)
{
	uint32_t *order = malloc(MANY * sizeof(*order));

	if (!order) {
		check(-ENOMEM);
		return EXIT_FAILURE;
	}
	print_few(order);
	print_many(order);
	free(order);
	return EXIT_SUCCESS;
}
