/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The software GPU: what its parts know of each other.
 */
#ifndef _DRM_FAULT_SIM_PRIVATE_H_
#define _DRM_FAULT_SIM_PRIVATE_H_

#include <linux/bits.h>
#include <linux/dma-fence.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include <drm/drm_device.h>
#include <drm/drm_file.h>

#include <drm/drm_fault.h>
#include <uapi/drm/drm_fault_sim.h>

/**
 * DOC: Overview
 *
 * A platform device with a DRM device (driver.c) has two rings (ring.c). Every
 * open file (file.c) has an address space (vm.c), into which ranges of shmem
 * objects are mapped (object.c). A job (job.c) is run by its ring's worker in
 * the engine (engine.c), which decodes instructions (isa.c) and reaches memory
 * through the address space (memory.c). What goes wrong there is put into the
 * ring's fault registers, an interrupt is raised, and its handler reports it
 * (fault.c): the part that a driver author should read.
 *
 * DOC: Locking
 *
 * Outermost first:
 *  - &drm_fault_sim_device.files_lock: who is open, and their reporting
 *  - &drm_fault_sim_ring.submit_lock: numbers of jobs follow their order
 *  - &drm_fault_sim_vm.map_lock: changes of an address space, may allocate
 *  - &drm_fault_sim_file.lock: guilt and counters of a file
 *  - &drm_fault_sim_ring.lock: the queue
 *  - &drm_fault_sim_vm.lock: the entries of the page table
 *
 * A ring's worker takes only the last three, under which nothing allocates or
 * sleeps: jobs end, and signal their fences, also under memory pressure.
 */

#define DRM_FAULT_SIM_MAX_JOBS		64
#define DRM_FAULT_SIM_MAX_OBJECT	(256 * (u64)SZ_1M)
#define DRM_FAULT_SIM_MAX_MAPPED	((u64)SZ_1G)
#define DRM_FAULT_SIM_MAX_TABLES	4096
#define DRM_FAULT_SIM_ADDRESS_END	BIT_ULL(DRM_FAULT_SIM_ADDRESS_BITS)

struct drm_fault_sim_ring;
struct drm_fault_sim_table;
struct drm_printer;

/**
 * struct drm_fault_sim_vm - one GPU address space
 */
struct drm_fault_sim_vm {
	/** @map_lock: serialises map and unmap */
	struct mutex map_lock;
	/**
	 * @lock: protects the entries of the tables; innermost, held for one access of
	 * the engine at a time
	 */
	spinlock_t lock;
	/** @root: table of the top level; changed under both locks */
	struct drm_fault_sim_table *root;
	/** @mapped: bytes mapped, under @map_lock */
	u64 mapped;
	/** @tables: tables allocated, under @map_lock */
	unsigned int tables;
};

/**
 * struct drm_fault_sim_access - one access and what became of it
 * @address:	in: GPU address
 * @size:	in: bytes, a power of two
 * @access:	in: enum drm_fault_access
 * @cause:	out: enum drm_fault_sim_cause, if it failed
 * @level:	out: level at which the walk of the table ended, 0 if none was made
 */
struct drm_fault_sim_access {
	u64 address;
	u32 size;
	u32 access;
	u32 cause;
	u32 level;
};

/**
 * struct drm_fault_sim_insn - a decoded instruction
 * @op:		enum drm_fault_sim_opcode
 * @a:		register
 * @b:		register
 * @c:		register
 * @size:	bytes to access
 * @imm:	immediate, or displacement with its sign extended
 */
struct drm_fault_sim_insn {
	u8 op;
	u8 a;
	u8 b;
	u8 c;
	u32 size;
	u64 imm;
};

/**
 * struct drm_fault_sim_fault - the fault registers of a ring
 * @address:	where it happened
 * @ip:		instruction pointer
 * @status:	status word, as in &drm_fault_record.raw
 * @word:	instruction word, 0 if none was fetched
 * @job_context:	fence context of the job
 * @job_seqno:	fence number of the job
 * @file:	the file whose job it was
 * @vm:		number of the address space
 * @pid:	process that opened the file
 */
struct drm_fault_sim_fault {
	u64 address;
	u64 ip;
	u64 status;
	u64 word;
	u64 job_context;
	u64 job_seqno;
	struct drm_fault_sim_file *file;
	u32 vm;
	s32 pid;
};

/**
 * struct drm_fault_sim_file - an open file of the DRM node
 */
struct drm_fault_sim_file {
	/** @link: in &drm_fault_sim_device.files */
	struct list_head link;
	/** @sim: the device */
	struct drm_fault_sim_device *sim;
	/** @vm: its address space */
	struct drm_fault_sim_vm vm;
	/** @vm_id: number of the address space, from 1, never used again */
	u32 vm_id;
	/** @pid: process that opened it */
	s32 pid;
	/** @client: at drm_fault, NULL if nothing is reported; under files_lock */
	struct drm_fault_client *client;
	/**
	 * @context: at drm_fault, NULL if nothing is reported; under files_lock, and
	 * constant while a job of the file is on a ring
	 */
	struct drm_fault_context *context;
	/** @fence_context: first of its fence contexts, one per ring */
	u64 fence_context;
	/** @fence_seqno: last number given in each, under the ring's submit_lock */
	u64 fence_seqno[DRM_FAULT_SIM_RINGS];
	/** @lock: protects what follows */
	spinlock_t lock;
	/**
	 * @epoch: raised to cancel all jobs submitted before; the engine reads it
	 * without the lock
	 */
	u32 epoch;
	/** @guilty: no more submissions */
	bool guilty;
	/** @jobs: queued or running */
	u32 jobs;
	/** @faults: counted for the state ioctl */
	u64 faults;
	/** @resets: likewise */
	u64 resets;
};

/**
 * struct drm_fault_sim_fence - fence of a job, which may live longer than it
 */
struct drm_fault_sim_fence {
	/** @base: the fence; first, as it is freed by this address */
	struct dma_fence base;
	/** @lock: its lock */
	spinlock_t lock;
	/** @name: of the ring */
	const char *name;
};

/**
 * struct drm_fault_sim_job - a program on its way through a ring
 * @link:	in &drm_fault_sim_ring.queue
 * @ring:	the ring
 * @file:	the file, which waits for its jobs before it goes
 * @epoch:	&drm_fault_sim_file.epoch when it was submitted
 * @flags:	DRM_FAULT_SIM_SUBMIT_*
 * @start:	first instruction
 * @in_fence:	to wait for, or NULL
 * @in_cb:	wakes the ring when @in_fence signals
 * @fence:	signalled at the end; a reference
 */
struct drm_fault_sim_job {
	struct list_head link;
	struct drm_fault_sim_ring *ring;
	struct drm_fault_sim_file *file;
	u32 epoch;
	u32 flags;
	u64 start;
	struct dma_fence *in_fence;
	struct dma_fence_cb in_cb;
	struct drm_fault_sim_fence *fence;
};

/**
 * struct drm_fault_sim_ring - runs jobs one after the other
 */
struct drm_fault_sim_ring {
	/** @sim: the device */
	struct drm_fault_sim_device *sim;
	/** @index: its number */
	unsigned int index;
	/** @name: "ring0", "ring1" */
	const char *name;
	/** @submit_lock: held from the numbering of a job to its place in the queue */
	struct mutex submit_lock;
	/** @lock: protects @queue, @current_file and @stopped */
	spinlock_t lock;
	/** @queue: jobs that have not started */
	struct list_head queue;
	/** @current_file: whose job is in the engine or waits for its fence, or NULL */
	struct drm_fault_sim_file *current_file;
	/** @stopped: nothing is run any more; read without the lock by the engine */
	bool stopped;
	/** @wake: woken when the current job ends, is to end, or may start */
	wait_queue_head_t wake;
	/** @wq: runs @work */
	struct workqueue_struct *wq;
	/** @work: runs the queue until it is empty */
	struct work_struct work;
	/** @irq: the interrupt line */
	struct irq_work irq;
	/**
	 * @fault: the fault registers; written by the engine before it raises the
	 * interrupt, read by the handler, for which the engine waits
	 */
	struct drm_fault_sim_fault fault;
};

/**
 * struct drm_fault_sim_device - the GPU
 */
struct drm_fault_sim_device {
	/** @drm: the DRM device */
	struct drm_device drm;
	/** @reporter: at drm_fault, NULL with report=0; constant while rings run */
	struct drm_fault_reporter *reporter;
	/** @rings: the rings */
	struct drm_fault_sim_ring rings[DRM_FAULT_SIM_RINGS];
	/** @resets: resets of rings */
	atomic64_t resets;
	/** @vm_ids: last &drm_fault_sim_file.vm_id given */
	atomic_t vm_ids;
	/** @files_lock: protects @files and @gone */
	struct mutex files_lock;
	/** @files: open files */
	struct list_head files;
	/** @gone: the device was removed */
	bool gone;
	/** @idle: woken when a job has ended */
	wait_queue_head_t idle;
};

static inline struct drm_fault_sim_device *to_drm_fault_sim(struct drm_device *drm)
{
	return container_of(drm, struct drm_fault_sim_device, drm);
}

/* driver.c */
bool drm_fault_sim_reporting(void);
unsigned int drm_fault_sim_timeout_ms(void);

/* file.c */
int drm_fault_sim_open(struct drm_device *drm, struct drm_file *file);
void drm_fault_sim_postclose(struct drm_device *drm, struct drm_file *file);
void drm_fault_sim_file_blame(struct drm_fault_sim_file *file);
int drm_fault_sim_state_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int drm_fault_sim_recover_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* object.c */
int drm_fault_sim_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int drm_fault_sim_map_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int drm_fault_sim_unmap_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

/* vm.c */
struct drm_fault_sim_mapping;
struct drm_gem_object;

int drm_fault_sim_vm_init(struct drm_fault_sim_vm *vm);
void drm_fault_sim_vm_fini(struct drm_fault_sim_vm *vm);
int drm_fault_sim_vm_map(struct drm_fault_sim_vm *vm, struct drm_gem_object *object,
			 const struct drm_fault_sim_map *args);
void drm_fault_sim_vm_unmap(struct drm_fault_sim_vm *vm, u64 address, u64 size);
struct page *drm_fault_sim_vm_walk(struct drm_fault_sim_vm *vm, u64 address,
				   u32 *permissions, u32 *level);

/* memory.c */
int drm_fault_sim_load(struct drm_fault_sim_vm *vm,
		       struct drm_fault_sim_access *access, u64 *value);
int drm_fault_sim_store(struct drm_fault_sim_vm *vm,
			struct drm_fault_sim_access *access, u64 value);
int drm_fault_sim_atomic_add(struct drm_fault_sim_vm *vm,
			     struct drm_fault_sim_access *access, u64 *value);
int drm_fault_sim_copy(struct drm_fault_sim_vm *vm, u64 to, u64 from, u64 size,
		       struct drm_fault_sim_access *access);

/* isa.c */
bool drm_fault_sim_decode(u64 word, struct drm_fault_sim_insn *insn);

/* engine.c */
int drm_fault_sim_engine_run(struct drm_fault_sim_job *job);

/* ring.c */
int drm_fault_sim_ring_init(struct drm_fault_sim_device *sim, unsigned int index);
void drm_fault_sim_ring_fini(struct drm_fault_sim_ring *ring);
void drm_fault_sim_ring_stop(struct drm_fault_sim_ring *ring);
int drm_fault_sim_ring_push(struct drm_fault_sim_job *job);
void drm_fault_sim_ring_purge(struct drm_fault_sim_ring *ring,
			      struct drm_fault_sim_file *file);
void drm_fault_sim_ring_print(struct drm_fault_sim_ring *ring, struct drm_printer *p);
bool drm_fault_sim_job_cancelled(const struct drm_fault_sim_job *job);

/* job.c */
int drm_fault_sim_submit_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int drm_fault_sim_wait_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
void drm_fault_sim_job_end(struct drm_fault_sim_job *job, int error);

/* fault.c */
int drm_fault_sim_report_init(struct drm_fault_sim_device *sim);
void drm_fault_sim_report_fini(struct drm_fault_sim_device *sim);
int drm_fault_sim_report_open(struct drm_fault_sim_file *file, struct drm_file *drm_file);
void drm_fault_sim_report_close(struct drm_fault_sim_file *file);
void drm_fault_sim_irq(struct irq_work *irq);
void drm_fault_sim_hang(struct drm_fault_sim_ring *ring);
void drm_fault_sim_page_fault(struct drm_fault_sim_device *sim,
			      const struct drm_fault_sim_fault *fault);

#endif /* _DRM_FAULT_SIM_PRIVATE_H_ */
