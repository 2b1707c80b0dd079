#!/bin/bash
# SPDX-License-Identifier: MIT
# A program that has more rights than its user loads the layer as it is installed, and
# the layer does nothing: no extension, no file where the user's environment says.
# shellcheck disable=SC2317 # tap.sh calls them
# shellcheck source=tests/selftests/layer/lib/layer.sh
. "$(dirname "$0")/lib/layer.sh"

# The loader ignores paths of the environment there: all is where the system has it.
unset VK_DRIVER_FILES VK_LAYER_PATH
install -d /etc/vulkan/icd.d
jq --arg library "$programs/libdrmfault_icd.so" '.ICD.library_path = $library' \
	"$programs/drmfault_icd.json" >/etc/vulkan/icd.d/drmfault_test.json
# Where such programs may be: not in /tmp.
bin=$(mktemp -d /usr/local/bin/drmfault.XXXXXX)
chmod 755 "$bin"
trap 'rm -rf /etc/vulkan/icd.d/drmfault_test.json "$bin"' EXIT
export ICD_WITHOUT=$faults

# copy NAME MODE [OWNER[:GROUP]]: of the program that makes mistakes.
copy() {
	install -m 755 "$programs/layer_of_mistakes" "$bin/$1"
	chown "${3:-root:root}" "$bin/$1" && chmod "$2" "$bin/$1"
}

# As python writes file capabilities: version 2, effective, CAP_NET_BIND_SERVICE.
give_capability() {
	python3 -c 'import os, struct, sys
os.setxattr(sys.argv[1], "security.capability", struct.pack("<5I", 0x02000001, 1 << 10, 0, 0, 0))' "$1"
}

# alice COMMAND...: as she would start it, who wants the layer in every way.
alice() {
	folder state
	setpriv --reuid=alice --regid=alice --groups=render \
		env DRMFAULT_LAYER=1 DRMFAULT_LAYER_OUTPUT="$folder/summary" XDG_STATE_HOME="$folder" HOME="$folder" \
		"$@" >out 2>err
}
lost() { [ "$(tail -n 1 out)" = lost ]; }
extensions() { [ "$(grep -c '^VK_...' out)" = "$1" ]; }
nothing_written() { [ "$(reports)" = 0 ]; }

# off WHAT PROGRAM: with the layer in it, which does nothing.
off() {
	point "$1: it has more rights than its user" has out secure
	point "$1: its device is lost as without the layer" lost
	point "$1: no extension is added" extensions 0
	point "$1: no file is written" nothing_written
	point "$1: no word of the layer's" lacks err drm_fault:
}

tap_start
copy plain 755
copy setuid 4755
copy setuid-bob 4755 bob:bob
copy setgid 2755 root:video
copy capable 755
point "a file may have capabilities" give_capability "$bin/capable"

alice "$bin/plain" out-of-bounds
point "without more rights: it has none" lacks out secure
point "without more rights: the device is lost" lost
point "without more rights: the layer adds both extensions" extensions 2
point "without more rights: report and summary are written" [ "$(reports)" = 2 ]
for name in setuid setuid-bob setgid capable; do
	alice "$bin/$name" out-of-bounds
	off "$name"
done
end
