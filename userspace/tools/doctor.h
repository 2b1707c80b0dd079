/* SPDX-License-Identifier: MIT */
/* What drmfault doctor prints of a machine. */
#ifndef DRMFAULT_DOCTOR_H
#define DRMFAULT_DOCTOR_H

#include <jansson.h>
#include <stdbool.h>

#include "diagnose.h"

/* Exit statuses beside success and a wrong command line. */
#define DOCTOR_NOT_COVERED 1
#define DOCTOR_CANNOT_TELL 2

/* Fills in what sysfs, which is at @sys, tells; 0 or a negative errno. */
int machine_read(const char *sys, struct machine *machine);
void machine_free(struct machine *machine);

/* Are the faults of all its GPUs recorded? An exit status. */
int machine_status(const struct machine *machine);

/* 0 or -ENOMEM. */
int machine_text(const struct machine *machine);
/* NULL without memory. */
json_t *hook_json(const struct hook_list *list, const struct hook *hook);
json_t *machine_json(const struct machine *machine);

#endif /* DRMFAULT_DOCTOR_H */
