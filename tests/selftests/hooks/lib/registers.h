/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
#ifndef HOOKS_REGISTERS_H
#define HOOKS_REGISTERS_H

#include <linux/types.h>

/* What the hook of the software GPU is on. */
#define PAGE_FAULT	"drm_fault_sim:drm_fault_sim_page_fault"

/* The fault registers, as that hook reads them. */
struct registers {
	__u64 address;
	__u64 ip;
	__u64 status;
	__u64 word;
	__u64 job_context;
	__u64 job_seqno;
	__u64 file;
	__u32 vm;
	__u32 pid;
};

#endif /* HOOKS_REGISTERS_H */
