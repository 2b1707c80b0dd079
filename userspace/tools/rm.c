// SPDX-License-Identifier: MIT
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "stored.h"

/* One after the other: what fails does not keep the others. */
static int remove_named(struct store *store, const struct options *options)
{
	int i, ret = EXIT_SUCCESS, error;
	char id[STORE_ID_SIZE];

	for (i = 0; i < options->arg_count; i++) {
		if (stored_find(store, options->args[i], id)) {
			ret = EXIT_FAILURE;
			continue;
		}
		error = store_remove(store, id);
		if (error)
			ret = stored_complain(id, error);
		else
			printf("%s removed\n", id);
	}
	return ret;
}

static int remove_all(struct store *store)
{
	struct store_list list = { 0 };
	size_t i, count = 0;
	int ret = EXIT_SUCCESS, error = 0;

	if (store)
		error = store_list_read(store, &list);
	if (error)
		return stored_complain(store_path(store), error);
	for (i = 0; i < list.count; i++) {
		error = store_remove(store, list.ids[i]);
		if (!error)
			count++;
		else if (error != -ENOENT)
			ret = stored_complain(list.ids[i], error);
		/* What one may not, one may not a thousand times. */
		if (error == -EACCES || error == -EPERM || error == -EROFS)
			break;
	}
	printf("%zu dump%s removed\n", count, plural(count));
	store_list_free(&list);
	return ret;
}

static int run(const struct options *options)
{
	struct store *store;
	int ret;

	if (options->every == (options->arg_count > 0)) {
		fputs("drmfault: name the dumps to remove, or give --all\n", stderr);
		return EXIT_USAGE;
	}
	if (options->every && !options->yes) {
		fputs("drmfault: --all removes every stored dump: say so by --yes\n", stderr);
		return EXIT_USAGE;
	}
	ret = stored_open(options, &store);
	if (ret)
		return ret;
	ret = options->every ? remove_all(store) : remove_named(store, options);
	store_close(store);
	return finish_output() ? EXIT_FAILURE : ret;
}

const struct command command_rm = {
	.name = "rm",
	.summary = "Remove dumps that were collected",
	.options = "AyD",
	.arguments = "[ID...]",
	.most = INT_MAX,
	.run = run,
};
