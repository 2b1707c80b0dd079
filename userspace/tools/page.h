/* SPDX-License-Identifier: MIT */
/* The page of a report, made of report/ by report/embed.py; it has two gaps. */
#ifndef DRMFAULT_PAGE_H
#define DRMFAULT_PAGE_H

#include <stddef.h>

extern const unsigned char page_before_summary[], page_before_data[], page_after_data[];
extern const size_t page_before_summary_size, page_before_data_size, page_after_data_size;

#endif /* DRMFAULT_PAGE_H */
