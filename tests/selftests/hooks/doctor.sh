#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# drmfault doctor on real modules: what it says of hooks is what the kernel says, and
# its exit status is right for machines with and without GPUs, hooks and the module.
set -u
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

client=$(dirname "$0")/../sim/client
hooks=/sys/class/misc/drm_fault/hooks
out=$(mktemp)
err=$(mktemp)

# shellcheck disable=SC2317 # tap.sh calls it
tap_details() {
	sed 's/^/out: /' "$out" | tail -n 40
	sed 's/^/err: /' "$err" | tail -n 20
}

# doctor STATUS ARGUMENT...: it ends so.
doctor() {
	local expected=$1 status
	shift
	drmfault doctor "$@" >"$out" 2>"$err"
	status=$?
	[ $status = "$expected" ] || { echo "# status $status, not $expected"; false; }
}

has() { grep -q -- "$1" "$out"; }
json() { jq -e "$1" "$out" >/dev/null; }

unload() {
	local module
	for module in vgem drm_fault_sim amdgpu xe i915 nouveau drm_fault; do
		[ ! -d /sys/module/$module ] || modprobe -r $module || return 1
	done
}

# again MODULE... [PARAMETER]: a machine with these modules alone.
again() { unload && modprobe drm_fault "$@" && udevadm settle; }

states_of_sysfs() {
	local hook set state hits
	for hook in "$hooks"/*/*/; do
		hook=${hook%/}
		set=${hook%/*}
		read -r state <"$hook/state"
		read -r hits <"$hook/hits"
		echo "${set##*/} ${hook##*/} $state $hits"
	done | sort
}

same_states() {
	states_of_sysfs >"$err"
	jq -r '.hooks[] | "\(.set) \(.symbol) \(.state) \(.hits)"' "$out" | sort |
		diff - "$err"
}

tap_start

again && doctor 2 && has '^No GPU has a driver here' && has 'ask again'
ok "without a GPU it cannot tell"
doctor 2 --json && json '.covered == null and .gpus == [] and (.hooks | length > 10)'
ok "and says null"
has '"state"' && same_states
ok "the states are those of sysfs"
json '[.hooks[] | select(.state != "attached" and (.reason == null or .advice == null))] == []'
ok "each hook that is not attached has a reason and an advice"
json '[.hooks[] | select(.state == "attached" and .reason != null)] == []'
ok "and no other has"
json '.hooks[] | select(.symbol == "drm_fault_sim_page_fault") |
	.state == "waiting" and .reason == "drm_fault_sim is not loaded"'
ok "what waits is told of its module"
json '.hooks[] | select(.symbol == "drm_open") | .checked and (.found | startswith("int ("))'
ok "prototypes are shown"
modprobe drm_fault_sim report=0 && udevadm settle && doctor 0 && has '^card[0-9]*  drm_fault_sim  .*  yes .*fault.*  by hooks$'
ok "a GPU that hooks serve is covered"
doctor 0 --json && json '.covered == true and (.gpus[0] | .driver == "drm_fault_sim" and .covered == true and
	(.gives | contains(["fault", "owner", "hang"])))'
ok "and what is known of its faults is told"
before=$(jq '.hooks[] | select(.symbol == "drm_fault_sim_page_fault") | .hits' "$out")
"$client" fault >/dev/null && doctor 0 --json &&
	json ".hooks[] | select(.symbol == \"drm_fault_sim_page_fault\") | .hits == $before + 1"
ok "hits are counted"
setpriv --reuid alice --regid alice --groups render drmfault doctor --json >"$out" 2>"$err" &&
	json '.covered == true and .hooks[0].hits == null and .hooks[0].state != null'
ok "another user learns the same, but for the sums"
json '[.layouts[] | select(.set == "iommu" and .offset >= 0 and .reason == null)] | length == 3'
ok "layouts of the kernel are known"

again hooks=0 && modprobe drm_fault_sim report=0 && udevadm settle && doctor 1 && has 'no .*hooks=1' &&
	has '^Not every GPU of this machine is covered\.$'
ok "a GPU without its hooks is not covered"
doctor 1 --json && json '.covered == false and ([.hooks[] | select(.state != "off")] == [])'
ok "and the hooks are off"
rmmod drm_fault_sim && modprobe drm_fault_sim report=1 && udevadm settle && doctor 0 && has 'reports itself'
ok "a GPU that reports itself needs none"

again && modprobe vgem && udevadm settle && doctor 2 && has 'without hardware'
ok "a GPU that is none does not count"
unload && doctor 2 && [ ! -s "$out" ] && [ "$(wc -l <"$err")" = 1 ] && grep -q 'modprobe drm_fault' "$err"
ok "without the module it says what to do"

modprobe drm_fault_sim
rm -f "$out" "$err"
tap_end
