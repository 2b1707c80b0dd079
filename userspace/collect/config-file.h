/* SPDX-License-Identifier: MIT */
/* Files of settings: sections, KEY=VALUE, comments, lines that go on behind a backslash. */
#ifndef DRMFAULT_CONFIG_FILE_H
#define DRMFAULT_CONFIG_FILE_H

/** Where a setting stands. */
struct config_place {
	const char *path;
	unsigned int line;
};

/**
 * config_sink - hears of each line that means something
 * @data: the caller's
 * @place: where it stands
 * @section: "" before the first
 * @key: NULL: the line is none of the form KEY=VALUE, and @value is all of it
 * @value: without blanks around it, "" if there is none
 */
typedef void (*config_sink)(void *data, const struct config_place *place, const char *section,
			    const char *key, const char *value);

/**
 * config_files_read - read NAME and NAME.d/ *.conf in the folders where systemd looks
 * @root: of the file system, "" for /
 * @name: "drmfault.conf"
 * @sink: hears of each line; of a file that cannot be read, with line 0, what is wrong
 * @data: for @sink
 */
void config_files_read(const char *root, const char *name, config_sink sink, void *data);

#endif /* DRMFAULT_CONFIG_FILE_H */
