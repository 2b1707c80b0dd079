// SPDX-License-Identifier: GPL-2.0-only
/*
 * The instruction set: which bits of a word mean what.
 */
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/nospec.h>

#include "sim.h"

#define BITS_OP		GENMASK_ULL(63, 56)
#define BITS_A		GENMASK_ULL(55, 52)
#define BITS_B		GENMASK_ULL(51, 48)
#define BITS_SIZE	GENMASK_ULL(47, 46)
#define BITS_C		GENMASK_ULL(43, 40)
#define BITS_IMM48	GENMASK_ULL(47, 0)
#define BITS_IMM32	GENMASK_ULL(31, 0)
#define BITS_IMM16	GENMASK_ULL(15, 0)
#define BITS_MEMORY	(BITS_A | BITS_B | BITS_SIZE | BITS_IMM32)

/**
 * struct drm_fault_sim_format - how the words of an opcode look
 * @used:	bits that may be set besides the opcode
 * @imm:	those of them that are the immediate
 * @is_signed:	the immediate has a sign (in bit 31)
 * @sizes:	bytes that may be accessed at a time, or'ed together
 * @known:	there is such an opcode
 */
struct drm_fault_sim_format {
	u64 used;
	u64 imm;
	bool is_signed;
	u8 sizes;
	bool known;
};

#define FORMAT(...) { .known = true, __VA_ARGS__ }
#define FORMAT_MEMORY(bytes) \
	FORMAT(.used = BITS_MEMORY, .imm = BITS_IMM32, .is_signed = true, .sizes = (bytes))

static const struct drm_fault_sim_format formats[] = {
	[DRM_FAULT_SIM_OP_END] = FORMAT(.used = 0),
	[DRM_FAULT_SIM_OP_NOP] = FORMAT(.used = 0),
	[DRM_FAULT_SIM_OP_SET] = FORMAT(.used = BITS_A | BITS_IMM48, .imm = BITS_IMM48),
	[DRM_FAULT_SIM_OP_SET_HIGH] = FORMAT(.used = BITS_A | BITS_IMM16, .imm = BITS_IMM16),
	[DRM_FAULT_SIM_OP_ADD] = FORMAT(.used = BITS_A | BITS_B | BITS_IMM32,
					.imm = BITS_IMM32, .is_signed = true),
	[DRM_FAULT_SIM_OP_LOAD] = FORMAT_MEMORY(1 | 2 | 4 | 8),
	[DRM_FAULT_SIM_OP_STORE] = FORMAT_MEMORY(1 | 2 | 4 | 8),
	[DRM_FAULT_SIM_OP_ATOMIC_ADD] = FORMAT_MEMORY(4 | 8),
	[DRM_FAULT_SIM_OP_COPY] = FORMAT(.used = BITS_A | BITS_B | BITS_C),
	[DRM_FAULT_SIM_OP_JUMP] = FORMAT(.used = BITS_IMM48, .imm = BITS_IMM48),
	[DRM_FAULT_SIM_OP_JUMP_NONZERO] = FORMAT(.used = BITS_A | BITS_IMM48,
						 .imm = BITS_IMM48),
	[DRM_FAULT_SIM_OP_WAIT] = FORMAT(.used = BITS_IMM32, .imm = BITS_IMM32),
	[DRM_FAULT_SIM_OP_WAIT_WHILE] = FORMAT_MEMORY(1 | 2 | 4 | 8),
};

/**
 * drm_fault_sim_decode - take an instruction word apart
 * @word:	the word
 * @insn:	filled if it is an instruction
 *
 * Context: Any.
 * Return: whether it is one.
 */
bool drm_fault_sim_decode(u64 word, struct drm_fault_sim_insn *insn)
{
	const struct drm_fault_sim_format *format;
	u32 op = FIELD_GET(BITS_OP, word);

	if (op >= ARRAY_SIZE(formats))
		return false;

	/* The word comes from user space, and leads to a call. */
	op = array_index_nospec(op, ARRAY_SIZE(formats));
	format = &formats[op];
	if (!format->known || word & ~(BITS_OP | format->used))
		return false;

	insn->op = op;
	insn->a = FIELD_GET(BITS_A, word);
	insn->b = FIELD_GET(BITS_B, word);
	insn->c = FIELD_GET(BITS_C, word);
	insn->size = BIT(FIELD_GET(BITS_SIZE, word));
	insn->imm = word & format->imm;
	if (format->is_signed)
		insn->imm = sign_extend64(insn->imm, 31);

	return !format->sizes || format->sizes & insn->size;
}
