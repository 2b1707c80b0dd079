/* SPDX-License-Identifier: MIT */
#ifndef LAVAPIPE_FAULT_H
#define LAVAPIPE_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* Writes four bytes where nothing is mapped; false: there was no such fault. */
bool fault_at(uint64_t address);

#endif /* LAVAPIPE_FAULT_H */
