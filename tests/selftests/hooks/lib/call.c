// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <stdio.h>

#include "hooks.h"

__u64 hooks_symbol(struct hooks *hooks, const char *symbol)
{
	struct drm_fault_call_symbol args = {};

	snprintf(args.name, sizeof(args.name), "%s", symbol);
	return road_call(hooks->call, DRM_FAULT_CALL_SYMBOL, &args) ? 0 : args.address;
}

struct drm_fault_call_step hooks_step(const char *symbol, __u64 result, const __u64 *args)
{
	struct drm_fault_call_step step = { .result = result };

	snprintf(step.symbol, sizeof(step.symbol), "%s", symbol);
	memcpy(step.args, args, sizeof(step.args));
	return step;
}

int hooks_make(struct hooks *hooks, struct drm_fault_call_make *make)
{
	return road_call(hooks->call, DRM_FAULT_CALL_CALL, make);
}

int hooks_run(struct hooks *hooks, const char *symbol, __u64 *returned, const __u64 *args)
{
	struct drm_fault_call_make make = { .outer = hooks_step(symbol, 0, args) };
	int ret;

	make.outer.flags = DRM_FAULT_CALL_BODY;
	ret = hooks_make(hooks, &make);
	if (returned)
		*returned = make.returned;
	return ret;
}

/* The function that calls a tracepoint's probes has an argument more, unused. */
int hooks_trace(struct hooks *hooks, const char *tracepoint, const __u64 *args)
{
	struct drm_fault_call_make make = {
		.outer.flags = DRM_FAULT_CALL_BODY,
		.flags = DRM_FAULT_CALL_ATOMIC,
	};
	const char *name = strchr(tracepoint, ':');

	name = name ? name + 1 : tracepoint;
	snprintf(make.outer.symbol, sizeof(make.outer.symbol), "%.*s__traceiter_%s",
		 (int)(name - tracepoint), tracepoint, name);
	memcpy(&make.outer.args[1], args, sizeof(make.outer.args) - sizeof(*args));
	return hooks_make(hooks, &make);
}
