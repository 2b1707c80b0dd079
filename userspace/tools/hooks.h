/* SPDX-License-Identifier: MIT */
/* The hooks of the kernel module, as it shows them in sysfs. */
#ifndef DRMFAULT_HOOKS_H
#define DRMFAULT_HOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Below the folder where sysfs is. */
#define HOOKS_FOLDER "class/misc/drm_fault/hooks"

#define HOOK_TEXT      64
#define HOOK_PROTOTYPE 256

/* What hooks give, as bits and as words; the order is that of the words. */
enum hook_gives {
	HOOK_GIVES_FAULT = 0x01,
	HOOK_GIVES_STATUS = 0x02,
	HOOK_GIVES_OWNER = 0x04,
	HOOK_GIVES_IP = 0x08,
	HOOK_GIVES_HANG = 0x10,
	HOOK_GIVES_DUMP = 0x20,
};

enum hook_state {
	HOOK_OFF,
	HOOK_WAITING,
	HOOK_ATTACHED,
	HOOK_ABSENT,
	HOOK_DIFFERS,
	HOOK_FAILED,
	HOOK_STATES, /* one that this program does not know */
};

struct hook {
	char set[HOOK_TEXT];
	char symbol[HOOK_TEXT];
	char module[HOOK_TEXT];
	char kind[HOOK_TEXT];
	char state_name[HOOK_TEXT];
	char prototype[2 * HOOK_PROTOTYPE];
	char found[HOOK_PROTOTYPE];
	enum hook_state state;
	uint32_t gives;
	int error;
	bool checked;
	/* Only root may read these. */
	bool counted;
	uint64_t hits, drops, missed;
};

/* A member of a private structure; a negative offset is the error. */
struct hook_field {
	char set[HOOK_TEXT];
	char name[2 * HOOK_TEXT];
	int offset;
};

struct hook_set {
	char name[HOOK_TEXT];
	/* Whose GPUs it serves, empty: what drivers share. */
	char driver[HOOK_TEXT];
};

struct hook_list {
	struct hook_set *sets;
	struct hook *hooks;
	struct hook_field *fields;
	size_t set_count, hook_count, field_count;
};

/* 0; -ENOENT: the module shows no hooks; -ENOMEM. @sys is where sysfs is. */
int hooks_read(const char *sys, struct hook_list *list);
void hooks_free(struct hook_list *list);

/* The set of a driver's GPUs, NULL: there is none. */
const struct hook_set *hooks_of_driver(const struct hook_list *list, const char *driver);
/* What its attached hooks give, besides this one. */
uint32_t hooks_give(const struct hook_list *list, const char *set, const struct hook *but);
/* The word for the bit @i of enum hook_gives, NULL behind the last. */
const char *hook_gives_name(unsigned int i);

#endif /* DRMFAULT_HOOKS_H */
