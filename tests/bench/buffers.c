// SPDX-License-Identifier: MIT
/*
 * What the layer adds to making, binding and destroying buffers, with a thousand and with
 * a million of them alive, on Mesa's CPU driver. The two are measured in turn: the median
 * of the ratios counts, and of nanoseconds the fastest round of each, since the others
 * had to share the processor. Then the memory that it takes. Needs no kernel. Prints
 * "bench NAME VALUE GOAL ok|short".
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lavapipe.h"

#define FEW	     1000u
#define MANY	     1000000u
#define STRIDE	     256u
#define PAIRS	     101u
#define BATCH_FEW    2000u
#define BATCH_MANY   5000u
#define PAST_CHANGES 1000000u

/* The driver itself does next to nothing for a buffer. */
#define GOAL_RATIO 10
/* A microsecond for the beginning of a binding, and one for its end. */
#define GOAL_NS 2000
/* As much for the layer as for the library. */
#define GOAL_BYTES	300
#define GOAL_PAST_BYTES (16 << 20)

/* An application with so many buffers, all in one memory. */
struct side {
	struct lavapipe lavapipe;
	VkDeviceMemory memory;
	VkBuffer *buffers;
	uint32_t count;
	uint32_t random;
};

static void figure(const char *name, double value, double goal)
{
	printf("bench %s %.2f <%.0f %s\n", name, value, goal, value < goal ? "ok" : "short");
	fflush(stdout);
}

static uint32_t next_random(uint32_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

/* Of an address that can be asked for: there the layer has most to do. */
static void make_buffer(struct side *side, uint32_t i)
{
	static const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = STRIDE,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
			 VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
	};
	const struct lavapipe *on = &side->lavapipe;

	must(on->vkCreateBuffer(on->device, &info, NULL, &side->buffers[i]), "vkCreateBuffer");
	must(on->vkBindBufferMemory(on->device, side->buffers[i], side->memory,
				    (VkDeviceSize)i * STRIDE),
	     "vkBindBufferMemory");
}

static void destroy_buffer(struct side *side, uint32_t i)
{
	side->lavapipe.vkDestroyBuffer(side->lavapipe.device, side->buffers[i], NULL);
}

static void side_open(struct side *side, bool with_layer, uint32_t count)
{
	const VkMemoryAllocateFlagsInfo flags = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
		.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
	};
	const VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.pNext = &flags,
		.allocationSize = (VkDeviceSize)count * STRIDE,
	};
	struct lavapipe *on = &side->lavapipe;

	lavapipe_open(on, with_layer);
	side->count = count;
	side->random = 1;
	side->buffers = must_allocate(count * sizeof(*side->buffers));
	must(on->vkAllocateMemory(on->device, &info, NULL, &side->memory), "vkAllocateMemory");
}

static void side_fill(struct side *side)
{
	uint32_t i;

	for (i = 0; i < side->count; i++)
		make_buffer(side, i);
}

static void side_close(struct side *side)
{
	uint32_t i;

	for (i = 0; i < side->count; i++)
		destroy_buffer(side, i);
	side->lavapipe.vkFreeMemory(side->lavapipe.device, side->memory, NULL);
	lavapipe_close(&side->lavapipe);
	free(side->buffers);
}

/* Nanoseconds in which one at random is destroyed, made anew and bound. */
static double change(struct side *side, uint32_t times)
{
	double start = now_ns();
	uint32_t done, i;

	for (done = 0; done < times; done++) {
		i = next_random(&side->random) % side->count;
		destroy_buffer(side, i);
		make_buffer(side, i);
	}
	return (now_ns() - start) / times;
}

/* Bytes of memory that this process has. */
static double resident(void)
{
	unsigned long total, pages;
	FILE *file = fopen("/proc/self/statm", "r");

	if (!file || fscanf(file, "%lu %lu", &total, &pages) != 2) {
		fprintf(stderr, "bench_buffers: /proc/self/statm cannot be read\n");
		exit(EXIT_FAILURE);
	}
	fclose(file);
	return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static double fill_bytes(struct side *side)
{
	double before = resident();

	side_fill(side);
	return resident() - before;
}

static double change_bytes(struct side *side)
{
	double before = resident();

	change(side, PAST_CHANGES);
	return resident() - before;
}

static void compare(struct side *plain, struct side *layered, uint32_t batch, const char *live)
{
	double ratios[PAIRS], without[PAIRS], with[PAIRS];
	char name[64];
	uint32_t i;

	change(plain, batch);
	change(layered, batch);
	for (i = 0; i < PAIRS; i++) {
		if (i % 2)
			with[i] = change(layered, batch);
		without[i] = change(plain, batch);
		if (!(i % 2))
			with[i] = change(layered, batch);
		ratios[i] = with[i] / without[i];
	}
	snprintf(name, sizeof(name), "layer-buffer-%s/without", live);
	figure(name, quantile(ratios, PAIRS, 0.5), GOAL_RATIO);
	snprintf(name, sizeof(name), "layer-buffer-%s-ns", live);
	figure(name, quantile(with, PAIRS, 0) - quantile(without, PAIRS, 0), GOAL_NS);
}

static void with_few(void)
{
	struct side plain, layered;

	side_open(&plain, false, FEW);
	side_open(&layered, true, FEW);
	side_fill(&plain);
	side_fill(&layered);
	compare(&plain, &layered, BATCH_FEW, "1e3");
	side_close(&layered);
	side_close(&plain);
}

static void with_many(void)
{
	struct side plain, layered;
	double base;

	side_open(&plain, false, MANY);
	side_open(&layered, true, MANY);
	base = fill_bytes(&plain);
	figure("layer-binding-bytes", (fill_bytes(&layered) - base) / MANY, GOAL_BYTES);
	compare(&plain, &layered, BATCH_MANY, "1e6");
	base = change_bytes(&plain);
	figure("layer-past-bytes", change_bytes(&layered) - base, GOAL_PAST_BYTES);
	side_close(&layered);
	side_close(&plain);
}

int main(void)
{
	with_few();
	with_many();
	return EXIT_SUCCESS;
}
