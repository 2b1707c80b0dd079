#!/bin/bash
# SPDX-License-Identifier: MIT
# What the specification says of both fault extensions, on the real ioctl.
# shellcheck source=tests/selftests/vulkan/lib/vulkan.sh
. "$(dirname "$0")/lib/vulkan.sh"

vulkan_program conformance
