/* SPDX-License-Identifier: MIT */
/* The file of counters that a monitoring agent takes. */
#ifndef DRMFAULT_METRICS_H
#define DRMFAULT_METRICS_H

#include "config.h"
#include "store.h"

/** metrics_write - write the counters of a store to MetricsFile=, if that is set */
void metrics_write(const struct config *config, struct store *store);

#endif /* DRMFAULT_METRICS_H */
