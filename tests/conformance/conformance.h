/* SPDX-License-Identifier: MIT */
/*
 * What the Vulkan specification says of VK_EXT_device_fault and VK_KHR_device_fault, one
 * case for each sentence that says must, and for each thing that Khronos' own
 * conformance tests look at.
 *
 * The cases know no implementation. They run against a subject: functions that make a
 * device, let it fault, lose it, and the queries themselves. One subject is the library
 * on a kernel of the unit tests, another a Vulkan driver through the loader.
 */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "drmfault_vulkan_khr.h"
#include "fault-answer.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define MS		  UINT64_C(1000000)

/* What a subject can let the GPU do. */
enum conformance_kind {
	CONFORMANCE_WRITE,
	CONFORMANCE_READ,
	CONFORMANCE_EXECUTE,
	CONFORMANCE_TIMEOUT,
};

/* Features that a device is made with; the base feature of both extensions always is. */
struct conformance_features {
	bool vendor_binary;
	bool report_masked;
};

/* What the header of a vendor binary has to say. */
struct conformance_identity {
	uint32_t vendorID;
	uint32_t deviceID;
	uint32_t driverVersion;
	uint8_t pipelineCacheUUID[VK_UUID_SIZE];
	/* As the instance was made with. */
	VkApplicationInfo application;
};

/*
 * @name:	for the plan
 * @times_out:	the subject can do CONFORMANCE_TIMEOUT
 * @identify:	the identity of every device
 * @offer:	features and properties of the physical device; sType is set
 * @create:	a healthy device, NULL if that fails. @features was offered
 * @destroy:	and forget it
 * @fault:	lets the device fault once in a way that it survives; returns when the report
 *		can be had. Each fault is at another page. @address: where, canonical;
 *		of a timeout not written. False: it failed
 * @lose:	loses the device, with or without a last fault, and returns after
 *		VK_ERROR_DEVICE_LOST was returned
 * @fault_info, @reports, @debug_info:	Vulkan's functions
 *
 * Devices are destroyed before others are made. Functions with a device may be called by
 * several threads at a time.
 */
struct conformance_subject {
	const char *name;
	bool times_out;
	void (*identify)(struct conformance_identity *identity);
	void (*offer)(VkPhysicalDeviceFaultFeaturesEXT *ext, VkPhysicalDeviceFaultFeaturesKHR *khr,
		      VkPhysicalDeviceFaultPropertiesKHR *properties);
	void *(*create)(const struct conformance_features *features);
	void (*destroy)(void *device);
	bool (*fault)(void *device, enum conformance_kind kind, uint64_t *address);
	bool (*lose)(void *device);
	VkResult (*fault_info)(void *device, VkDeviceFaultCountsEXT *counts,
			       VkDeviceFaultInfoEXT *info);
	VkResult (*reports)(void *device, uint64_t timeout, uint32_t *count,
			    VkDeviceFaultInfoKHR *infos);
	VkResult (*debug_info)(void *device, VkDeviceFaultDebugInfoKHR *info);
};

/* A case in progress. */
struct conformance {
	const struct conformance_subject *subject;
	/* The device of the case; it is destroyed when the case ends in whatever way. */
	void *device;
	/* Why the case does not apply, if it does not. */
	const char *skipped;
	jmp_buf failed;
};

struct conformance_case {
	const char *sentence;
	void (*run)(struct conformance *c);
};

/* Sets of cases, each ended by one without a sentence. */
extern const struct conformance_case conformance_ext[];
extern const struct conformance_case conformance_khr[];
extern const struct conformance_case conformance_waiting[];
extern const struct conformance_case conformance_debug[];

/* That of the program, for main(). */
extern const struct conformance_subject conformance_subject;

/* Runs all, prints TAP. Returns the status for main(). */
int conformance_run(const struct conformance_subject *subject);
/* The same of some sets alone. */
int conformance_run_sets(const struct conformance_subject *subject,
			 const struct conformance_case *const *sets, size_t count);

/* ---- For cases, in the thread that runs them ---- */

/* Ends the case. */
_Noreturn void conformance_fail(struct conformance *c, const char *file, int line,
				const char *what);
_Noreturn void conformance_skip(struct conformance *c, const char *why);

#define CHECK(c, condition)                                                  \
	do {                                                                 \
		if (!(condition))                                            \
			conformance_fail(c, __FILE__, __LINE__, #condition); \
	} while (0)

/* The device of the case. */
void conformance_create(struct conformance *c, bool vendor_binary, bool report_masked);
/* Some faults that it survives; addresses, if they are of interest. */
void conformance_fault(struct conformance *c, enum conformance_kind kind, unsigned int count,
		       uint64_t *addresses);
void conformance_lose(struct conformance *c);

/* All reports there are now, up to @capacity; fails where more are. Every array is guarded. */
uint32_t conformance_drain(struct conformance *c, VkDeviceFaultInfoKHR *infos, uint32_t capacity);
/* Guards in all bytes, but for the types. */
void conformance_prepare(VkDeviceFaultInfoKHR *infos, uint32_t count);

VkDeviceFaultCountsEXT conformance_counts(struct conformance *c);
void conformance_ask(struct conformance *c, uint32_t addresses, uint32_t vendors,
		     VkDeviceSize binary, struct fault_answer *answer);
void conformance_ask_all(struct conformance *c, struct fault_answer *answer);

bool is_text(const char *text, size_t size);
bool is_power_of_two(uint64_t value);
/* Is @address in the region that the info describes? */
bool is_within(const VkDeviceFaultAddressInfoKHR *info, uint64_t address);
uint64_t now_ns(void);

#endif /* CONFORMANCE_H */
