/* SPDX-License-Identifier: MIT */
/* What the report of a lost device says of objects. */
#ifndef DRMFAULT_TEST_LAYER_SEEN_H
#define DRMFAULT_TEST_LAYER_SEEN_H

#include "app.h"
#include "place.h"

#define SEEN(handle) ((uint64_t)(uintptr_t)(handle))

/* Loses the device by a fault at this address; all is judged by what is there now. */
struct drmfault_dump *seen_lose(struct app *app, VkDeviceAddress fault);
/* How many bindings an object has, ended ones too. */
size_t seen_count(const struct drmfault_dump *dump, VkObjectType type, uint64_t object);
/* The only one of an object that is or was at this address. */
struct drmfault_dump_binding seen_at(const struct drmfault_dump *dump, VkObjectType type,
				     uint64_t object, VkDeviceAddress address, VkDeviceSize size);
/* That the likeliest verdict has these words in it. */
void seen_verdict(const struct drmfault_dump *dump, const char *words);

#endif /* DRMFAULT_TEST_LAYER_SEEN_H */
