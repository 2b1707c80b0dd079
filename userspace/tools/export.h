/* SPDX-License-Identifier: MIT */
/* Stored dumps in the forms that crash reporters of distributions take. */
#ifndef DRMFAULT_EXPORT_H
#define DRMFAULT_EXPORT_H

#include <stdio.h>

#include "stored.h"

/* All that a report is made of. */
struct exported {
	const json_t *meta;
	struct bytes dump;
	struct bytes log;
	/* What `drmfault decode` prints. */
	char *text;
};

/* Ubuntu's apport: a file for /var/crash. 0, or a negative errno; -ENOPKG: there is no gzip. */
int export_apport(const struct exported *exported, FILE *file);
/* ABRT: a problem directory, made whole or not at all. 0, or a negative errno. */
int export_abrt(const struct exported *exported, const char *path);

#endif /* DRMFAULT_EXPORT_H */
