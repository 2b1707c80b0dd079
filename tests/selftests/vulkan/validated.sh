#!/bin/bash
# SPDX-License-Identifier: MIT
# The same programs with the validation layer on top. They fail if it reports
# anything but its rule for queries on a device that is not lost.
# shellcheck source=tests/selftests/vulkan/lib/vulkan.sh
. "$(dirname "$0")/lib/vulkan.sh"

export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
n=0 failed=0

echo "TAP version 13"
for name in driver faults bindings; do
	n=$((n + 1))
	vulkan_program $name >"$name.tap" 2>&1
	status=$?
	sed 's/^/# /' "$name.tap"
	if [ $status = 0 ]; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		failed=1
	fi
done
echo "1..$n"
exit $failed
