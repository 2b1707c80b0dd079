// SPDX-License-Identifier: MIT
/* The three programs. Each is right up to its last step. */
#include <errno.h>

#include "demo.h"

/* Where the first one's loop begins: its fourth word. */
#define LOOP (CODE + 3 * 8)

const struct demo_mistake demo_mistakes[MISTAKES] = {
	{
		.title = "A write past the end of a buffer",
		.cause = "20 words go where 4 have room; the GPU drops the others and goes on",
		.program = {
			DRM_FAULT_SIM_SET(0, BUFFER + BUFFER_SIZE - 4 * WORDS_WITHIN),
			DRM_FAULT_SIM_SET(1, WORD_WRITTEN),
			DRM_FAULT_SIM_SET(2, WORDS_WITHIN + WORDS_BEYOND),
			DRM_FAULT_SIM_STORE(4, 1, 0, 0),
			DRM_FAULT_SIM_ADD(0, 0, 4),
			DRM_FAULT_SIM_ADD(2, 2, -1),
			DRM_FAULT_SIM_JUMP_NONZERO(2, LOOP),
			DRM_FAULT_SIM_END,
		},
		.ring = 0,
		.submit_flags = DRM_FAULT_SIM_SUBMIT_NONFATAL,
		.result = 0,
		.address = BUFFER + BUFFER_SIZE,
		.precision = 4,
		.ip = LOOP,
		.count = WORDS_BEYOND,
		.access = DRMFAULT_ACCESS_WRITE,
		.fault_type = DRMFAULT_TYPE_NOT_PRESENT,
		.ip_type = DRMFAULT_IP_FAULT,
		.engine_class = DRMFAULT_ENGINE_COMPUTE,
		.engine = "ring0",
	}, {
		.title = "A read of an address unmapped earlier",
		.cause = "it was read without a fault just before it was unmapped",
		.program = {
			DRM_FAULT_SIM_SET(0, FREED),
			DRM_FAULT_SIM_LOAD(8, 1, 0, 0x18),
			DRM_FAULT_SIM_END,
		},
		.ring = 1,
		.result = -EFAULT,
		.address = FREED + 0x18,
		.precision = 8,
		.ip = CODE + 8,
		.count = 1,
		.access = DRMFAULT_ACCESS_READ,
		.fault_type = DRMFAULT_TYPE_NOT_PRESENT,
		.ip_type = DRMFAULT_IP_FAULT,
		.flags = DRMFAULT_FLAG_FATAL,
		.engine_class = DRMFAULT_ENGINE_COPY,
		.engine = "ring1",
	}, {
		.title = "An instruction fetch from memory that is not executable",
		.cause = "a jump into the buffer of the first, mapped to be read and written",
		.program = {
			DRM_FAULT_SIM_NOP,
			DRM_FAULT_SIM_JUMP(BUFFER + 0x100),
		},
		.ring = 0,
		.result = -EFAULT,
		.address = BUFFER + 0x100,
		.precision = 8,
		.ip = BUFFER + 0x100,
		.count = 1,
		.access = DRMFAULT_ACCESS_EXECUTE,
		.fault_type = DRMFAULT_TYPE_PERMISSION,
		.ip_type = DRMFAULT_IP_INVALID,
		.flags = DRMFAULT_FLAG_FATAL,
		.engine_class = DRMFAULT_ENGINE_COMPUTE,
		.engine = "ring0",
	},
};
