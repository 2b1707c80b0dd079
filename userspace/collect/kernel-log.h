/* SPDX-License-Identifier: MIT */
/* What the kernel said around an event. */
#ifndef DRMFAULT_KERNEL_LOG_H
#define DRMFAULT_KERNEL_LOG_H

#include <stddef.h>
#include <stdint.h>

/**
 * kernel_log_read - the newest lines of the kernel log, as `dmesg` has them
 * @root: where dev/kmsg is, "" for /
 * @since_us: only what was said from then on, since the boot
 * @lines: no more than so many
 * @text: allocated, ended by a NUL; NULL on failure
 * @length: of it
 *
 * Return: 0, also if there are none; a negative errno of opening or reading
 */
int kernel_log_read(const char *root, uint64_t since_us, uint64_t lines, char **text,
		    size_t *length);

#endif /* DRMFAULT_KERNEL_LOG_H */
