/* SPDX-License-Identifier: MIT */
/* The kernel's header is the one that programs have. */
#pragma GCC system_header
#include_next <linux/btf.h>
