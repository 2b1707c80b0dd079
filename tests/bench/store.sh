#!/bin/bash
# SPDX-License-Identifier: MIT
# Stored dumps: how long it takes to list 10,000 of them beside reading their
# descriptions with cat(1), and to decode a long dump beside cat(1) and zstd(1)
# giving its bytes. Prints "NAME NANOSECONDS", the least of some runs.
set -euo pipefail

BUILD=${DRMFAULT_BUILD:?}
ENTRIES=10000
RECORDS=20000
RUNS=3
work=$(mktemp -d -p "${DRMFAULT_BENCH_FOLDER:-/dev/shm}")
trap 'rm -rf "$work"' EXIT
export DRMFAULT_STORE=$work/store

drmfault=$BUILD/tools/drmfault

# least NAME COMMAND...
least() {
	local name=$1 start least=0 took
	shift
	for _ in $(seq "$RUNS"); do
		start=$(date +%s%N)
		"$@" >/dev/null
		took=$(($(date +%s%N) - start))
		[ $least != 0 ] && [ $took -ge $least ] || least=$took
	done
	echo "$name $least"
}

"$BUILD/tests/bench_dump" "$work/small" 64
start=$(date +%s%N)
"$BUILD/tests/store_add" "$DRMFAULT_STORE" "$work/small" $ENTRIES '{"time_us": 1700000000000000}' >/dev/null
echo "store-10000 $(($(date +%s%N) - start))"
[ "$("$drmfault" list --json | wc -l)" = $ENTRIES ]
least list-10000 "$drmfault" list
least list-10000-json "$drmfault" list --json
least list-10000-group "$drmfault" list --group
least list-latest "$drmfault" list --limit 1
least cat-10000 find "$DRMFAULT_STORE" -name meta.json -exec cat {} +
RUNS=1 least decode-1000 sh -c "find '$DRMFAULT_STORE' -name dump.zst | head -n 1000 | xargs '$drmfault' decode"
RUNS=1 least unzstd-1000 sh -c "find '$DRMFAULT_STORE' -name dump.zst | head -n 1000 | xargs zstd -dcq"

"$BUILD/tests/bench_dump" "$work/dump" $RECORDS
zstd -q "$work/dump" -o "$work/dump.zst"
# All of it is read, checked and counted; of no record, then of each, text is printed.
least decode-checked "$drmfault" decode --filter pid=1 "$work/dump.zst"
least decode-text "$drmfault" decode "$work/dump.zst"
least decode-json "$drmfault" decode --json "$work/dump.zst"
least cat cat "$work/dump"
least unzstd zstd -dcq "$work/dump.zst"
