// SPDX-License-Identifier: MIT
#include "judge.h"
#include "object-type.h"

/* That nothing is known to have been at an instruction pointer says nothing. */
static bool is_worth_telling(const struct drmfault_verdict *verdict, bool is_ip)
{
	struct drmfault_verdict_candidate candidate = { .size = sizeof(candidate) };

	return !is_ip || (!drmfault_verdict_candidate(verdict, 0, &candidate) &&
			  candidate.kind != DRMFAULT_VERDICT_NEVER_BOUND);
}

struct drmfault_verdict *judge(struct drmfault_bindings *bindings,
			       const struct drmfault_record *record, bool is_ip)
{
	struct drmfault_verdict_args args = {
		.size = sizeof(args),
		.types = object_types,
		.type_count = object_type_count,
	};
	struct drmfault_verdict *verdict;
	int ret = is_ip ? drmfault_verdict_args_of_ip(record, &args)
			: drmfault_verdict_args_of_record(record, &args);

	if (ret || drmfault_verdict_make(bindings, &args, &verdict))
		return NULL;
	if (is_worth_telling(verdict, is_ip))
		return verdict;
	drmfault_verdict_free(verdict);
	return NULL;
}
