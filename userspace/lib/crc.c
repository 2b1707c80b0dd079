// SPDX-License-Identifier: MIT
#include <pthread.h>

#include "dump.h"

#define POLYNOMIAL 0xedb88320u
#define BYTES	   8

/* tables[i][b]: of byte b with i zeros behind it, so that many bytes go at once. */
static uint32_t tables[BYTES][256];
static pthread_once_t made = PTHREAD_ONCE_INIT;

static void make_tables(void)
{
	uint32_t crc;
	int i, j;

	for (i = 0; i < 256; i++) {
		for (crc = (uint32_t)i, j = 0; j < 8; j++)
			crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
		tables[0][i] = crc;
	}
	for (j = 1; j < BYTES; j++)
		for (i = 0; i < 256; i++)
			tables[j][i] = tables[j - 1][i] >> 8 ^ tables[0][tables[j - 1][i] & 0xff];
}

static uint32_t eight_bytes(uint32_t crc, const uint8_t *byte)
{
	crc ^= byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
	return tables[7][crc & 0xff] ^ tables[6][crc >> 8 & 0xff] ^ tables[5][crc >> 16 & 0xff] ^
	       tables[4][crc >> 24] ^ tables[3][byte[4]] ^ tables[2][byte[5]] ^ tables[1][byte[6]] ^
	       tables[0][byte[7]];
}

uint32_t dump_crc(uint32_t crc, const void *bytes, uint64_t size)
{
	const uint8_t *byte = bytes;

	pthread_once(&made, make_tables);
	crc = ~crc;
	for (; size >= BYTES; size -= BYTES, byte += BYTES)
		crc = eight_bytes(crc, byte);
	for (; size--; byte++)
		crc = tables[0][(crc ^ *byte) & 0xff] ^ crc >> 8;
	return ~crc;
}
