# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Completion of the drmfault command; what there is, its own --help tells.

_drmfault() {
	local cur prev words cword
	_init_completion || return

	if [ "$cword" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(drmfault --help 2>/dev/null |
			awk '/^  [a-z]/ { print $1 }') --help --version" -- "$cur")
		return
	fi
	if [ "${words[1]}" = decode ] && [[ $cur != -* ]]; then
		_filedir
		return
	fi
	case $prev in
	-p | --pid) _pids ;;
	-d | --device)
		mapfile -t COMPREPLY < <(compgen -W "$(drmfault devices 2>/dev/null |
			awk 'NR > 1 { print $1 }')" -- "$cur")
		;;
	-f | --filter | -n | --count | -t | --timeout) ;;
	*)
		mapfile -t COMPREPLY < <(compgen -W "$(_parse_help drmfault "${words[1]} --help")" -- "$cur")
		;;
	esac
}

complete -F _drmfault drmfault
