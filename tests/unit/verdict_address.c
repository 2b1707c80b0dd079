// SPDX-License-Identifier: MIT
/* Addresses that say enough by themselves: null, where nothing was, their width. */
#include "verdict_case.h"

static const struct verdict_case cases[] = {
	{
		"far from everything",
		{ BOUND(10, BUFFER, 1, 0x100000, 0x1000) },
		{ AT(50, READ, 0x200000000000, PAGE) },
		BEST(NEVER_BOUND, UNKNOWN_ADDRESS, HIGH,
		     "read at address 0x200000000000 to 0x200000000fff, where nothing is known to "
		     "have been"),
		OTHER(OUT_OF_BOUNDS, ANY),
	},
	{
		"no history at all",
		{ { .what = END } },
		{ AT(50, UNKNOWN, 0x100000, 1) },
		BEST(NEVER_BOUND, UNKNOWN_ADDRESS, LOW,
		     "access at address 0x100000, where nothing is known to have been"),
	},
	{
		"null",
		{ BOUND(10, BUFFER, 1, 0x100000, 0x1000) },
		{ AT(50, READ, 0x18, 8) },
		BEST(NULL, NEAR_NULL, HIGH, "read at address 0x18 to 0x1f, null or close to it"),
		OTHER(NEVER_BOUND, ANY),
	},
	{
		"null, less a little",
		{ BOUND(10, BUFFER, 1, 0x100000, 0x1000) },
		{ AT(50, READ, 0xfffffffffff0, 16) },
		BEST(NULL, NEAR_NULL, HIGH,
		     "read at address 0xfffffffffffffff0 to 0xffffffffffffffff, null or close to "
		     "it"),
	},
	{
		"bound after the fault",
		{ BOUND(60, BUFFER, 1, 0x100000, 0x1000),
		  BOUND(10, BUFFER, 2, 0x900000000, 0x1000) },
		{ AT(50, WRITE, 0x100100, 8) },
		BEST(NEVER_BOUND, UNKNOWN_ADDRESS, HIGH, ANY),
		OTHER(NOT_YET_BOUND, "write to VkBuffer 0x1 at 0x100 to 0x107, bound 10 ms later"),
	},
	{
		"addresses of 48 bits, and nobody knows it",
		{ BOUND(10, BUFFER, 1, 0xffff800000202000, 0x1000) },
		{ AT(50, WRITE, 0x800000203040, 4), .address_bits = DRMFAULT_ADDRESS_BITS_AUTO },
		BEST(OUT_OF_BOUNDS, PAST_END, HIGH,
		     "write 0x40 to 0x43 past the end of VkBuffer 0x1"),
	},
	{
		"addresses of 57 bits, and nobody knows it",
		{ BOUND(10, BUFFER, 1, 0x23456789000000, 0x1000) },
		{ AT(50, WRITE, 0x23456789001040, 4), .address_bits = DRMFAULT_ADDRESS_BITS_AUTO },
		BEST(OUT_OF_BOUNDS, PAST_END, HIGH,
		     "write 0x40 to 0x43 past the end of VkBuffer 0x1"),
	},
	{
		"high addresses of 57 bits, and nobody knows it",
		{ BOUND(10, BUFFER, 1, 0xff00000000100000, 0x1000) },
		{ AT(50, WRITE, 0x100000000100040, 4), .address_bits = DRMFAULT_ADDRESS_BITS_AUTO },
		BEST(STILL_BOUND, BOUND, LOW,
		     "write to VkBuffer 0x1 at 0x40 to 0x43, which was bound"),
	},
};

VERDICT_CASES(address);
