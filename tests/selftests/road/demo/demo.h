/* SPDX-License-Identifier: MIT */
#ifndef DEMO_H
#define DEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <drm/drm_fault_sim.h>

#include "drmfault_vulkan.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define PAGE		  DRM_FAULT_SIM_PAGE_SIZE

/*
 * The GPU's address space. What lies in its upper half is sign-extended where
 * Vulkan reports it.
 */
#define CODE	    0x10000
#define BUFFER	    0x800000200000
#define BUFFER_SIZE (2 * PAGE)
#define FREED	    0x800000210000

/* What the first mistake writes: words before the end of the buffer, and behind it. */
#define WORDS_WITHIN 4
#define WORDS_BEYOND 16
#define WORD_WRITTEN 42

/* The software GPU, as a driver in userspace has it open. */
struct demo_buffer {
	uint32_t handle;
	void *cpu;
};

struct demo_gpu {
	int fd;
	uint32_t done;
	struct demo_buffer code, buffer, freed;
};

const char *gpu_open(struct demo_gpu *gpu);
void gpu_close(struct demo_gpu *gpu);
int gpu_unmap_freed(struct demo_gpu *gpu);
int gpu_run(struct demo_gpu *gpu, const uint64_t *program, size_t words,
	    struct drm_fault_sim_submit *submit, int *result);
int gpu_recover(struct demo_gpu *gpu);

/* A program that is wrong, and what the record of its fault must say. */
struct demo_mistake {
	const char *title;
	const char *cause;
	uint64_t program[8];
	uint32_t ring, submit_flags;
	int result;
	uint64_t address, precision, ip, count;
	uint32_t access, fault_type, ip_type, flags, engine_class;
	const char *engine;
};

#define MISTAKES 3

extern const struct demo_mistake demo_mistakes[MISTAKES];

/* One of them committed: when, as which job, and by whom. */
struct demo_job {
	const struct demo_mistake *mistake;
	uint64_t submitted_ns;
	uint64_t fence_context, fence_seqno;
	uint32_t pid;
	char comm[16];
};

uint64_t demo_now(void);

/* Every value is looked at; those that are wrong are told on stderr. */
unsigned int check_count(void);
unsigned int check_failures(void);
bool check_true(bool right, const char *what);
void check_u64(const char *what, uint64_t is, uint64_t should);
void check_string(const char *what, const char *is, const char *should);
/* What the next ones are about. */
void check_begin(const char *of);

void record_show(const struct drmfault_record *record, const struct demo_job *job);
void record_check(const struct drmfault_record *record, const struct demo_job *job);

void vulkan_show_and_check(const struct drmfault_snapshot *snapshot, const struct demo_job *jobs);

#endif /* DEMO_H */
