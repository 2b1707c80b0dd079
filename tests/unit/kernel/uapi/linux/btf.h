/* SPDX-License-Identifier: MIT */
/* The kernel's header is the one that programs have. */
#include_next <linux/btf.h>
