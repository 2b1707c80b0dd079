/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * A client of the simulated GPU, and a fixture for tests that need one.
 * Functions return 0 or more, or a negative errno of the kernel's.
 */
#ifndef _SIM_H_
#define _SIM_H_

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <drm/drm.h>
#include <drm/drm_fault.h>
#include <drm/drm_fault_sim.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

#define PAGE		4096ULL
#define CODE		0x100000ULL
#define DATA		0x7f0000200000ULL
#define DATA_PAGES	4

#define MS		1000000LL
/* Enough on any machine, and never waited for in a test that passes. */
#define SOON		(30000 * MS)

#define TIMEOUT_DEFAULT_MS	2000
/* For jobs that are to wait, on a slow machine too. */
#define TIMEOUT_LONG_MS		60000
#define TIMEOUT_SHORT_MS	200

#define ALL_ADDRESSES	0x1000000000000ULL

/**
 * struct sim_buffer - an object and where this process sees it
 */
struct sim_buffer {
	__u32 handle;
	__u64 size;
	void *cpu;
};

/**
 * struct sim_client - an open file with two mapped buffers
 * @fd: the file
 * @done: syncobj of the last submission
 * @code: a page at CODE, to be read and executed
 * @data: DATA_PAGES at DATA, to be read and written
 * @last: the last submission and its reply
 */
struct sim_client {
	int fd;
	__u32 done;
	struct sim_buffer code;
	struct sim_buffer data;
	struct drm_fault_sim_submit last;
};

int sim_node(void);
int sim_open(struct sim_client *c);
void sim_unmap_cpu(struct sim_client *c);
void sim_close(struct sim_client *c);

int sim_call(int fd, unsigned long request, void *args);
int sim_create(int fd, __u64 size, struct sim_buffer *buffer);
int sim_map(int fd, __u32 handle, __u64 address, __u64 offset, __u64 size, __u32 flags);
int sim_unmap(int fd, __u64 address, __u64 size);
__u32 sim_syncobj(int fd);

void sim_load(struct sim_client *c, const __u64 *program, size_t bytes);
int sim_submit(struct sim_client *c, __u32 ring, __u32 flags);
int sim_submit_args(struct sim_client *c, struct drm_fault_sim_submit *args);
int sim_wait(int fd, __u32 syncobj, __s64 timeout_ns, int *result);
/* Runs what is loaded and waits for it. The job's result; errors of calls - 1000. */
int sim_run(struct sim_client *c, __u32 ring, __u32 flags);
/* The same on ring 0 with a program of four words, or less: zeros follow. */
int sim_run_words(struct sim_client *c, const __u64 program[4]);
int sim_recover(struct sim_client *c);
struct drm_fault_sim_state sim_state(struct sim_client *c);
/* The file's records: how many there are, of which @max at most are copied. */
int sim_faults(struct sim_client *c, struct drm_fault_record *records, __u32 max);

/* Time that jobs may run from now on. */
int sim_timeout(unsigned int ms);
/* What this process and the GPU say to each other in a buffer. */
void sim_poke(const struct sim_buffer *buffer, size_t index, __u32 value);
__u32 sim_peek(const struct sim_buffer *buffer, size_t index);

__s64 sim_now(void);
int sim_write_file(const char *path, const char *text);

#endif /* _SIM_H_ */
