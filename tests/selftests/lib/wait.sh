# SPDX-License-Identifier: GPL-2.0-only OR MIT
# shellcheck shell=bash
# Sourced, never run.

# wait_for COMMAND...: until it succeeds, within half a minute.
wait_for() {
	local tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || return 1
		sleep 0.1
	done
}
