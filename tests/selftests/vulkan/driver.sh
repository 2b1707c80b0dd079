#!/bin/bash
# SPDX-License-Identifier: MIT
# The Vulkan driver of the software GPU, through the real loader.
# shellcheck source=tests/selftests/vulkan/lib/vulkan.sh
. "$(dirname "$0")/lib/vulkan.sh"

vulkan_program driver
