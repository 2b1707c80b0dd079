// SPDX-License-Identifier: MIT
/* Instruction pointers. */
#include "verdict_case.h"

static const struct verdict_case cases[] = {
	{
		"an instruction in a pipeline",
		{ { BIND, MEMORY, 2, 0x100000, 0x10000, 9, 0, NULL },
		  { BIND, PIPELINE, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { NAME, PIPELINE, 1, 0, 0, 0, 0, "shade\n" } },
		{ AT(0x100040, 1, WRITE, 50), .is_instruction = true },
		DRMFAULT_VERDICT_CODE,
		DRMFAULT_REASON_BOUND,
		HIGH,
		"instruction pointer in VkPipeline \"shade?\" at 0x40",
		DRMFAULT_VERDICT_STILL_BOUND,
		NULL,
	},
	{
		"an instruction in a command buffer",
		{ { BIND, COMMAND_BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL } },
		{ AT(0x100040, 8, READ, 50), .is_instruction = true },
		DRMFAULT_VERDICT_CODE,
		DRMFAULT_REASON_BOUND,
		HIGH,
		"instruction pointer in VkCommandBuffer 0x1 at 0x40 to 0x47",
		0,
		NULL,
	},
	{
		"an instruction in a pipeline that had ended",
		{ { BIND, PIPELINE, 1, 0x100000, 0x1000, 10, 0, NULL },
		  { DESTROY, PIPELINE, 1, 0, 0, 49, 0, NULL } },
		{ AT(0x100040, 1, READ, 50), .is_instruction = true },
		DRMFAULT_VERDICT_USE_AFTER_FREE,
		DRMFAULT_REASON_DESTROYED,
		HIGH,
		"instruction pointer in VkPipeline 0x1 at 0x40, freed 1.0 ms earlier",
		0,
		NULL,
	},
	{
		"an instruction behind a buffer",
		{ { BIND, BUFFER, 1, 0x100000, 0x1000, 10, 0, NULL } },
		{ AT(0x101000, 1, READ, 50), .is_instruction = true },
		DRMFAULT_VERDICT_NEVER_BOUND,
		DRMFAULT_REASON_UNKNOWN_ADDRESS,
		LOW,
		"instruction pointer at address 0x101000, where nothing is known to have been",
		0,
		NULL,
	},
};

VERDICT_CASES(instruction);
