// SPDX-License-Identifier: MIT
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "stored.h"

static int read_stored(const char *word, const struct options *options, struct bytes *bytes)
{
	char id[STORE_ID_SIZE];
	struct store *store;
	int ret = stored_open(options, &store);

	if (ret)
		return ret;
	ret = stored_find(store, word, id);
	if (!ret) {
		ret = stored_bytes(store, id, STORE_DUMP, bytes);
		ret = ret && !bytes->damaged ? stored_complain(id, ret) : EXIT_SUCCESS;
	}
	store_close(store);
	return ret;
}

int input_read(const char *word, const struct options *options, struct bytes *bytes)
{
	int ret = bytes_read(word, bytes);

	if (ret == -ENOENT && store_is_word(word))
		return read_stored(word, options, bytes);
	if (ret == -ENOENT && !strchr(word, '/'))
		return complain_of(
			word, "there is no such file, and no such dump in the store; `drmfault "
			      "list` shows those");
	return ret ? complain_of(input_name(word), drmfault_explain(ret)) : EXIT_SUCCESS;
}

const char *input_name(const char *word)
{
	return strcmp(word, "-") ? word : "standard input";
}
