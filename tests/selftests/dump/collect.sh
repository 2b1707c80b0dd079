#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR MIT
# Dumps are stored by udev, systemd and drmfault-collect: those of the software GPU, those
# of another driver; and what becomes of them when something goes wrong. Needs systemd as
# init, and drm_fault_foreign.ko of this folder.
set -u
# shellcheck source=tests/selftests/lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=tests/selftests/lib/wait.sh
. "$(dirname "$0")/../lib/wait.sh"

client=$(dirname "$0")/../sim/client
dumps=/sys/class/devcoredump
store=/var/lib/drmfault
rules=/usr/lib/udev/rules.d/71-drm_fault-collect.rules
foreign=/sys/module/drm_fault_foreign/parameters/dump
stored=5cd61670daa74d2a9e4200021d3277fd
failed_to=e4a3731f665e41f2af690f10e9a92717
exposure=2.0
work=$(mktemp -d)
out=$work/out

# shellcheck disable=SC2317 # tap.sh calls it
tap_details() {
	cat "$out"
	ls -l "$dumps" "$store"
	journalctl -b --no-pager -n 25 -o cat -u 'drmfault-collect*'
}

entries() { find "$store" -mindepth 1 -maxdepth 1 -name '2*' -printf '%f\n' | sort; }
has() { [ "$(entries | wc -l)" = "$1" ]; }
waiting() { find "$dumps"/ -name 'devcd*' -printf '%f\n'; }
no_dumps() { [ -z "$(waiting)" ]; }
# shellcheck disable=SC2317 # wait_for does
is_new() { [ -n "$(find "$store" -maxdepth 1 -name '.new*')" ]; }
end_dumps() { for dump in "$dumps"/devcd*/data; do [ ! -e "$dump" ] || echo 1 >"$dump"; done; wait_for no_dumps; }
clear_store() { rm -rf "$store"/2*; }
# The newest one's metadata.
meta() { jq -e "$1" "$store/$(entries | tail -n 1)/meta.json" >/dev/null; }
journal() { journalctl -b -o json --no-pager "$@" >"$out" 2>&1; }
# shellcheck disable=SC2317 # wait_for does
told() { [ "$(journalctl -b -q -o cat --no-pager "$@" | wc -l)" -ge 1 ]; }
emit() { echo "$1 $2 ${3:-0}" >$foreign; }
name_of() { basename "$(dirname "$(readlink -f "/sys/devices/platform/amdgpu.$1/devcoredump/data")")"; }
settings() { mkdir -p /etc/drmfault.conf.d && printf '%s\n' "$@" >/etc/drmfault.conf.d/test.conf; }

tap_start
[ "$(cat /proc/1/comm)" = systemd ] || exit 4
# As after the installation of a package; and nobody wants to wait for a second try.
mkdir -p /etc/systemd/system/drmfault-collect@.service.d
printf '[Service]\nRestartSec=1s\n' >/etc/systemd/system/drmfault-collect@.service.d/test.conf
systemctl daemon-reload && udevadm control --reload || exit 1
modprobe drm_fault_sim && modprobe drm_fault_foreign && udevadm settle || exit 1

# an incident
echo "<4>a line of the kernel log" >/dev/kmsg
"$client" fault >/dev/null
wait_for has 1 && wait_for no_dumps
ok "a fault is stored, and the kernel's copy freed"
id=$(entries)
meta '.format == "drm_fault" and .driver == "drm_fault_sim" and .process.comm == "client" and .fault.access == "write"' &&
	meta ".boot_id == \"$(tr -d - </proc/sys/kernel/random/boot_id)\" and .kernel == \"$(uname -r)\""
ok "with what is known of it"
drmfault list >"$out" 2>&1 && grep -q "$id" "$out" && drmfault show "$id" >"$out" 2>&1 &&
	grep -q 'write access at 0x' "$out"
ok "drmfault lists and shows it"
zstd -dqc "$store/$id/kernel.log.zst" >"$out" && grep -q 'a line of the kernel log' "$out"
ok "and the kernel log"
wait_for told MESSAGE_ID=$stored && journal MESSAGE_ID=$stored && is "$(wc -l <"$out")" 1 &&
	jq -e ".DRMFAULT_ID == \"$id\" and .DRMFAULT_DRIVER == \"drm_fault_sim\" and .DRMFAULT_ACCESS == \"write\" and
		.DRMFAULT_FAULT_TYPE == \"not present\" and .DRMFAULT_COMM == \"client\" and .PRIORITY == \"3\" and
		.DRMFAULT_FOLDER == \"$store/$id\" and .OBJECT_PID == .DRMFAULT_PID and (.DRMFAULT_FINGERPRINT | length > 9)" \
		"$out" >/dev/null
ok "one entry in the journal tells it in fields"
systemd-analyze security --no-pager "--threshold=${exposure/./}" drmfault-collect@.service >"$out" 2>&1 &&
	systemd-analyze security --no-pager "--threshold=${exposure/./}" drmfault-collect-boot.service >"$out" 2>&1
ok "the services are exposed by $exposure of 10 at most"

# those of others
clear_store
emit 0 64
wait_for has 1 && wait_for no_dumps && meta '.format == "text" and .driver == "amdgpu" and .size == 65536 and
	.process.comm == "collect.sh" and (.process.exe | endswith("/bash"))'
ok "a driver's own dump is stored"
zstd -dqc "$store/$(entries)/dump.zst" >"$out" && is "$(head -n 1 "$out")" "**** AMDGPU Device Coredump ****" &&
	is "$(stat -c %s "$out")" 65536
ok "as it was"
emit 3 4 && wait_for told -u "drmfault-collect@$(waiting).service" && sleep 1 && has 1 && ! no_dumps
ok "one of other hardware is not"
settings '[Collect]' Collect=all && systemctl start drmfault-collect-boot.service && has 2 && no_dumps
ok "where all are wanted it is"
settings '[Collect]' RemoveKernelCopy=no && clear_store
emit 0 4 && wait_for has 1 && name=$(name_of 0) && systemctl restart "drmfault-collect@$name.service" && has 1 && ! no_dumps
ok "the kernel's copy stays where that is wanted, and is not stored twice"
rm -r /etc/drmfault.conf.d
end_dumps && clear_store

# at once
emit 0 256 10
emit 1 256 10
emit 2 256 10
"$client" fault >/dev/null
wait_for has 4 && wait_for no_dumps && is "$(jq -r .devcoredump "$store"/2*/meta.json | sort -u | wc -l)" 4
ok "four at once are all stored"
clear_store

# killed
emit 0 400 50
name=$(name_of 0)
wait_for is_new && pid=$(systemctl show -P MainPID "drmfault-collect@$name.service") && kill -KILL "$pid" && has 0 &&
	[ -e "$dumps/$name/data" ]
ok "a collector that is killed leaves nothing half, and the kernel's copy"
wait_for has 1 && wait_for no_dumps && ! is_new && meta ".devcoredump == \"$name\" and .size == 409600"
ok "then it is started again"
clear_store

# no room
mount -t tmpfs -o size=1M,mode=750 tmpfs "$store" && head -c 2M /dev/zero >"$store/filler" 2>/dev/null
emit 0 512
name=$(name_of 0)
wait_for told MESSAGE_ID=$failed_to "DRMFAULT_DEVCOREDUMP=$name" && journal MESSAGE_ID=$failed_to &&
	jq -se '.[0].ERRNO == "28" and (.[0].MESSAGE | contains("No space left on device; make room there"))' "$out" >/dev/null &&
	has 0 && [ -e "$dumps/$name/data" ]
ok "a full file system is told, and the kernel's copy stays"
rm "$store/filler" && wait_for has 1 && wait_for no_dumps && meta ".devcoredump == \"$name\" and .size == 524288"
ok "it is stored when there is room again"
umount "$store" && has 0

# before udev knew
mv $rules "$work/rules" && udevadm control --reload
emit 0 4
emit 1 4
udevadm settle && sleep 1 && has 0
ok "without the rule nothing is stored"
systemctl start drmfault-collect-boot.service && has 2 && no_dumps
ok "dumps that were there before are stored at boot"
mv "$work/rules" $rules && udevadm control --reload
clear_store

# many
settings '[Store]' MaxCount=10
for _ in 1 2 3 4 5; do
	emit 0 4
	emit 1 4
	emit 2 4
	wait_for no_dumps
done
wait_for has 10
ok "of many as many stay as may"
is "$(journalctl -b -q -o cat --no-pager MESSAGE_ID=$stored DRMFAULT_SIZE=4096 DRMFAULT_DRIVER=amdgpu | wc -l)" 18
ok "and each was told"
/usr/libexec/drmfault-collect devcd999999 >"$out" 2>&1
is $? 3 && grep -q 'devcd999999 is not there any more' "$out"
ok "one that has gone is told in a sentence"
rm -r /etc/drmfault.conf.d
is "$(systemctl --failed -q --no-legend | grep -c drmfault)" 0
ok "no unit has failed at the end"

rm -rf "$work"
tap_end
