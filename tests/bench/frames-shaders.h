/* SPDX-License-Identifier: MIT */
/* A vertex moved by a push constant, and one colour: SPIR-V, word by word. */
#ifndef DRMFAULT_BENCH_FRAMES_SHADERS_H
#define DRMFAULT_BENCH_FRAMES_SHADERS_H

#include <stdint.h>

#define OP(words, opcode) ((words) << 16 | (opcode))

/* clang-format off */
#define SHADER_BEGIN(bound)                                                    \
	0x07230203, 0x00010000, 0, (bound), 0,                                 \
	OP(2u, 17), 1,				/* capability Shader */        \
	OP(3u, 14), 0, 1			/* logical, GLSL450 */
#define SHADER_MAIN 0x6e69616d, 0		/* "main" */
#define SHADER_TYPES                                                           \
	OP(2u, 19), 2,				/* %2: void */                 \
	OP(3u, 33), 3, 2,			/* %3: void() */               \
	OP(3u, 22), 4, 32,			/* %4: float */                \
	OP(4u, 23), 5, 4, 4			/* %5: vec4 */

static const uint32_t vertex_shader[] = {
	SHADER_BEGIN(21),
	OP(7u, 15), 0, 1, SHADER_MAIN, 12, 13,	/* vertex: %12, %13 */
	OP(4u, 71), 12, 30, 0,			/* %12: location 0 */
	OP(4u, 71), 13, 11, 0,			/* %13: Position */
	OP(3u, 71), 8, 2,			/* %8: Block */
	OP(5u, 72), 8, 0, 35, 0,		/* %8[0]: offset 0 */
	SHADER_TYPES,
	OP(4u, 21), 6, 32, 1,			/* %6: int */
	OP(4u, 43), 6, 7, 0,			/* %7: 0 */
	OP(3u, 30), 8, 5,			/* %8: struct of a vec4 */
	OP(4u, 32), 9, 1, 5,			/* %9: pointer to input */
	OP(4u, 32), 10, 3, 5,			/* %10: pointer to output */
	OP(4u, 32), 11, 9, 8,			/* %11: pointer to push constants */
	OP(4u, 32), 14, 9, 5,			/* %14: pointer to one of them */
	OP(4u, 59), 9, 12, 1,
	OP(4u, 59), 10, 13, 3,
	OP(4u, 59), 11, 15, 9,
	OP(5u, 54), 2, 1, 0, 3,			/* %1: main */
	OP(2u, 248), 16,
	OP(4u, 61), 5, 17, 12,			/* %17 = vertex */
	OP(5u, 65), 14, 18, 15, 7,
	OP(4u, 61), 5, 19, 18,			/* %19 = push constant */
	OP(5u, 129), 5, 20, 17, 19,		/* %20 = sum */
	OP(3u, 62), 13, 20,
	OP(1u, 253),
	OP(1u, 56),
};

static const uint32_t fragment_shader[] = {
	SHADER_BEGIN(11),
	OP(6u, 15), 4, 1, SHADER_MAIN, 7,	/* fragment: %7 */
	OP(3u, 16), 1, 7,			/* origin: upper left */
	OP(4u, 71), 7, 30, 0,			/* %7: location 0 */
	SHADER_TYPES,
	OP(4u, 32), 6, 3, 5,			/* %6: pointer to output */
	OP(4u, 59), 6, 7, 3,
	OP(4u, 43), 4, 8, 0x3f800000,		/* %8: 1.0 */
	OP(7u, 44), 5, 9, 8, 8, 8, 8,		/* %9: white */
	OP(5u, 54), 2, 1, 0, 3,			/* %1: main */
	OP(2u, 248), 10,
	OP(3u, 62), 7, 9,
	OP(1u, 253),
	OP(1u, 56),
};
/* clang-format on */

#endif /* DRMFAULT_BENCH_FRAMES_SHADERS_H */
