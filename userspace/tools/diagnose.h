/* SPDX-License-Identifier: MIT */
/* What the state of hooks means for this machine, in words. */
#ifndef DRMFAULT_DIAGNOSE_H
#define DRMFAULT_DIAGNOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cards.h"
#include "hooks.h"

/* A GPU that the kernel module knows. */
struct reported {
	int minor;
	char driver[64];
};

/* What there is. */
struct machine {
	struct hook_list hooks;
	struct card *cards;
	size_t card_count;
	struct reported *reported;
	size_t reported_count;
};

enum coverage {
	COVERED,
	NOT_COVERED,
	NO_GPU,
};

struct diagnosis {
	char reason[640];
	char advice[256];
};

/* Empty for a hook that listens. */
struct diagnosis diagnose_hook(const struct hook_list *list, const struct hook *hook);
/* Of a member whose place is not known. */
struct diagnosis diagnose_field(const struct hook_list *list, const struct hook_field *field);
/* Are faults of this GPU recorded? @gives is what else is known of them. */
enum coverage diagnose_card(const struct machine *machine, const struct card *card, uint32_t *gives,
			    struct diagnosis *diagnosis);
/* Its driver, by the best name there is. */
const char *card_driver(const struct machine *machine, const struct card *card);

/* "fault, owner"; returns @text. */
const char *gives_text(uint32_t gives, char *text, size_t size);

#endif /* DRMFAULT_DIAGNOSE_H */
