# The loop of a persistent sh: that of bash (see bash-loop.bash), but for what a plain sh does in
# another way.
#
# - An order is a file to run, as nothing reads to a NUL. It sets __sf_n number, __sf_r reports, __sf_o
#   output, __sf_m mark, __sf_s code of the last command, __sf_b what runs before the
#   command, __sf_c the command, __sf_z what runs after it. __sf_d is this text.
# - No function can stand before a special builtin (eval, exit, export, trap, unset and others); before
#   the rest stands `command`, and a function of that name is unset.
# - Behind `command`, an `eval` of a line that breaks off is an error and not the end of the shell.
# - Under `set -n` the condition of `until` is not evaluated, and counts as true.
#
# shellcheck shell=sh disable=SC1090,SC1091,SC2016,SC2034,SC2154

__sf_k=${__sf_k-I} __sf_on=1
\trap '{ \export -p; \command printf "\0\0\0=%s\0\n" "$PWD"; } >@state@; \command printf "L 0 %d \n" "${__sf_n-0}" >"${__sf_r-/dev/null}"' EXIT

until case ${__sf_on-} in 1) ! \: ;; esac; do
  __sf_on=
  \unset -f command
  case ${__sf_k-} in I | N | D) ;; *) __sf_k=D ;; esac
  if case $__sf_k in I) ;; *) case ${__sf_n-}${__sf_r-} in [0-9]*/proc/*) ;; *) \. @orders@ ;; esac
    \eval "${__sf_z-}"
    {
      \export -p && \command printf '\0' && \trap && \command printf '\0' && \command alias &&
        \command printf '\0%s\0%s\0%s\0%s\0%s\0%s\0\n' "=$PWD" "$-" "${IFS+=$IFS}" \
          "${CDPATH+=$CDPATH}" "${PS4+=$PS4}" "${ENV+=$ENV}"
    } >@state@ &&
      \command printf '%s %d %d %s\n' "$__sf_k" "$__sf_rc" "$__sf_n" "${!-}" >"$__sf_r" ;;
  esac; then
    __sf_k=I __sf_x=
    \command read -r __sf_x <@bell@
    \. @orders@
    case $__sf_x in '') ;; "$__sf_n") \export SHELLFLOW_MARK="$__sf_m"
      __sf_on=1 __sf_k=N __sf_rc=1
      if \eval "$__sf_b" && \command read -r __sf_x <@bell@; then
        __sf_k=D __sf_rc=0
        case $-$__sf_s in *e* | *[!0-9]0 | 0) ;; *) (\exit "$__sf_s") && \: ;; esac
        \command eval "$__sf_c" </dev/null >"$__sf_o" 2>&1
        __sf_rc=$?
      else
        \command read -r __sf_x <@bell@
      fi ;;
    esac
  fi
done
case ${__sf_on-} in 1) __sf_on=; \eval "$__sf_d" ;; esac
\exit "$__sf_rc"
