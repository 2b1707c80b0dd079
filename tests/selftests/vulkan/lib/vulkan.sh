# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For scripts that run Vulkan programs on the software GPU: loads the modules
# and names its driver, and none else, to Vulkan's loader.

programs=$DRMFAULT_BUILD/tests
export VK_DRIVER_FILES=$programs/drmfault_icd.json

modprobe drm_fault && modprobe drm_fault_sim && udevadm settle --timeout=30 || exit 4

# As a user without privileges, who may open render nodes.
as_alice() { setpriv --reuid=alice --regid=alice --groups=render --no-new-privs "$@"; }

# vulkan_program NAME: as TAP.
vulkan_program() { as_alice env CMOCKA_MESSAGE_OUTPUT=TAP "$programs/vulkan_of_$1"; }
