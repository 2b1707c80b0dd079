/* SPDX-License-Identifier: MIT */
/* Values of settings, in the forms that systemd's files have. */
#ifndef DRMFAULT_SETTING_H
#define DRMFAULT_SETTING_H

#include <stdbool.h>
#include <stdint.h>

/** No limit: "infinity". */
#define SETTING_INFINITY UINT64_MAX

/* Each takes a text without blanks around it; false: it is no such value. */

/** yes, true, on, 1; no, false, off, 0 */
bool setting_boolean(const char *text, bool *value);
/** A number from 0, or infinity. */
bool setting_count(const char *text, uint64_t *value);
/** Bytes: 500, 20M, 1.5G; K, M, G, T are powers of 1024; or infinity. */
bool setting_size(const char *text, uint64_t *bytes);
/** 15% as 15, up to 100. */
bool setting_percent(const char *text, uint64_t *percent);
/** Microseconds: "3month", "2weeks 1d", "90" (seconds), "1.5h"; or infinity. */
bool setting_span(const char *text, uint64_t *us);

#endif /* DRMFAULT_SETTING_H */
