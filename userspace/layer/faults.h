/* SPDX-License-Identifier: MIT */
/*
 * The faults of a device: what the driver says, repaired, and what the kernel recorded,
 * each once. Answers of a lost device do not change any more.
 */
#ifndef DRMFAULT_LAYER_FAULTS_H
#define DRMFAULT_LAYER_FAULTS_H

#include "layer.h"

/* Reports that wait for the application: maxDeviceFaultCount. */
#define REPORTS_MAX DRMFAULT_VK_MAX_FAULTS

/* All that vkGetDeviceFaultInfoEXT can say. Those of the driver come first. */
struct answer {
	char description[VK_MAX_DESCRIPTION_SIZE];
	VkDeviceFaultAddressInfoEXT *addresses;
	uint32_t address_count, driver_address_count;
	VkDeviceFaultVendorInfoEXT *vendors;
	uint32_t vendor_count, driver_vendor_count;
	uint8_t *binary;
	size_t binary_size;
	/* The driver's own words, and what its query returned. */
	char driver_description[VK_MAX_DESCRIPTION_SIZE];
	VkResult driver_result;
};

/* Reports of one side that the other one has not told, as far as known. */
struct report_list {
	VkDeviceFaultInfoKHR reports[REPORTS_MAX];
	/* Which of all that were queued they are. */
	uint64_t numbers[REPORTS_MAX];
	uint32_t count;
};

enum report_side {
	REPORT_OF_DRIVER,
	REPORT_OF_KERNEL,
	REPORT_SIDES,
};

/* Reports between driver, kernel and application. */
struct report_queue {
	VkDeviceFaultInfoKHR waiting[REPORTS_MAX];
	uint32_t first, count;
	/* How many have been queued. */
	uint64_t queued;
	struct report_list alone[REPORT_SIDES];
	/* All that the driver reported, as far as there is room: for the EXT. */
	VkDeviceFaultInfoKHR driver[REPORTS_MAX];
	uint32_t driver_count;
	/* Those since it last had none: if it gives them again they are no news. */
	VkDeviceFaultInfoKHR again[REPORTS_MAX];
	uint32_t again_count;
	/* The last one, and whether it was returned. */
	VkDeviceFaultInfoKHR lost;
	bool has_lost, closed;
	/* The driver's EXT was made reports of. */
	bool bridged;
	uint64_t group;
};

struct faults {
	struct device *device;
	pthread_mutex_t lock;
	bool frozen;
	struct answer answer;
	struct report_queue reports;
};

struct faults *faults_new(struct device *device);
void faults_free(struct faults *faults);
/* With the lock held. @answer is the kept one if the device is lost, else @fresh. */
const struct answer *faults_ask(struct faults *faults, struct answer *fresh);

void answer_clear(struct answer *answer);
/* Adds one that is not there yet; false: no memory. */
bool answer_add_address(struct answer *answer, const VkDeviceFaultAddressInfoEXT *info);
bool answer_add_vendor(struct answer *answer, const VkDeviceFaultVendorInfoEXT *info);
/* Is @info about the fault that @known is about? Only @known may lack its kind. */
bool address_is_same(const VkDeviceFaultAddressInfoEXT *known,
		     const VkDeviceFaultAddressInfoEXT *info);
bool vendor_is_same(const VkDeviceFaultVendorInfoEXT *a, const VkDeviceFaultVendorInfoEXT *b);
/* Adds words behind others. */
void description_add(char description[VK_MAX_DESCRIPTION_SIZE], const char *words);
/* Empties what is no terminated UTF-8. */
void description_repair(char description[VK_MAX_DESCRIPTION_SIZE]);

/* The driver's EXT, or KHR; @lost: it may be asked by the rules. */
void driver_answer(struct faults *faults, struct answer *answer, bool lost);
/* The kernel's. */
void kernel_answer(struct faults *faults, struct answer *answer);

/* Puts a report behind those that wait, unless the other side has told the same fault. */
void report_add(struct report_queue *queue, enum report_side side,
		const VkDeviceFaultInfoKHR *report);
/* Has the kernel told what is in this report? */
bool report_is_told(const struct report_queue *queue, const VkDeviceFaultInfoKHR *report);

/* With the lock held: all that driver and kernel have now. */
void reports_fill(struct faults *faults);
/* With the lock held: what the driver has now. */
void reports_ask_driver(struct faults *faults);

#endif /* DRMFAULT_LAYER_FAULTS_H */
