# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# For scripts that run Vulkan programs on the software GPU with the layer on: its
# manifest, a folder for its reports, and TAP.
# shellcheck source=tests/selftests/vulkan/lib/vulkan.sh
. "$(dirname "$0")/../vulkan/lib/vulkan.sh"
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

export VK_LAYER_PATH=$programs
export VK_INSTANCE_LAYERS=VK_LAYER_DRMFAULT_device_fault
unset DRMFAULT_LAYER_OUTPUT XDG_STATE_HOME

# What the driver leaves out in ICD_WITHOUT, so that the layer has to give it.
# shellcheck disable=SC2034 # for who reads this
faults="VK_EXT_device_fault VK_KHR_device_fault"
# shellcheck disable=SC2034
bindings=VK_EXT_device_address_binding_report

# folder NAME [USER]: an empty one, as $folder, in which the layer of that user writes.
folder() {
	folder=$PWD/$1
	rm -rf "$folder"
	install -d -o "${2:-alice}" "$folder"
	export DRMFAULT_LAYER_REPORT_DIR=$folder
}

# What is in out and err says why a point failed.
tap_details() {
	sed 's/^/out: /' out
	sed 's/^/err: /' err
}

# of_user USER COMMAND...: one who may open render nodes, without privileges.
of_user() {
	local user=$1
	shift
	setpriv --reuid="$user" --regid="$user" --groups=render --no-new-privs "$@"
}

# has FILE TEXT: these very words are in it.
has() { grep -qF -- "$2" "$1"; }
lacks() { ! has "$@"; }
# json CONDITION [ARGUMENT...]: of what is in report.json.
json() {
	local condition=$1
	shift
	jq -e "$@" "$condition" report.json >/dev/null
}
reports() { find "$folder" -type f | wc -l; }
# Makes report.txt, report.json and page.html of the only file in $folder.
read_report() {
	local file
	[ "$(reports)" = 1 ] || return
	file=$(find "$folder" -type f)
	rm -f page.html
	drmfault report "$file" >report.txt 2>err && drmfault report --json "$file" >report.json 2>err &&
		drmfault report --html --output page.html "$file" 2>err
}
end() {
	tap_end
	exit
}
