/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * What tests of nouveau's hooks share: a GPU, its engines and channels, at the places
 * that this kernel's type information tells.
 */
#ifndef _HOOKS_NOUVEAU_H_
#define _HOOKS_NOUVEAU_H_

#include "hooks.h"

#define NOUVEAU_INST	0x12345000ULL

/**
 * struct nouveau - a test's set-up
 * @hooks: GPU and streams
 * @modern: the driver has nvkm_chan and runlists; that of 6.1 has not
 * @memory: of which structures are taken
 * @used: bytes of that
 * @fifo, @gsp, @drm, @cli: the driver's parts, by their names
 */
struct nouveau {
	struct hooks hooks;
	bool modern;
	__u64 memory;
	__u64 used;
	__u64 fifo;
	__u64 gsp;
	__u64 drm;
	__u64 cli;
};

/**
 * struct nouveau_fault - struct nvkm_fault_data
 */
struct nouveau_fault {
	__u64 addr;
	__u64 inst;
	__u64 time;
	__u8 engine;
	__u8 valid;
	__u8 gpc;
	__u8 hub;
	__u8 access;
	__u8 client;
	__u8 reason;
};

/**
 * struct nouveau_engine - an engine of a runlist
 * @fault: the MMU's number of it
 * @name: the driver's name
 * @instance: number in its class
 * @engn: returns struct nvkm_engn
 */
struct nouveau_engine {
	__u32 fault;
	const char *name;
	__u32 instance;
	__u64 engn;
};

int nouveau_setup(struct nouveau *nouveau);
void nouveau_teardown(struct nouveau *nouveau);
__u64 nouveau_structure(struct nouveau *nouveau);
/* Puts each engine on a runlist of its own but the last two, which share one. */
int nouveau_engines(struct nouveau *nouveau, struct nouveau_engine *engines,
		    unsigned int count);
/* Address of a struct nvkm_fault_data, 0 if that fails. */
__u64 nouveau_fault_data(struct nouveau *nouveau, const struct nouveau_fault *fault);
int nouveau_fault(struct nouveau *nouveau, const struct nouveau_fault *fault);

/* A struct nouveau_channel, and a struct nvkm_chan, with this instance block. */
__u64 nouveau_channel(struct nouveau *nouveau, __u64 inst);
__u64 nouveau_chan(struct nouveau *nouveau, __u64 inst);
/* Where a pointer to @value lies. */
__u64 nouveau_pointer(struct nouveau *nouveau, __u64 value);
/* A client's ioctl makes a channel, with these results. */
int nouveau_channel_new(struct nouveau *nouveau, __u64 file, __u64 channel, __s64 result);
int nouveau_channel_del(struct nouveau *nouveau, __u64 channel);
/* What the handler of a killed channel is given. */
__u64 nouveau_kill(__u64 channel);
/* A job of @channel, or of none if that is 0; returns its struct drm_sched_job. */
__u64 nouveau_job(struct nouveau *nouveau, __u64 channel, __u64 context, __u64 seqno);
/* The next opener has these channels already. */
int nouveau_open_with(struct nouveau *nouveau, const __u64 *channels, unsigned int count);

#endif /* _HOOKS_NOUVEAU_H_ */
