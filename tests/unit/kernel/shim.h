/* SPDX-License-Identifier: MIT */
/*
 * As much of the kernel as kernel/core/ring.c, queue.c and btf.c use, so that they
 * run in a program. All of <linux/...> that they include is a link to this file.
 */
#ifndef UNIT_KERNEL_SHIM_H
#define UNIT_KERNEL_SHIM_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The types of headers for programs are those of <linux/types.h>, which is this file. */
typedef uint8_t __u8;
typedef uint16_t __u16;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t s64;
typedef uint32_t __u32;
typedef int32_t __s32;
typedef uint64_t __u64;

#define __aligned_u64 __u64 __attribute__((aligned(8)))

#define BIT(n)			  (1UL << (n))
#define ARRAY_SIZE(a)		  (sizeof(a) / sizeof((a)[0]))
#define GFP_KERNEL		  0
#define offsetofend(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))
#define max(a, b)		  ((a) > (b) ? (a) : (b))
#define U32_MAX			  UINT32_MAX
#define NSEC_PER_SEC		  1000000000LL
#define READ_ONCE(x)		  __atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	  __atomic_store_n(&(x), v, __ATOMIC_RELAXED)
#define max_t(type, a, b)	  ((type)(a) > (type)(b) ? (type)(a) : (type)(b))

#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)
#define smp_mb__before_atomic() __atomic_thread_fence(__ATOMIC_SEQ_CST)

static inline void *kvcalloc(size_t n, size_t size, int gfp)
{
	(void)gfp;
	return calloc(n, size);
}

static inline void kvfree(void *memory)
{
	free(memory);
}

static inline unsigned int ilog2(u64 n)
{
	return 63 - (unsigned int)__builtin_clzll(n);
}

static inline u32 hash_64(u64 value, unsigned int bits)
{
	return (u32)(value * 0x61C8864680B583EBull >> (64 - bits));
}

static inline void sort(void *base, size_t n, size_t size, int (*cmp)(const void *, const void *),
			void (*swap)(void *, void *, int))
{
	(void)swap;
	qsort(base, n, size, cmp);
}

typedef struct {
	s64 counter;
} atomic64_t;

#define atomic64_read(v)    __atomic_load_n(&(v)->counter, __ATOMIC_RELAXED)
#define atomic64_set(v, i)  __atomic_store_n(&(v)->counter, (s64)(i), __ATOMIC_RELAXED)
#define atomic64_add(i, v)  ((void)__atomic_fetch_add(&(v)->counter, (s64)(i), __ATOMIC_RELAXED))
#define atomic64_xchg(v, i) __atomic_exchange_n(&(v)->counter, (s64)(i), __ATOMIC_SEQ_CST)
#define atomic64_try_cmpxchg(v, old, new)                                                    \
	__atomic_compare_exchange_n(&(v)->counter, old, (s64)(new), false, __ATOMIC_SEQ_CST, \
				    __ATOMIC_RELAXED)

typedef struct {
	unsigned int sequence;
} seqcount_t;

static inline void seqcount_init(seqcount_t *s)
{
	s->sequence = 0;
}

static inline void raw_write_seqcount_begin(seqcount_t *s)
{
	__atomic_store_n(&s->sequence, s->sequence + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline void raw_write_seqcount_end(seqcount_t *s)
{
	__atomic_store_n(&s->sequence, s->sequence + 1, __ATOMIC_RELEASE);
}

static inline unsigned int read_seqcount_begin(const seqcount_t *s)
{
	unsigned int sequence;

	while ((sequence = __atomic_load_n(&s->sequence, __ATOMIC_ACQUIRE)) & 1)
		;
	return sequence;
}

static inline bool read_seqcount_retry(const seqcount_t *s, unsigned int start)
{
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return __atomic_load_n(&s->sequence, __ATOMIC_RELAXED) != start;
}

#endif /* UNIT_KERNEL_SHIM_H */
