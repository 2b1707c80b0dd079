// SPDX-License-Identifier: MIT
/* dump_samples FOLDER: writes dumps of all kinds, good and bad, to look at. */
#include <stdio.h>
#include <stdlib.h>

#include "dump.h"

static void save(const char *folder, const char *name, const void *bytes, size_t size)
{
	char path[4096];
	FILE *to;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	to = fopen(path, "wb");
	if (!to || fwrite(bytes, 1, size, to) != size || fclose(to)) {
		perror(path);
		exit(1);
	}
}

static void save_bad(const char *folder, struct file *file)
{
	file_good(file);
	file_put(file->bytes + file->at[GOOD_RECORDS], 4, 12);
	save(folder, "damaged", file->bytes, file->size);
	file_good(file);
	file_put(file->bytes + file->at[GOOD_LOST] - 16, 8, UINT64_MAX);
	save(folder, "huge-section", file->bytes, file->size);
	file_good(file);
	file_put(file->bytes + file->at[GOOD_CONTEXTS] + 4, 4, UINT32_MAX);
	file_end(file);
	save(folder, "huge-count", file->bytes, file->size);
	file_good(file);
	file_put(file->bytes + 96, 4, 2);
	save(folder, "future", file->bytes, file->size);
	/* Names that would do something to a terminal, or are not UTF-8. */
	file_good(file);
	memcpy(file->bytes + file->at[GOOD_STRINGS] + 1, "\033[31mred", 8);
	memcpy(file->bytes + file->at[GOOD_CONTEXTS] + 8 + 32, "\xff\xfe\x07", 4);
	memcpy(file->bytes + file->at[GOOD_ENGINE], "\033]0;x\x07\x00", 7);
	file_end(file);
	save(folder, "rude", file->bytes, file->size);
}

int main(int argc, char **argv)
{
	static const uint8_t etnaviv[64] = "ETNA";
	static const uint8_t panfrost[64] = "PANF";
	static struct file file;

	if (argc != 2)
		return 2;
	file_good(&file);
	save(argv[1], "good", file.bytes, file.size);
	save(argv[1], "cut", file.bytes, file.at[GOOD_RECORDS] + 8 + 300);
	save(argv[1], "cut-head", file.bytes, 90);
	file_vendor_binary(&file);
	save(argv[1], "vendor", file.bytes, file.size);
	file_begin(&file);
	file_end(&file);
	save(argv[1], "nothing", file.bytes, file.size);
	save_bad(argv[1], &file);
	save(argv[1], "etnaviv", etnaviv, sizeof(etnaviv));
	save(argv[1], "panfrost", panfrost, sizeof(panfrost));
	return 0;
}
