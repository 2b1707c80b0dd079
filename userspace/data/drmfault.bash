# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Completion of the drmfault command; what there is, its own --help tells.

# Column $1 of the list of stored dumps; its first is two words.
_drmfault_stored() {
	drmfault list 2>/dev/null | awk -v n="$1" 'NR > 1 && $n != "-" { print $n }'
}

# What follows the options of a command.
_drmfault_argument() {
	case $1 in
	decode) _filedir ;;
	run) mapfile -t COMPREPLY < <(compgen -c -- "$cur") ;;
	report)
		_filedir
		mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "latest $(_drmfault_stored 3)" -- "$cur")
		;;
	export | rm | show)
		mapfile -t COMPREPLY < <(compgen -W "latest $(_drmfault_stored 3)" -- "$cur")
		;;
	esac
}

# The value of option $1 of command $2; 1: it has none.
_drmfault_value() {
	local words=

	case $1 in
	-p | --pid) _pids; return ;;
	-o | --output) _filedir; return ;;
	-D | --store) _filedir -d; return ;;
	-d | --device) words=$(drmfault devices 2>/dev/null | awk 'NR > 1 { print $1 }') ;;
	-r | --driver) words=$(_drmfault_stored 4 | sort -u) ;;
	-b | --boot) words=0 ;;
	-S | --since | -U | --until) words="today yesterday -1h" ;;
	-F | --format) [ "$2" = list ] && words=prometheus || words="raw apport abrt" ;;
	-f | --filter | -n | --count | -t | --timeout | -c | --comm | -N | --limit | -w | --watchdog) ;;
	*) return 1 ;;
	esac
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

_drmfault() {
	local cur prev words cword
	_init_completion || return

	if [ "$cword" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(drmfault --help 2>/dev/null |
			awk '/^  [a-z]/ { print $1 }') --help --version" -- "$cur")
		return
	fi
	_drmfault_value "$prev" "${words[1]}" && return
	if [[ $cur != -* ]]; then
		_drmfault_argument "${words[1]}"
		[ ${#COMPREPLY[@]} = 0 ] || return
	fi
	mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$(_parse_help drmfault "${words[1]} --help")" -- "$cur")
}

complete -F _drmfault drmfault
