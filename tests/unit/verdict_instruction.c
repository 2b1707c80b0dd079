// SPDX-License-Identifier: MIT
/* Instruction pointers. */
#include "verdict_case.h"

static const struct verdict_case cases[] = {
	{
		"an instruction in a pipeline",
		{ BOUND(9, MEMORY, 2, 0x100000, 0x10000), BOUND(10, PIPELINE, 1, 0x100000, 0x1000),
		  NAMED(PIPELINE, 1, "shade\n") },
		{ AT(50, WRITE, 0x100040, 1), .is_instruction = true },
		BEST(CODE, BOUND, HIGH, "instruction pointer in VkPipeline \"shade?\" at 0x40"),
		OTHER(STILL_BOUND, ANY),
	},
	{
		"an instruction in a command buffer",
		{ BOUND(10, COMMAND_BUFFER, 1, 0x100000, 0x1000) },
		{ AT(50, READ, 0x100040, 8), .is_instruction = true },
		BEST(CODE, BOUND, HIGH,
		     "instruction pointer in VkCommandBuffer 0x1 at 0x40 to 0x47"),
	},
	{
		"an instruction in a pipeline that had ended",
		{ BOUND(10, PIPELINE, 1, 0x100000, 0x1000), DESTROYED(49, PIPELINE, 1) },
		{ AT(50, READ, 0x100040, 1), .is_instruction = true },
		BEST(USE_AFTER_FREE, DESTROYED, HIGH,
		     "instruction pointer in VkPipeline 0x1 at 0x40, freed 1.0 ms earlier"),
	},
	{
		"an instruction behind a buffer",
		{ BOUND(10, BUFFER, 1, 0x100000, 0x1000) },
		{ AT(50, READ, 0x101000, 1), .is_instruction = true },
		BEST(NEVER_BOUND, UNKNOWN_ADDRESS, LOW,
		     "instruction pointer at address 0x101000, where nothing is known to have "
		     "been"),
	},
};

VERDICT_CASES(instruction);
