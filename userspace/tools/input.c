// SPDX-License-Identifier: MIT
#include <errno.h>
#include <string.h>

#include "input.h"
#include "stored.h"

static int read_stored(const char *word, const struct options *options, struct bytes *bytes)
{
	char id[STORE_ID_SIZE];
	struct store *store;
	int ret;

	if (store_open(options->store, false, &store))
		return -ENOENT;
	ret = store_find(store, word, id);
	if (!ret)
		ret = stored_bytes(store, id, STORE_DUMP, bytes);
	store_close(store);
	return bytes->damaged ? 0 : ret;
}

int input_read(const char *word, const struct options *options, struct bytes *bytes)
{
	int ret = bytes_read(word, bytes);

	if (ret == -ENOENT && !strchr(word, '/') && !read_stored(word, options, bytes))
		return 0;
	return ret;
}

const char *input_name(const char *word)
{
	return strcmp(word, "-") ? word : "standard input";
}
