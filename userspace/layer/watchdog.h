/* SPDX-License-Identifier: MIT */
/* Waits of the application that take longer than the setting watchdog_ms allows. */
#ifndef DRMFAULT_LAYER_WATCHDOG_H
#define DRMFAULT_LAYER_WATCHDOG_H

#include "layer.h"

/* Only if the setting is on; without a thread for it there is no watchdog. */
void watchdog_start(struct device *device);
void watchdog_stop(struct device *device);

#endif /* DRMFAULT_LAYER_WATCHDOG_H */
