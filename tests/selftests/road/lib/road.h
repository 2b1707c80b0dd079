/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What the tests share: the calls as they are, a client on the simulated GPU,
 * and events raised through debugfs. Functions return what the kernel says: a
 * result of 0 or more, or a negative errno.
 */
#ifndef _ROAD_H_
#define _ROAD_H_

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>
#include <sys/types.h>

#include <drm/drm_fault.h>
#include <drm/drm_fault_sim.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

#define ROAD_PAGE	4096ULL
#define ROAD_RECORD	sizeof(struct drm_fault_record)

/* Users of the virtual machine who have no rights. */
#define ROAD_ALICE	1000
#define ROAD_BOB	1001

/* No test counts on less than this being enough, or on more being noticed. */
#define ROAD_SOON_MS	10000
#define ROAD_MOMENT_MS	200

/**
 * struct road_sim - an open file of the simulated GPU
 * @fd: the file
 * @context: id of its context
 */
struct road_sim {
	int fd;
	__u64 context;
};

/* Loads the modules if need be; to be called as root, before the others. */
int road_setup(void);
/* Forgets what road_setup() knows of the GPU, after it was taken away. */
void road_forget(void);
/* Name of the GPU's reporter, and its id. */
const char *road_gpu(void);
__u32 road_gpu_id(void);

int road_open(void);
int road_call(int fd, unsigned long call, void *args);
int road_info(struct drm_fault_info *info);
struct drm_fault_subscribe road_args(__u32 scope, int target);
int road_subscribe(const struct drm_fault_subscribe *args);
/* @target: a file for FILE and PIDFD, a reporter's id for DEVICE, else 0. */
int road_stream(__u32 scope, int target);
int road_stream_queue(__u32 scope, int target, __u32 queue_records);
ssize_t road_read(int stream, void *records, size_t size);
/* Reads @count records that are there now; fewer is an error, -EAGAIN. */
int road_read_all(int stream, struct drm_fault_record *records, size_t count);
/* Revents, 0 if nothing happens in time. */
int road_poll(int fd, int timeout_ms);
/* @args is filled in with the answer. */
int road_snapshot(int stream, struct drm_fault_snapshot *args,
		  struct drm_fault_record *records, __u32 count);
struct drm_fault_snapshot road_snapshot_args(struct drm_fault_record *records,
					     __u32 count);

int road_node(const char *driver);
int road_sim_open(struct road_sim *sim);
void road_sim_close(struct road_sim *sim);
/* Maps @size bytes of a new object; *@cpu is where this process sees them. */
int road_sim_map(const struct road_sim *sim, __u64 address, __u64 size,
		 __u32 permission, void **cpu);
/* Runs a program and waits for it; returns the job's result. */
int road_sim_run(const struct road_sim *sim, const __u64 *program, size_t words,
		 __u32 flags);
/* A job that writes where nothing is mapped, and goes on. */
int road_sim_fault(const struct road_sim *sim, __u64 address);

/* Words for debugfs, "address=0x1000 count=3"; at the client's context or none. */
int road_inject(const struct road_sim *sim, const char *words);
/* A read where nothing is, at @address, @count times: one record. */
int road_raise(const struct road_sim *sim, __u64 address, unsigned int count);
/* The same in @count pages one after the other: as many records. */
int road_raise_pages(const struct road_sim *sim, __u64 address, unsigned int count);
/* The newest context of a process, as debugfs lists it; 0: none. */
__u64 road_context_of(pid_t pid);
/* Contexts that have ended and are kept. */
int road_kept_contexts(void);

int road_pidfd(pid_t pid);
/* Gives up everything but this user's rights, for ever. */
int road_become(uid_t uid);
/* Waits for a child and returns its exit status, or -EINTR if a signal ended it. */
int road_wait(pid_t pid);
__u64 road_now_ns(void);
void road_sleep_ms(unsigned int ms);
__u64 road_sum_counts(const struct drm_fault_record *records, size_t count);
__u64 road_sum_lost(const struct drm_fault_record *records, size_t count);
int road_parameter(const char *name);

#endif /* _ROAD_H_ */
