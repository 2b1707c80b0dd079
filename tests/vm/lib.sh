# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# What the scripts of tests/vm share. Sourced, never run.

VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd "$VM_DIR/../.." && pwd)
CACHE=${DRM_FAULT_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/drm_fault}

# Debian's own tools, whatever else is installed here.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
export PATH

# Everything kept for longer than this without being used is removed.
KEEP_DAYS=14
export VM_DIR TOP CACHE KEEP_DAYS

say() { printf '%s\n' "vm: $*" >&2; }
die() { printf '%s\n' "vm: $*" >&2; exit 1; }

# Inside user namespaces only when not root: what runs sees itself as root and
# owns a range of user ids, as the files of a root file system need.
as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	else
		unshare --user --map-auto --map-root-user -- "$@"
	fi
}

# check_namespaces: says what to do where as_root cannot work.
check_namespaces() {
	[ "$(id -u)" = 0 ] && return 0
	grep -q "^$(id -un):\|^$(id -u):" /etc/subuid 2>/dev/null ||
		die "user $(id -un) has no range in /etc/subuid: run 'sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $(id -un)'"
	as_root true 2>/dev/null ||
		die "user namespaces are forbidden here: allow them with 'sudo sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000', or run this as root"
}

# need_space DIR MIB WHAT
need_space() {
	local free
	free=$(df --output=avail -m "$1" | tail -n 1 | tr -d ' ')
	[ "$free" -ge "$2" ] ||
		die "$3 needs $2 MiB in $1, which has $free: free some space or set DRM_FAULT_CACHE to a folder on a larger disk"
}

# progress WHAT LOG COMMAND...: runs COMMAND with its output in LOG, says every
# few seconds that it goes on, and on failure shows the end of LOG.
progress() {
	local what=$1 log=$2 start=$SECONDS pid rc=0 said=0 line
	shift 2
	"$@" >"$log" 2>&1 &
	pid=$!
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.2
		if [ $((SECONDS - start)) -ge $((said + 5)) ]; then
			said=$((SECONDS - start))
			line=$(last_line "$log" || true)
			say "$what: $said s${line:+: $line}"
		fi
	done
	wait "$pid" || rc=$?
	if [ "$rc" != 0 ]; then
		tail -n 30 "$log" >&2
		say "$what failed (the whole log: $log)"
		return "$rc"
	fi
	[ $((SECONDS - start)) -lt 2 ] || say "$what: done in $((SECONDS - start)) s"
}

last_line() {
	tail -c 400 "$1" | tr '\r' '\n' | grep -v '^ *$' | tail -n 1 | cut -c 1-100
}

need_cache() {
	if ! mkdir -p "$CACHE" 2>/dev/null || [ ! -w "$CACHE" ]; then
		die "cannot write to $CACHE: set DRM_FAULT_CACHE to a folder of your own"
	fi
}

# lock NAME: waits for any other user of NAME; held until this shell ends.
lock() {
	need_cache
	exec {LOCK_FD}>"$CACHE/$1.lock"
	flock -n "$LOCK_FD" && return
	say "waiting for another run that holds $CACHE/$1.lock"
	flock "$LOCK_FD"
}

# root_key: names the state of everything that the root file system is made of.
root_key() {
	(cd "$VM_DIR" && cat packages.root kernels rootfs rootfs-inside initrd-inside) |
		sha256sum | cut -c 1-16
}

root_dir() { echo "$CACHE/root-$(root_key)"; }

# names FILE: the first words of a table, less its comments.
names() { sed -e 's/#.*//' "$1" | awk 'NF { print $1 }'; }

# debian_lines: the archives that everything is taken from.
debian_lines() {
	local opt='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
	local main=${DRM_FAULT_MIRROR:-http://deb.debian.org/debian}
	local security=${DRM_FAULT_MIRROR_SECURITY:-http://deb.debian.org/debian-security}
	local suite
	for suite in trixie trixie-updates trixie-backports bookworm; do
		echo "deb $opt $main $suite main"
	done
	for suite in trixie-security bookworm-security; do
		echo "deb $opt $security $suite main"
	done
}

# private_apt NAME: an apt of our own in the cache that knows those archives and
# leaves the machine's apt alone. Exports APT_CONFIG.
private_apt() {
	local dir=$CACHE/apt/$1
	mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" "$dir/state"
	: >"$dir/status"
	debian_lines >"$dir/sources.list"
	cat >"$dir/apt.conf" <<-EOF
		Dir::Etc::SourceList "$dir/sources.list";
		Dir::Etc::SourceParts "/dev/null";
		Dir::State "$dir/state";
		Dir::State::Lists "$dir/lists";
		Dir::State::Status "$dir/status";
		Dir::Cache "$dir/cache";
		APT::Architecture "amd64";
		APT::Sandbox::User "root";
		Acquire::Languages "none";
		Acquire::Retries "3";
	EOF
	export APT_CONFIG=$dir/apt.conf
	progress "package lists" "$dir/log" apt-get update --error-on=any ||
		die "cannot reach Debian's archives: connect this machine to deb.debian.org, or set DRM_FAULT_MIRROR (and DRM_FAULT_MIRROR_SECURITY) to a mirror"
}
