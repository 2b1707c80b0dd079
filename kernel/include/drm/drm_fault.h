/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * What GPU drivers and hooks call to hand faults to drm_fault.
 */
#ifndef _DRM_FAULT_H_
#define _DRM_FAULT_H_

#include <linux/types.h>
#include <uapi/drm/drm_fault.h>

struct device;
struct drm_device;
struct drm_file;
struct drm_printer;
struct module;

/**
 * DOC: Overview
 *
 * A driver registers one &struct drm_fault_reporter per GPU, one &struct
 * drm_fault_client per &struct drm_file and one &struct drm_fault_context per
 * GPU address space of that client. Its fault handler then fills a &struct
 * drm_fault_event and calls drm_fault_report(), from any context up to hard
 * IRQ. drm_fault keeps the records, finds out who may read them, and serves
 * the streams. A driver that also wants the query on its own DRM node adds one
 * line with drm_fault_snapshot_ioctl() to its &struct drm_ioctl_desc table.
 *
 * DOC: Lifetime
 *
 * Contexts belong to a client (or, with none, to the reporter), clients to a
 * reporter. They are destroyed in the reverse order; drm_fault keeps what
 * readers still need. Pointers passed to drm_fault_report() and to the notes
 * must be alive during the call, which a driver has anyway as long as it
 * stops its interrupts or takes its own lock first. A driver that cannot
 * promise that reports by &drm_fault_event.key, which is looked up safely.
 *
 * DOC: Locking
 *
 * Nothing here takes a lock of the driver, and nothing calls back into it but for
 * &drm_fault_reporter_args.print_engines. The report
 * path takes only raw spinlocks of its own, with interrupts off, which no
 * reader ever holds. Everything that has to wake, allocate or sleep happens
 * later in another context.
 */

struct drm_fault_reporter;
struct drm_fault_client;
struct drm_fault_context;

/**
 * struct drm_fault_reporter_args - what drm_fault_reporter_register() needs
 */
struct drm_fault_reporter_args {
	/** @dev: the GPU, parent of our device in /sys/class/drm_fault. Mandatory. */
	struct device *dev;
	/**
	 * @drm: the DRM device, by which a file descriptor is recognised. Can be
	 * NULL, then neither FILE streams nor lookups by file reach this reporter.
	 */
	struct drm_device *drm;
	/** @driver: name of the driver, copied. Mandatory. */
	const char *driver;
	/** @address_bits: width of GPU virtual addresses, 0 if not known. */
	u8 address_bits;
	/**
	 * @print_engines: prints the state of the engines for a dump, at most 64 KiB of
	 * it: what runs on each, what waits, registers that were read at the fault. In
	 * process context, may sleep, one call at a time, when the burst of an incident
	 * is over; never after drm_fault_reporter_unregister(), which waits for it.
	 * Only the privileged read dumps. Can be NULL.
	 */
	void (*print_engines)(void *data, struct drm_printer *p);
	/** @data: for @print_engines */
	void *data;
};

struct drm_fault_reporter *
drm_fault_reporter_register(const struct drm_fault_reporter_args *args);
void drm_fault_reporter_unregister(struct drm_fault_reporter *reporter);

struct drm_fault_client *
drm_fault_client_create(struct drm_fault_reporter *reporter, struct drm_file *file);
void drm_fault_client_destroy(struct drm_fault_client *client);

/**
 * struct drm_fault_context_args - what drm_fault_context_create() needs
 */
struct drm_fault_context_args {
	/**
	 * @client: the client whose address space this is. Can be NULL, then the
	 * current process is the owner and no FILE stream sees the context.
	 */
	struct drm_fault_client *client;
	/**
	 * @key: any number by which the fault handler knows the address space
	 * (pasid, asid, ttbr0, a pointer), unique in the reporter; 0: none, then
	 * events must carry &drm_fault_event.context. Never shown to anyone.
	 */
	u64 key;
	/** @pasid: shown in records, 0 if there is none. */
	u32 pasid;
	/** @atomic: the caller cannot sleep; memory for records comes with the first. */
	bool atomic;
};

struct drm_fault_context *
drm_fault_context_create(struct drm_fault_reporter *reporter,
			 const struct drm_fault_context_args *args);
void drm_fault_context_destroy(struct drm_fault_context *context);
u64 drm_fault_context_id(const struct drm_fault_context *context);

/**
 * struct drm_fault_event - one event on its way in
 *
 * What the hardware does not tell stays 0. Fields named as in &struct
 * drm_fault_record mean the same.
 */
struct drm_fault_event {
	/** @context: where it happened, NULL: look @key up. */
	struct drm_fault_context *context;
	/**
	 * @key: &drm_fault_context_args.key. With neither this nor @context, or
	 * with an unknown key, the event goes to the reporter's catch-all context,
	 * which only the privileged see.
	 */
	u64 key;
	/** @flags: DRM_FAULT_RECORD_F_FATAL or DRM_FAULT_RECORD_F_GUILTY. */
	u32 flags;
	/** @access: enum drm_fault_access */
	u32 access;
	/** @fault_type: enum drm_fault_type, for faults mandatory */
	u32 fault_type;
	/** @level: page-table level from 1 */
	u32 level;
	/** @address: GPU virtual address, without sign extension */
	u64 address;
	/** @address_precision: power of two, 0: there is no address */
	u64 address_precision;
	/** @address_bits: width of addresses, 0: the reporter's */
	u8 address_bits;
	/** @ip: instruction pointer */
	u64 ip;
	/** @ip_precision: power of two, 0 with @ip_type 0 */
	u64 ip_precision;
	/** @ip_type: enum drm_fault_ip_type */
	u32 ip_type;
	/** @engine_class: enum drm_fault_engine_class */
	u32 engine_class;
	/** @engine_instance: number in the class */
	u32 engine_instance;
	/** @vmid: hardware slot */
	u32 vmid;
	/** @engine: name, can be NULL; must stay valid during the call only */
	const char *engine;
	/** @gpu_timestamp: the GPU's clock */
	u64 gpu_timestamp;
	/** @raw_format: enum drm_fault_raw_format */
	u32 raw_format;
	/** @raw_count: words used in @raw */
	u32 raw_count;
	/** @raw: status words */
	u64 raw[DRM_FAULT_RAW_WORDS];
	/** @job_context: fence context of the job */
	u64 job_context;
	/** @job_seqno: fence number of the job */
	u64 job_seqno;
};

void drm_fault_report(struct drm_fault_reporter *reporter,
		      const struct drm_fault_event *event);
void drm_fault_note_timeout(struct drm_fault_reporter *reporter,
			    const struct drm_fault_event *event);
void drm_fault_note_reset(struct drm_fault_reporter *reporter,
			  const struct drm_fault_event *event);
void drm_fault_note_wedged(struct drm_fault_reporter *reporter,
			   const struct drm_fault_event *event);
void drm_fault_note_dump(struct drm_fault_reporter *reporter,
			 const struct drm_fault_event *event);

int drm_fault_snapshot_ioctl(struct drm_device *drm, void *data,
			     struct drm_file *file);

/**
 * DOC: Hooks
 *
 * A hook listens to a function or tracepoint of a driver that knows nothing of
 * drm_fault. It is data: where, which prototype it was written for, what it gives,
 * and a handler. The hooks of one driver form a set, in one file of kernel/hooks.
 * The core attaches them when the driver's module comes, detaches them when it
 * goes, makes a reporter for each GPU of that driver and a client for each opener
 * of its nodes; the set says how address spaces are found.
 *
 * Handlers run inside the probed function, in its context, with preemption off:
 * they do not sleep, allocate only by drm_fault_context_create() with
 * &drm_fault_context_args.atomic, follow no pointer of a driver but with
 * drm_fault_peek(), and know private layouts only as &struct drm_fault_field.
 */

/**
 * enum drm_fault_hook_kind - how a hook listens
 * @DRM_FAULT_HOOK_ENTRY:	kprobe on the first instruction
 * @DRM_FAULT_HOOK_RETURN:	kretprobe, with a look at the entry
 * @DRM_FAULT_HOOK_TRACEPOINT:	tracepoint, by its name
 */
enum drm_fault_hook_kind {
	DRM_FAULT_HOOK_ENTRY = 1,
	DRM_FAULT_HOOK_RETURN = 2,
	DRM_FAULT_HOOK_TRACEPOINT = 3,
};

/* &drm_fault_hook.provides: what is missed without it */
#define DRM_FAULT_PROVIDES_FAULT	0x01	/* that there was a fault, its address */
#define DRM_FAULT_PROVIDES_STATUS	0x02	/* more of a fault: status words */
#define DRM_FAULT_PROVIDES_OWNER	0x04	/* whose address space it was */
#define DRM_FAULT_PROVIDES_IP		0x08	/* where the command stream was */
#define DRM_FAULT_PROVIDES_HANG		0x10	/* timeouts and resets */
#define DRM_FAULT_PROVIDES_DUMP		0x20	/* that the driver made a dump */

struct drm_fault_hook;
struct drm_fault_probe;
struct pt_regs;

/**
 * struct drm_fault_hook_hit - one pass through a hooked function
 * @hook: the hook
 * @regs: for drm_fault_hook_arg(); in @hook's leave for the result alone
 * @result: in leave: what the function returned
 * @data: &drm_fault_hook.data_size bytes, zeroed, the same in enter and leave
 */
struct drm_fault_hook_hit {
	const struct drm_fault_hook *hook;
	struct pt_regs *regs;
	unsigned long result;
	void *data;
};

/**
 * struct drm_fault_hook - where to listen and what to do
 */
struct drm_fault_hook {
	/** @symbol: the function's or tracepoint's name */
	const char *symbol;
	/** @module: whose it is if not the set's, "vmlinux": the kernel's own */
	const char *module;
	/** @kind: enum drm_fault_hook_kind */
	u32 kind;
	/** @provides: DRM_FAULT_PROVIDES_* */
	u32 provides;
	/**
	 * @prototype: as drm_fault_btf_prototype() prints it, for example
	 * "int (struct xe_guc *, u32 *, u32)". Several that the handlers cope
	 * with are separated by " | ". NULL for tracepoints.
	 */
	const char *prototype;
	/**
	 * @enter: at the first instruction; for RETURN can be NULL, and false
	 * says that @leave is not wanted this time
	 */
	bool (*enter)(struct drm_fault_hook_hit *hit);
	/** @leave: RETURN: when the function has returned */
	void (*leave)(struct drm_fault_hook_hit *hit);
	/** @data_size: RETURN: of &drm_fault_hook_hit.data */
	u32 data_size;
	/**
	 * @probe: TRACEPOINT: a function with the tracepoint's arguments after
	 * a first one, which is this hook
	 */
	void *probe;
	/** @state: the core's */
	struct drm_fault_probe *state;
};

/**
 * struct drm_fault_field - a member of a structure whose layout is private
 *
 * The place is read from the running kernel's type information (BTF) when the
 * module comes.
 */
struct drm_fault_field {
	/** @type: name of the structure */
	const char *type;
	/** @path: member, through embedded structures with dots; NULL: the structure itself */
	const char *path;
	/** @size: bytes it must have, 0: any */
	u32 size;
	/** @offset: set by the core: where it is, or the size without @path; negative: not known */
	int offset;
};

/**
 * struct drm_fault_hooks - all hooks of a driver
 */
struct drm_fault_hooks {
	/** @name: of the set, and of its directory in sysfs */
	const char *name;
	/** @driver: &drm_driver.name of the GPUs it serves, NULL: it serves others' */
	const char *driver;
	/** @module: kernel module that has the functions, "vmlinux": the kernel itself */
	const char *module;
	/** @address_bits: width of virtual addresses of these GPUs, 0: not known */
	u8 address_bits;
	/** @hooks: the hooks */
	struct drm_fault_hook *hooks;
	/** @hook_count: how many */
	unsigned int hook_count;
	/** @fields: what must be known of private layouts, can be NULL */
	struct drm_fault_field *fields;
	/** @field_count: how many */
	unsigned int field_count;
	/**
	 * @opened: an opener is known: create the contexts that it has. Called
	 * in atomic context, right after the open or, for files that were open
	 * when the reporter came or the fields became known, later. Can be NULL.
	 */
	void (*opened)(struct drm_fault_reporter *reporter,
		       struct drm_fault_client *client, const struct drm_file *file);
	/**
	 * @start: before any hook is attached; an error ends the loading of the
	 * module. Process context, may sleep. Can be NULL.
	 */
	int (*start)(void);
	/**
	 * @stop: after the last hook was detached for good, if @start was
	 * successful. Process context, may sleep. Can be NULL.
	 */
	void (*stop)(void);
};

unsigned long drm_fault_hook_arg(const struct drm_fault_hook_hit *hit, unsigned int n);
void *drm_fault_hook_enclosing(const struct drm_fault_hook *hook);
void drm_fault_hook_count(const struct drm_fault_hook *hook);
void drm_fault_hook_drop(const struct drm_fault_hook *hook);
void drm_fault_hook_report(const struct drm_fault_hook *hook,
			   struct drm_fault_reporter *reporter,
			   const struct drm_fault_event *event);

bool drm_fault_peek(void *to, const void *from, size_t size);
bool drm_fault_field_peek(void *to, const void *base, const struct drm_fault_field *field);
int drm_fault_fields_resolve(const char *module, struct drm_fault_field *fields,
			     unsigned int count);

struct drm_fault_reporter *drm_fault_reporter_of_device(const struct device *dev);
struct drm_fault_reporter *drm_fault_reporter_of_drm(const struct drm_device *drm);
struct drm_fault_reporter *drm_fault_reporter_of_pci(u32 segment, u16 devid);
bool drm_fault_reporter_provides(const struct drm_fault_reporter *reporter, u32 provides);
struct drm_fault_client *drm_fault_client_of_file(const struct drm_file *file);
struct drm_fault_context *drm_fault_context_of_key(struct drm_fault_reporter *reporter,
						   u64 key);
int drm_fault_context_add_key(struct drm_fault_context *context, u64 key);
int drm_fault_context_rekey(struct drm_fault_context *context, u64 old, u64 key, u32 pasid);
void drm_fault_context_claim(struct drm_fault_context *context);

#endif /* _DRM_FAULT_H_ */
