/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the core share. Lock order, outer to inner:
 *
 *	drm_fault_hooks_lock > drm_fault_gpus_lock
 *	drm_fault_streams_lock > drm_fault_reporters_lock
 *	> reporter->lock > drm_fault_clients_lock	(raw spinlocks: hooks)
 *	context->lock > stream->lock			(raw spinlocks: the report path)
 *
 * The report path takes the last two only; nothing else does, so that it never
 * waits for a reader. Hooks also take those of the line above, from within
 * probes, which is why these are raw and taken with interrupts off.
 */
#ifndef _DRM_FAULT_CORE_H_
#define _DRM_FAULT_CORE_H_

#include <linux/cred.h>
#include <linux/device.h>
#include <linux/hashtable.h>
#include <linux/irq_work.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <drm/drm_fault.h>

#include "dump.h"
#include "queue.h"
#include "ring.h"

struct dentry;
struct file;
struct pid_namespace;

/**
 * struct drm_fault_settings - module parameters, brought within their limits
 * @ring_records: records of a ring, a power of two
 * @queue_records: default length of a stream's queue, a power of two
 * @max_streams: streams per user
 * @group_gap_ms: pause that ends an incident
 * @retain_contexts: contexts with records kept per reporter after their end
 * @retain_seconds: how long
 */
struct drm_fault_settings {
	unsigned int ring_records;
	unsigned int queue_records;
	unsigned int max_streams;
	unsigned int group_gap_ms;
	unsigned int retain_contexts;
	unsigned int retain_seconds;
};

extern struct drm_fault_settings drm_fault_settings;
extern struct workqueue_struct *drm_fault_wq;

/**
 * struct drm_fault_owner - the process that contexts belong to
 * @ref: users
 * @pid: its thread group
 * @cred: as they were when it opened the device
 * @dumpable: it was, then
 * @comm: its name, then
 * @rcu: frees it after readers have gone
 */
struct drm_fault_owner {
	struct kref ref;
	struct rcu_head rcu;
	struct pid *pid;
	const struct cred *cred;
	bool dumpable;
	char comm[TASK_COMM_LEN];
};

struct drm_fault_owner *drm_fault_owner_create(gfp_t gfp);
struct drm_fault_owner *drm_fault_owner_create_for(struct task_struct *task, gfp_t gfp);
void drm_fault_owner_put(struct drm_fault_owner *owner);
bool drm_fault_cred_same(const struct cred *caller, const struct cred *target);
bool drm_fault_cred_equal(const struct cred *a, const struct cred *b);
bool drm_fault_may_see_all(void);
bool drm_fault_would_see_all(void);
bool drm_fault_may_see_task(struct task_struct *task);

#define DRM_FAULT_KEY_BITS	8

/**
 * struct drm_fault_reporter - one GPU that can report faults
 * @dev: device of class drm_fault; also counts the references
 * @id: from 1, unique while it lives
 * @node: in the list of reporters, written under drm_fault_reporters_lock, also
 *	read under RCU
 * @drm: the DRM device, to be compared only; NULL once it is gone
 * @hooks: set of hooks that feeds it, NULL: its driver does
 * @driver: name of the GPU's driver
 * @bus: address of the GPU
 * @primary_minor: N of /dev/dri/cardN
 * @render_minor: N of /dev/dri/renderDN
 * @address_bits: width of GPU virtual addresses
 * @print_engines: as its driver gave it
 * @data: for @print_engines
 * @gone: unregistered: nothing is recorded any more
 * @closed: and nothing that was on its way is any more: streams hang up
 * @events: events reported
 * @record_id: number of the newest record
 * @missed: events that came in a context where nothing can be recorded (NMI)
 * @by_key: contexts by key; written under @lock, read under RCU
 * @lock: protects @contexts, @ended and @ended_count
 * @contexts: all contexts, also those that are kept after their end; read under RCU
 * @ended: those that are, oldest end first
 * @ended_count: how many they are
 * @purge: forgets the old ones
 * @dumper: makes its dumps
 * @catch_all: context of events whose owner is not known
 * @streams: DEVICE streams; written under drm_fault_streams_lock, read under RCU
 * @debugfs: its directory
 */
struct drm_fault_reporter {
	struct device dev;
	u32 id;
	struct list_head node;
	struct drm_device *drm;
	const struct drm_fault_hooks *hooks;
	char driver[DRM_FAULT_NAME_LEN];
	char bus[DRM_FAULT_NAME_LEN];
	u32 primary_minor;
	u32 render_minor;
	u8 address_bits;
	void (*print_engines)(void *data, struct drm_printer *p);
	void *data;
	bool gone;
	bool closed;
	atomic64_t events;
	atomic64_t record_id;
	atomic64_t missed;
	DECLARE_HASHTABLE(by_key, DRM_FAULT_KEY_BITS);
	/* protects contexts, ended, ended_count; see above */
	raw_spinlock_t lock;
	struct list_head contexts;
	struct list_head ended;
	unsigned int ended_count;
	struct delayed_work purge;
	struct drm_fault_dumper dumper;
	struct drm_fault_context *catch_all;
	struct hlist_head streams;
	struct dentry *debugfs;
};

#define to_drm_fault_reporter(d) container_of(d, struct drm_fault_reporter, dev)

extern struct mutex drm_fault_reporters_lock;
extern struct list_head drm_fault_reporters;
extern struct class *drm_fault_class;

struct drm_fault_reporter *drm_fault_reporter_find(u32 id, bool next);
struct drm_fault_reporter *drm_fault_reporter_find_file(struct file *file);
bool drm_fault_reporter_has_drm(const struct drm_device *drm);
u32 drm_fault_reporter_count(void);
struct drm_fault_reporter *drm_fault_reporter_add(const struct drm_fault_reporter_args *args,
						  const struct drm_fault_hooks *hooks);
int drm_fault_reporters_init(void);
void drm_fault_reporters_exit(void);
extern const struct attribute_group *drm_fault_reporter_groups[];

/**
 * struct drm_fault_client - one opener of a DRM node
 * @ref: users
 * @rcu: frees it after readers have gone
 * @reporter: the GPU
 * @file: key for lookup, never followed; NULL once the file is closed
 * @node: in the table of clients, under drm_fault_clients_lock
 * @owner: its process
 * @id: as in fdinfo
 * @contexts: its contexts that have not ended, under the reporter's lock
 * @streams: FILE streams; written under drm_fault_streams_lock, read under RCU
 */
struct drm_fault_client {
	struct kref ref;
	struct rcu_work rcu;
	struct drm_fault_reporter *reporter;
	const struct drm_file *file;
	struct hlist_node node;
	struct drm_fault_owner *owner;
	u64 id;
	struct list_head contexts;
	struct hlist_head streams;
};

struct drm_fault_client *drm_fault_client_add(struct drm_fault_reporter *reporter,
					      const struct drm_file *file,
					      struct drm_fault_owner *owner, gfp_t gfp);
struct drm_fault_client *drm_fault_client_take(const struct drm_file *file);
void drm_fault_clients_close(struct drm_fault_reporter *reporter);
struct drm_fault_client *drm_fault_client_find(struct file *file);
struct drm_fault_client *drm_fault_client_find_drm(const struct drm_file *file);
void drm_fault_client_put(struct drm_fault_client *client);

/* Most keys of a context: an address space number and a pointer. */
#define DRM_FAULT_KEYS	2

/**
 * struct drm_fault_key - a number by which fault handlers know a context
 * @key: unique in the reporter, 0: none
 * @node: in the reporter's table
 * @context: the context
 */
struct drm_fault_key {
	u64 key;
	struct hlist_node node;
	struct drm_fault_context *context;
};

/**
 * struct drm_fault_context - one GPU address space
 * @ref: users
 * @rcu: frees it after readers have gone
 * @reporter: the GPU
 * @client: its client, NULL if it has none
 * @owner: its process, NULL for the catch-all; changes hands under RCU
 * @keys: by which fault handlers know it
 * @id: unique until the module is unloaded
 * @pasid: for records
 * @node: in the reporter's list, written under its lock, read under RCU
 * @listed: it is there
 * @client_node: in the client's list, under the reporter's lock
 * @ended_node: in the reporter's list of ended ones, under its lock
 * @ended: it is destroyed and kept for what it recorded
 * @ended_jiffies: since when
 * @lock: serialises the writers of @ring and keeps what they hand to streams in
 *	order. Raw, taken with interrupts off in any context; readers never do.
 * @ring: its records; NULL until the first if it was created by a hook
 */
struct drm_fault_context {
	struct kref ref;
	struct rcu_work rcu;
	struct drm_fault_reporter *reporter;
	struct drm_fault_client *client;
	struct drm_fault_owner __rcu *owner;
	struct drm_fault_key keys[DRM_FAULT_KEYS];
	u64 id;
	u32 pasid;
	struct list_head node;
	bool listed;
	struct list_head client_node;
	struct list_head ended_node;
	bool ended;
	unsigned long ended_jiffies;
	raw_spinlock_t lock;
	struct drm_fault_ring *ring;
};

/* The ring, NULL if nothing was ever recorded. */
static inline struct drm_fault_ring *
drm_fault_context_ring(const struct drm_fault_context *context)
{
	/* Pairs with drm_fault_context_stock(): who sees it sees it initialised. */
	return smp_load_acquire(&context->ring);
}

int drm_fault_context_key(struct drm_fault_context *context, u64 key);
void drm_fault_context_forget_keys(struct drm_fault_context *context);
bool drm_fault_context_stock(struct drm_fault_context *context);
void drm_fault_context_counts(const struct drm_fault_context *context, u64 *events,
			      u64 *lost);
void drm_fault_contexts_end_client(struct drm_fault_client *client);

struct drm_fault_ring *drm_fault_stock_take(void);
int drm_fault_stock_init(void);
void drm_fault_stock_exit(void);

void drm_fault_context_put(struct drm_fault_context *context);
void drm_fault_context_purge(struct work_struct *work);
void drm_fault_contexts_end(struct drm_fault_reporter *reporter);

void drm_fault_raise(struct drm_fault_reporter *reporter,
		     const struct drm_fault_event *event, u32 type);

/**
 * struct drm_fault_view - whose records, for whom
 * @scope: enum drm_fault_scope
 * @reporter: for DEVICE
 * @client: for FILE
 * @pid: for SELF and PIDFD
 * @cred: for SELF and PIDFD: of the reader, NULL if it may see any
 * @dumpable: for SELF: the reader is a process that others may look into
 * @pid_ns: where pids are counted
 */
struct drm_fault_view {
	u32 scope;
	struct drm_fault_reporter *reporter;
	struct drm_fault_client *client;
	struct pid *pid;
	const struct cred *cred;
	bool dumpable;
	struct pid_namespace *pid_ns;
};

bool drm_fault_view_has(const struct drm_fault_view *view,
			const struct drm_fault_context *context);
u32 drm_fault_view_pid(const struct drm_fault_view *view,
		       const struct drm_fault_context *context);
int drm_fault_view_open(struct drm_fault_view *view,
			const struct drm_fault_subscribe *args);
void drm_fault_view_close(struct drm_fault_view *view);
bool drm_fault_view_gone(const struct drm_fault_view *view);

int drm_fault_snapshot(const struct drm_fault_view *view, struct drm_fault_snapshot *args);

/**
 * struct drm_fault_stream - an open file on which records are read
 * @rcu: frees it after the report path has left it
 * @view: whose records
 * @uid: whose it counts as
 * @node: where the report path finds it
 * @all: in the list of all streams, under drm_fault_streams_lock
 * @lock: serialises producers of @queue. Raw, inside a context's lock; readers
 *	never take it.
 * @queue: records that wait
 * @read_lock: serialises readers
 * @wait: readers and pollers that sleep
 * @wake: wakes them from where one may
 */
struct drm_fault_stream {
	struct rcu_work rcu;
	struct drm_fault_view view;
	kuid_t uid;
	struct hlist_node node;
	struct list_head all;
	raw_spinlock_t lock;
	struct drm_fault_queue queue;
	/* serialises readers */
	struct mutex read_lock;
	wait_queue_head_t wait;
	struct irq_work wake;
};

struct file *drm_fault_stream_create(const struct drm_fault_subscribe *args,
				     u32 *queue_records);
void drm_fault_streams_push(const struct drm_fault_context *context,
			    struct drm_fault_record *record, bool repeat);
void drm_fault_streams_hang_up(void);

/**
 * struct drm_fault_call - one ioctl in progress
 * @file: on which it is called
 * @arg: the caller's structure
 * @user_size: its size there
 * @size: size of the structure here
 * @data: the kernel's copy
 */
struct drm_fault_call {
	struct file *file;
	void __user *arg;
	u32 user_size;
	u32 size;
	void *data;
};

/**
 * struct drm_fault_call_op - how to serve an ioctl
 * @cmd: its number
 * @size: of its structure
 * @min_size: end of the last member that every caller must have
 * @run: does it; calls drm_fault_call_reply() itself if @replies
 * @replies: see @run
 */
struct drm_fault_call_op {
	unsigned int cmd;
	u32 size;
	u32 min_size;
	int (*run)(struct drm_fault_call *call);
	bool replies;
};

#define DRM_FAULT_CALL_MAX	256

long drm_fault_call(const struct drm_fault_call_op *ops, unsigned int count,
		    struct file *file, unsigned int cmd, unsigned long arg);
int drm_fault_call_reply(const struct drm_fault_call *call);
long drm_fault_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

#ifdef CONFIG_DEBUG_FS
void drm_fault_debugfs_init(void);
void drm_fault_debugfs_exit(void);
void drm_fault_debugfs_add(struct drm_fault_reporter *reporter);
void drm_fault_debugfs_remove(struct drm_fault_reporter *reporter);
#else
static inline void drm_fault_debugfs_init(void) {}
static inline void drm_fault_debugfs_exit(void) {}
static inline void drm_fault_debugfs_add(struct drm_fault_reporter *reporter) {}
static inline void drm_fault_debugfs_remove(struct drm_fault_reporter *reporter) {}
#endif

#endif /* _DRM_FAULT_CORE_H_ */
