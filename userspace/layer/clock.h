/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_LAYER_CLOCK_H
#define DRMFAULT_LAYER_CLOCK_H

#include <stdint.h>
#include <time.h>

#define NS_PER_S 1000000000u

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

#endif /* DRMFAULT_LAYER_CLOCK_H */
