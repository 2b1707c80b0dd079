#!/bin/bash
# SPDX-License-Identifier: MIT
# Ranges of addresses that objects get and give back, as messengers are told.
# shellcheck source=tests/selftests/vulkan/lib/vulkan.sh
. "$(dirname "$0")/lib/vulkan.sh"

vulkan_program bindings
