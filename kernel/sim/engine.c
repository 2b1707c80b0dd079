// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine: fetches, decodes and executes the instructions of one job.
 */
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/sched.h>

#include "sim.h"

/* What a step returns besides errors; the job goes on with 0. */
#define SIM_DONE		1

#define SIM_INSN_SIZE		8
#define SIM_POLL_US		50
#define SIM_STEPS_PER_BREATH	64

/**
 * struct drm_fault_sim_exec - the state of a running job
 * @job:	the job
 * @vm:		its address space
 * @deadline:	in jiffies
 * @ip:		instruction that is being executed
 * @next:	the one after it
 * @word:	the word at @ip, 0 while it is not fetched
 * @regs:	the registers
 */
struct drm_fault_sim_exec {
	struct drm_fault_sim_job *job;
	struct drm_fault_sim_vm *vm;
	unsigned long deadline;
	u64 ip;
	u64 next;
	u64 word;
	u64 regs[DRM_FAULT_SIM_REGISTERS];
};

static u64 sim_wrap(u64 address)
{
	return address & (DRM_FAULT_SIM_ADDRESS_END - 1);
}

static struct drm_fault_sim_access sim_operand(const struct drm_fault_sim_exec *exec,
					       const struct drm_fault_sim_insn *insn, u32 access)
{
	return (struct drm_fault_sim_access) {
		.address = sim_wrap(exec->regs[insn->b] + insn->imm),
		.size = insn->size,
		.access = access,
	};
}

static u64 sim_truncate(u64 value, u32 bytes)
{
	return bytes == 8 ? value : value & ((1ULL << (bytes * 8)) - 1);
}

static void sim_latch(struct drm_fault_sim_exec *exec, u64 address, u64 status)
{
	struct drm_fault_sim_job *job = exec->job;

	job->ring->fault = (struct drm_fault_sim_fault) {
		.address = address,
		.ip = exec->ip,
		.status = status | job->ring->index << 12,
		.word = exec->word,
		.job_context = job->fence->base.context,
		.job_seqno = job->fence->base.seqno,
		.file = job->file,
		.vm = job->file->vm_id,
		.pid = job->file->pid,
	};
}

/* Raise the interrupt, and wait like hardware that has one set of registers. */
static void sim_raise(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_access *access,
		      bool nonfatal)
{
	struct drm_fault_sim_file *file = exec->job->file;
	struct drm_fault_sim_ring *ring = exec->job->ring;

	sim_latch(exec, access->address,
		  access->cause | access->access << 4 | access->level << 8 |
		  ilog2(access->size) << 16 | (u32)nonfatal << 20);

	spin_lock(&file->lock);
	file->faults++;
	spin_unlock(&file->lock);

	irq_work_queue(&ring->irq);
	irq_work_sync(&ring->irq);
}

/* A data access failed: 0 if the job may go on without it. */
static int sim_data_fault(struct drm_fault_sim_exec *exec,
			  const struct drm_fault_sim_access *access)
{
	bool nonfatal = exec->job->flags & DRM_FAULT_SIM_SUBMIT_NONFATAL;

	sim_raise(exec, access, nonfatal);
	return nonfatal ? 0 : -EFAULT;
}

static int sim_instruction_fault(struct drm_fault_sim_exec *exec,
				 const struct drm_fault_sim_access *access)
{
	sim_raise(exec, access, false);
	return -EFAULT;
}

static int sim_interrupted(const struct drm_fault_sim_exec *exec)
{
	if (drm_fault_sim_job_cancelled(exec->job))
		return -ECANCELED;
	if (time_after_eq(jiffies, exec->deadline))
		return -ETIMEDOUT;
	return 0;
}

/* Sleep, but not past the deadline, nor when there is nothing to wait for. */
static void sim_pause(struct drm_fault_sim_exec *exec, u32 microseconds)
{
	struct drm_fault_sim_ring *ring = exec->job->ring;
	long left = exec->deadline - jiffies;
	u64 ns = min_t(u64, (u64)microseconds * NSEC_PER_USEC,
		       jiffies_to_nsecs(max(left, 0L)));

	wait_event_interruptible_hrtimeout(ring->wake, drm_fault_sim_job_cancelled(exec->job),
					   ns_to_ktime(ns));
}

static int sim_end(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	return SIM_DONE;
}

static int sim_nop(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	return 0;
}

static int sim_set(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	exec->regs[insn->a] = insn->imm;
	return 0;
}

static int sim_set_high(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	exec->regs[insn->a] = sim_wrap(exec->regs[insn->a]) | insn->imm << 48;
	return 0;
}

static int sim_add(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	exec->regs[insn->a] = exec->regs[insn->b] + insn->imm;
	return 0;
}

static int sim_load(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	struct drm_fault_sim_access access = sim_operand(exec, insn, DRM_FAULT_ACCESS_READ);
	u64 value = 0;
	int ret = 0;

	if (drm_fault_sim_load(exec->vm, &access, &value))
		ret = sim_data_fault(exec, &access);
	exec->regs[insn->a] = value;
	return ret;
}

static int sim_store(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	struct drm_fault_sim_access access = sim_operand(exec, insn, DRM_FAULT_ACCESS_WRITE);

	if (drm_fault_sim_store(exec->vm, &access, exec->regs[insn->a]))
		return sim_data_fault(exec, &access);
	return 0;
}

static int sim_atomic_add(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	struct drm_fault_sim_access access = sim_operand(exec, insn, DRM_FAULT_ACCESS_ATOMIC);
	u64 value = exec->regs[insn->a];
	int ret = 0;

	if (drm_fault_sim_atomic_add(exec->vm, &access, &value)) {
		ret = sim_data_fault(exec, &access);
		value = 0;
	}
	exec->regs[insn->a] = value;
	return ret;
}

static int sim_copy(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	u64 to = exec->regs[insn->a];
	u64 from = exec->regs[insn->b];
	u64 left = exec->regs[insn->c];
	int ret = 0;

	while (left && !ret) {
		struct drm_fault_sim_access access;
		u64 done;

		ret = drm_fault_sim_copy(exec->vm, sim_wrap(to), sim_wrap(from), left, &access);
		done = ret;
		if (ret < 0) {
			done = min_t(u64, left, PAGE_SIZE - offset_in_page(access.address));
			ret = sim_data_fault(exec, &access);
		} else {
			ret = 0;
		}
		to += done;
		from += done;
		left -= done;
		cond_resched();
		ret = ret ?: sim_interrupted(exec);
	}
	return ret;
}

static int sim_jump(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	exec->next = insn->imm;
	return 0;
}

static int sim_jump_nonzero(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	if (exec->regs[insn->a])
		exec->next = insn->imm;
	return 0;
}

static int sim_wait(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	sim_pause(exec, insn->imm);
	return 0;
}

static int sim_wait_while(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn)
{
	struct drm_fault_sim_access access = sim_operand(exec, insn, DRM_FAULT_ACCESS_READ);
	u64 unwanted = sim_truncate(exec->regs[insn->a], insn->size);
	u64 value;
	int ret;

	do {
		if (drm_fault_sim_load(exec->vm, &access, &value))
			return sim_data_fault(exec, &access);
		if (value != unwanted)
			return 0;
		sim_pause(exec, SIM_POLL_US);
		ret = sim_interrupted(exec);
	} while (!ret);
	return ret;
}

typedef int (*sim_op)(struct drm_fault_sim_exec *exec, const struct drm_fault_sim_insn *insn);

static const sim_op sim_ops[] = {
	[DRM_FAULT_SIM_OP_END] = sim_end,
	[DRM_FAULT_SIM_OP_NOP] = sim_nop,
	[DRM_FAULT_SIM_OP_SET] = sim_set,
	[DRM_FAULT_SIM_OP_SET_HIGH] = sim_set_high,
	[DRM_FAULT_SIM_OP_ADD] = sim_add,
	[DRM_FAULT_SIM_OP_LOAD] = sim_load,
	[DRM_FAULT_SIM_OP_STORE] = sim_store,
	[DRM_FAULT_SIM_OP_ATOMIC_ADD] = sim_atomic_add,
	[DRM_FAULT_SIM_OP_COPY] = sim_copy,
	[DRM_FAULT_SIM_OP_JUMP] = sim_jump,
	[DRM_FAULT_SIM_OP_JUMP_NONZERO] = sim_jump_nonzero,
	[DRM_FAULT_SIM_OP_WAIT] = sim_wait,
	[DRM_FAULT_SIM_OP_WAIT_WHILE] = sim_wait_while,
};

static int sim_step(struct drm_fault_sim_exec *exec)
{
	struct drm_fault_sim_access fetch = {
		.address = exec->next,
		.size = SIM_INSN_SIZE,
		.access = DRM_FAULT_ACCESS_EXECUTE,
	};
	struct drm_fault_sim_insn insn;

	exec->ip = exec->next;
	exec->word = 0;
	if (drm_fault_sim_load(exec->vm, &fetch, &exec->word))
		return sim_instruction_fault(exec, &fetch);

	if (!drm_fault_sim_decode(exec->word, &insn)) {
		fetch.cause = DRM_FAULT_SIM_CAUSE_INSTRUCTION;
		fetch.level = 0;
		return sim_instruction_fault(exec, &fetch);
	}

	exec->next = sim_wrap(exec->ip + SIM_INSN_SIZE);
	return sim_ops[insn.op](exec, &insn);
}

/* A reset is what the timeout does to the ring: the job is gone, the rest stays. */
static void sim_hang(struct drm_fault_sim_exec *exec)
{
	struct drm_fault_sim_file *file = exec->job->file;

	sim_latch(exec, 0, DRM_FAULT_SIM_CAUSE_TIMEOUT);
	atomic64_inc(&file->sim->resets);
	spin_lock(&file->lock);
	file->resets++;
	spin_unlock(&file->lock);
	drm_fault_sim_hang(exec->job->ring);
}

/**
 * drm_fault_sim_engine_run - run a job to its end
 * @job:	the job, current on its ring
 *
 * Faults and the timeout are reported before it returns.
 *
 * Context: The ring's worker.
 * Return: 0, -EFAULT, -ETIMEDOUT or -ECANCELED.
 */
int drm_fault_sim_engine_run(struct drm_fault_sim_job *job)
{
	struct drm_fault_sim_exec exec = {
		.job = job,
		.vm = &job->file->vm,
		.deadline = jiffies + msecs_to_jiffies(drm_fault_sim_timeout_ms()),
		.next = job->start,
	};
	unsigned int steps = 0;
	int ret;

	do {
		if (!(++steps % SIM_STEPS_PER_BREATH))
			cond_resched();
		ret = sim_interrupted(&exec);
		if (!ret)
			ret = sim_step(&exec);
	} while (!ret);

	if (ret == -ETIMEDOUT)
		sim_hang(&exec);
	return ret == SIM_DONE ? 0 : ret;
}
