/* SPDX-License-Identifier: MIT */
/* A moment, as people write it on command lines, and as journalctl takes it. */
#ifndef DRMFAULT_WHEN_H
#define DRMFAULT_WHEN_H

#include <stdbool.h>
#include <stdint.h>

/* The forms that are known, for messages. */
#define WHEN_FORMS                                                                   \
	"\"2026-12-02 14:30\", \"14:30\", \"yesterday\", \"2h ago\", \"-30min\" or " \
	"\"@1700000000\""

/*
 * CLOCK_REALTIME in microseconds, in the user's time zone; @now_us is what the time is.
 * False: @text is no time.
 */
bool parse_when(const char *text, int64_t now_us, int64_t *when_us);

#endif /* DRMFAULT_WHEN_H */
