/* SPDX-License-Identifier: MIT */
/* A machine that is made up below a folder, as sysfs and drm_fault.ko show one. */
#ifndef TEST_TOOL_MACHINE_H
#define TEST_TOOL_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

struct fake_hook {
	const char *set, *symbol, *module, *gives, *state, *error;
};

/* What each machine has. */
extern const struct fake_hook fake_hooks[];
extern const size_t fake_hook_count;
/* The folder. */
extern char fake_sys[64];

/* For cmocka: all hooks and no GPU; and everything removed. */
int fake_machine_begin(void **state);
int fake_machine_end(void **state);

/* Writes a file below the folder, and makes the folders it is in. */
void fake_file(const char *text, const char *format, ...);
void fake_card(unsigned int minor, const char *bus, const char *driver, bool renders);

#endif /* TEST_TOOL_MACHINE_H */
