/* SPDX-License-Identifier: MIT */
/* What a record means by the objects of Vulkan; the layer judges as the command does. */
#ifndef DRMFAULT_JUDGE_H
#define DRMFAULT_JUDGE_H

#include <stdbool.h>

#include "drmfault_verdict.h"

/*
 * On the record's instruction pointer if @is_ip, else on its address. NULL: it has none,
 * or there is nothing to tell. Free it with drmfault_verdict_free().
 */
struct drmfault_verdict *judge(struct drmfault_bindings *bindings,
			       const struct drmfault_record *record, bool is_ip);

#endif /* DRMFAULT_JUDGE_H */
