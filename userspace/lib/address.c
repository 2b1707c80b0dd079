// SPDX-License-Identifier: MIT
#include "internal.h"

DRMFAULT_API uint64_t drmfault_canonical(uint64_t address, uint32_t bits)
{
	uint64_t sign;

	if (bits == 0 || bits >= 64)
		return address;
	sign = UINT64_C(1) << (bits - 1);
	address &= (sign << 1) - 1;
	return (address ^ sign) - sign;
}

DRMFAULT_API void drmfault_range(uint64_t address, uint64_t precision, uint64_t *first,
				 uint64_t *last)
{
	uint64_t mask = precision ? precision - 1 : 0;

	*first = address & ~mask;
	*last = address | mask;
}
