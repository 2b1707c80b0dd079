/* SPDX-License-Identifier: MIT */
#ifndef TEST_DUMP_ASK_H
#define TEST_DUMP_ASK_H

#include "drmfault_dump.h"

/*
 * Asks all that can be asked of a dump, whatever it says, and looks at every byte
 * of the answers. What it returns depends on all of them.
 */
uint64_t dump_ask_everything(const struct drmfault_dump *dump);

#endif /* TEST_DUMP_ASK_H */
