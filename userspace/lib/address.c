// SPDX-License-Identifier: MIT
#include <stddef.h>

#include "internal.h"

static uint64_t extend(uint64_t address, uint32_t bits)
{
	uint64_t sign = UINT64_C(1) << (bits - 1);

	address &= (sign << 1) - 1;
	return (address ^ sign) - sign;
}

/* Page tables of four levels and of five. */
uint32_t address_width(uint64_t address)
{
	static const uint32_t widths[] = { 48, 57 };
	size_t i;

	for (i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		if (!(address >> widths[i]) || extend(address, widths[i]) == address)
			return widths[i];
	return 64;
}

DRMFAULT_API uint64_t drmfault_canonical(uint64_t address, uint32_t bits)
{
	if (bits == DRMFAULT_ADDRESS_BITS_AUTO)
		bits = address_width(address);
	return bits == 0 || bits >= 64 ? address : extend(address, bits);
}

DRMFAULT_API void drmfault_range(uint64_t address, uint64_t precision, uint64_t *first,
				 uint64_t *last)
{
	uint64_t mask = precision ? precision - 1 : 0;

	*first = address & ~mask;
	*last = address | mask;
}
