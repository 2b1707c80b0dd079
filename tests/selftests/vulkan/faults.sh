#!/bin/bash
# SPDX-License-Identifier: MIT
# Faults of Vulkan submissions, told by both fault extensions.
# shellcheck source=tests/selftests/vulkan/lib/vulkan.sh
. "$(dirname "$0")/lib/vulkan.sh"

vulkan_program faults
