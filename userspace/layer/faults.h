/* SPDX-License-Identifier: MIT */
/*
 * The faults of a device: what the driver says, repaired, and what the kernel recorded,
 * each once. What a lost device was answered stays; what comes later is behind it.
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
	/* Of these, those of the driver's EXT. */
	uint32_t ext_address_count, ext_vendor_count;
	uint8_t *binary;
	size_t binary_size;
	/* The driver's own words, and what its query returned. */
	char driver_description[VK_MAX_DESCRIPTION_SIZE];
	VkResult driver_result;
	/* How many of the reports of its KHR are in here. */
	uint32_t taken;
	/* The application may have had it: what is in it stays. */
	bool told;
};

/* All that the driver's KHR reported, oldest first. */
struct driver_reports {
	VkDeviceFaultInfoKHR *list;
	uint32_t count, room;
	/* How many went on to the application. */
	uint32_t passed;
	/* Since it last had none: if it gives those again they are no news. */
	uint32_t current;
	bool told_loss;
	/* Of one question. */
	VkDeviceFaultInfoKHR batch[REPORTS_MAX];
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
	/* The last one, and whether it was returned. */
	VkDeviceFaultInfoKHR lost;
	bool has_lost, closed;
	/* How much of the driver's EXT was made reports of. */
	uint32_t bridged;
	uint64_t group;
};

struct faults {
	struct device *device;
	pthread_mutex_t lock;
	struct answer answer;
	struct driver_reports driver;
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
/* The same of what may be there already, as the driver's or the kernel's. */
bool answer_merge_address(struct answer *answer, const VkDeviceFaultAddressInfoEXT *info);
bool answer_merge_vendor(struct answer *answer, const VkDeviceFaultVendorInfoEXT *info);
typedef bool (*address_match)(const VkDeviceFaultAddressInfoEXT *known,
			      const VkDeviceFaultAddressInfoEXT *info);
bool address_is_instruction(const VkDeviceFaultAddressInfoEXT *info);
/* Is @info about the fault that @known is about? Only @known may lack its kind. */
bool address_is_same(const VkDeviceFaultAddressInfoEXT *known,
		     const VkDeviceFaultAddressInfoEXT *info);
/* And to the byte. */
bool address_is_equal(const VkDeviceFaultAddressInfoEXT *known,
		      const VkDeviceFaultAddressInfoEXT *info);
bool vendor_is_same(const VkDeviceFaultVendorInfoEXT *a, const VkDeviceFaultVendorInfoEXT *b);
/* Of UTF-8 at @bytes, 0: there is none. */
size_t character_length(const char *bytes);
/* Adds words behind others. */
void description_add(char description[VK_MAX_DESCRIPTION_SIZE], const char *words);
/* Empties what is no terminated UTF-8. */
void description_repair(char description[VK_MAX_DESCRIPTION_SIZE]);
/* Makes it a power of two: 1, where the driver's is none. */
void precision_repair(VkDeviceFaultAddressInfoEXT *info);

/* The driver's EXT, or KHR; @lost: it may be asked by the rules. */
void driver_answer(struct faults *faults, struct answer *answer, bool lost);
/* The kernel's. */
void kernel_answer(struct faults *faults, struct answer *answer);

/* Puts a report behind those that wait, unless the other side has told the same fault. */
void report_add(struct report_queue *queue, enum report_side side,
		const VkDeviceFaultInfoKHR *report);
/* Is @piece, a report of one member, in @known? Of addresses @match says it. */
bool report_has(const VkDeviceFaultInfoKHR *known, const VkDeviceFaultInfoKHR *piece,
		address_match match);
/* Has the kernel told what is in this report of one member? */
bool report_is_told(const struct report_queue *queue, const VkDeviceFaultInfoKHR *report);

/* ---- The driver's KHR, with the lock held ---- */

/* What it has now. */
void driver_ask_reports(struct faults *faults);
/* Those that came since, behind what is in the answer. */
void driver_take_reports(const struct driver_reports *driver, struct answer *answer);
void driver_take_binary(struct faults *faults, struct answer *answer);
/* Is this report of one member in one of its reports? */
bool driver_reported(const struct driver_reports *driver, const VkDeviceFaultInfoKHR *report);
/* Members without their flag have not been written. */
void report_repair(VkDeviceFaultInfoKHR *report);

#endif /* DRMFAULT_LAYER_FAULTS_H */
