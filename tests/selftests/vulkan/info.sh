#!/bin/bash
# SPDX-License-Identifier: MIT
# What applications find of the fault extensions: with vulkaninfo, and, of the
# KHR, which is newer than Debian's, with a program of ours. Where the kernel
# offers nothing they find nothing.
# shellcheck disable=SC2317 # tap.sh calls them
# shellcheck source=tests/selftests/vulkan/lib/vulkan.sh
. "$(dirname "$0")/lib/vulkan.sh"
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

tab=$(printf '\t')

tap_details() { cat out; }

# shows COUNT PATTERN
shows() { [ "$(grep -c -- "$2" out)" = "$1" ]; }
# below TITLE PATTERN: in the lines behind the title.
below() { grep -A 5 "^$1:" out | grep -q -- "$2"; }

ask() { as_alice "$@" >out 2>&1; }

tap_start
point "vulkaninfo finds the GPU" ask vulkaninfo
point "and its name" shows 1 'deviceName *= drm_fault_sim$'
for name in VK_EXT_device_fault VK_KHR_device_fault VK_EXT_device_address_binding_report; do
	# With more tabs in front they are those of layers that are installed.
	point "vulkaninfo lists $name" shows 1 "^$tab$name  *: extension revision"
done
point "it shows the feature of the EXT" below VkPhysicalDeviceFaultFeaturesEXT 'deviceFault  *= true'
point "and its vendor binary" below VkPhysicalDeviceFaultFeaturesEXT 'deviceFaultVendorBinary  *= true'
point "it shows the feature of the binding report" \
	below VkPhysicalDeviceAddressBindingReportFeaturesEXT 'reportAddressBinding  *= true'

point "a program finds both extensions" ask "$programs/vulkan_of_info"
point "both by their names" shows 2 '^VK_[EK][XH][TR]_device_fault$'
for name in deviceFault deviceFaultVendorBinary deviceFaultReportMasked deviceFaultDeviceLostOnMasked; do
	point "KHR: $name" below VkPhysicalDeviceFaultFeaturesKHR "$name  *= true"
done
point "KHR: maxDeviceFaultCount" below VkPhysicalDeviceFaultPropertiesKHR 'maxDeviceFaultCount  *= [1-9]'

modprobe -r drm_fault_sim drm_fault && modprobe drm_fault hooks=0 && modprobe drm_fault_sim report=0 &&
	udevadm settle --timeout=30 || exit 4
point "without reports: the GPU is there" ask "$programs/vulkan_of_info"
point "without reports: neither extension" shows 0 '^VK_'
point "without reports: no feature" shows 0 '= true'
modprobe -r drm_fault_sim drm_fault
tap_end
