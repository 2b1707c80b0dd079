/* SPDX-License-Identifier: MIT */
#ifndef DRMFAULT_DURATION_H
#define DRMFAULT_DURATION_H

#include <stdint.h>

#define DURATION_SIZE 32

/* Nanoseconds in the unit that suits them: "3.2 ms". Returns @text. */
const char *duration_text(uint64_t ns, char text[DURATION_SIZE]);

#endif /* DRMFAULT_DURATION_H */
