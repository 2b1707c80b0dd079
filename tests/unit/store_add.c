// SPDX-License-Identifier: MIT
/*
 * store_add STORE FILE [COUNT [META [LOG]]]: stores a dump, as the collector does, COUNT
 * times a second apart. META is a JSON object; its time_us is that of the first one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "store.h"
#include "unpack.h"

#define US_PER_S 1000000

static int add(struct store *store, const struct bytes *dump, const char *log, json_t *meta)
{
	struct store_writer *writer;
	char id[STORE_ID_SIZE];
	int ret = store_begin(store, &writer);

	if (ret)
		return ret;
	ret = store_write(writer, dump->data, dump->size);
	if (!ret && log)
		ret = store_write_log(writer, log, strlen(log));
	if (ret) {
		store_abort(writer);
		return ret;
	}
	ret = store_commit(writer, meta, id);
	if (!ret)
		puts(id);
	return ret;
}

int main(int argc, char **argv)
{
	long i, count = argc > 3 ? atol(argv[3]) : 1;
	json_t *meta = argc > 4 ? json_loads(argv[4], 0, NULL) : json_object();
	json_int_t time_us = json_integer_value(json_object_get(meta, "time_us"));
	struct store *store;
	struct bytes dump;
	int ret;

	if (argc < 3 || !meta)
		return 2;
	ret = bytes_read(argv[2], &dump);
	if (!ret)
		ret = store_open(argv[1], true, &store);
	if (!ret)
		ret = describe_dump(meta, dump.data, dump.size);
	for (i = 0; !ret && i < count; i++) {
		if (time_us)
			json_object_set_new(meta, "time_us", json_integer(time_us + i * US_PER_S));
		ret = add(store, &dump, argc > 5 ? argv[5] : NULL, meta);
	}
	if (ret)
		fprintf(stderr, "%s: %s\n", argv[1], strerror(-ret));
	else
		store_close(store);
	free(dump.data);
	json_decref(meta);
	return ret != 0;
}
