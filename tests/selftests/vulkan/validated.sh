#!/bin/bash
# SPDX-License-Identifier: MIT
# The same programs with the validation layer on top. They fail if it reports
# anything but its rule for queries on a device that is not lost.
# shellcheck source=tests/selftests/vulkan/lib/vulkan.sh
. "$(dirname "$0")/lib/vulkan.sh"
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation

# as_comments COMMAND...: what it says is that; its status stays.
as_comments() {
	"$@" 2>&1 | tap_comment
	return "${PIPESTATUS[0]}"
}

tap_start
for name in driver faults bindings; do
	as_comments vulkan_program $name
	ok "$name"
done
tap_end
