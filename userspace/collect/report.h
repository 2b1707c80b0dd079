/* SPDX-License-Identifier: MIT */
/* What the collector says: to the journal, or to the standard error if that is not it. */
#ifndef DRMFAULT_REPORT_H
#define DRMFAULT_REPORT_H

#include <jansson.h>

/** A dump was stored: MESSAGE_ID of its entry. */
#define REPORT_STORED "5cd61670daa74d2a9e4200021d3277fd"
/** A dump could not be stored: MESSAGE_ID of its entry. */
#define REPORT_FAILED "e4a3731f665e41f2af690f10e9a92717"

/** report_to_stderr - from now on nothing goes to the journal */
void report_to_stderr(void);
/** report_stored - one entry for a dump; @folder is where it lies */
void report_stored(const json_t *meta, const char *folder);
/**
 * report_failed - one entry for a dump that is not stored
 * @meta: what is known of it
 * @error: negative errno
 * @sentence: for a person: what happened and what to do
 */
void report_failed(const json_t *meta, int error, const char *sentence);
/** report_warning - something else that somebody should see */
void report_warning(const char *sentence);
/** report_note - that something was done, or need not be */
void report_note(const char *sentence);

#endif /* DRMFAULT_REPORT_H */
