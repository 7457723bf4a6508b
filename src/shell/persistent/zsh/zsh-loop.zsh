# The loop of a persistent zsh: that of bash (see bash-loop.bash), but for what zsh does in another way.
#
# - An order is a list of names and values, as words do not depend on where lists begin to count:
#   n number, r reports, o output, m mark, s code of the last command, b what runs before the
#   command, c the command, z what runs after it.
# - A line that breaks off (a quote without end, a name that is not set) would break off the loop as
#   well, and end the shell: the `always` blocks make it go on, also after `break` and Ctrl-C.
# - Under `set -n` the condition of `until` is not evaluated, and counts as true.
#
# On a terminal `zsh -i -c` runs the loop, and comes to no prompt. Its orders have g, what runs once the
# command cannot be taken back, or is refused; g prints the mark before the output of the command.
# They begin with a line that evaluates b or c, so that they can be sourced: only in a file that it
# sources, zsh counts pipelines anew. Elsewhere a command that Ctrl-Z stops is a part of the loop, which
# zsh would stop and continue in a copy of itself.

[[ -n "${__sf_k-}" ]] || {
  __sf_k=I
  \builtin trap '{ \builtin export -p; \builtin printf "\0\0\0=%s\0\n" "$PWD"; } >@state@; \builtin printf "L 0 %d \n" "${__sf_a[n]-0}" >"${__sf_a[r]-/dev/null}"' EXIT
  [[ ! -o interactive ]] || \builtin exec </dev/null >/dev/null 2>&1
}
__sf_on=1
{
  until [[ "${__sf_on-}" != 1 ]]; do
    {
      __sf_on=
      [[ "${__sf_k-}" == [IND] ]] || __sf_k=D
      if [[ "$__sf_k" == I ]] || {
        [[ -n "${__sf_a[z]+z}" && "${__sf_a[r]-}" == /proc/* ]] || { __sf_o="$(<@orders@)"; \builtin typeset -gA __sf_a; __sf_a=("${(@0)__sf_o}"); }
        [[ -z "${__sf_a[z]-}" ]] || \builtin eval "${__sf_a[z]}"
        \builtin enable read eval . return && {
          \builtin printf '\0!' && \builtin export -p && \builtin printf '\0' && \builtin trap && \builtin printf '\0' &&
            \builtin typeset +f && \builtin alias -L &&
            \builtin printf '\0%s' "=$PWD" "$-" "${IFS+=${(q)IFS}}" "${CDPATH+=${(q)CDPATH}}" "${FPATH+=${(q)FPATH}}" "${MODULE_PATH+=${(q)MODULE_PATH}}" "${NULLCMD+=${(q)NULLCMD}}" "${READNULLCMD+=${(q)READNULLCMD}}" "${PS4+=${(q)PS4}}" "${ENV+=${(q)ENV}}" $'\n'
        } >@state@ && { [[ ! -o interactive ]] || \builtin trap '' INT; } &&
          \builtin printf '%s %d %d %s\n' "$__sf_k" "$__sf_rc" "${__sf_a[n]}" "${!-}" >"${__sf_a[r]}"
      }; then
        __sf_k=I __sf_x=
        until \builtin read -r __sf_x <@bell@ || [[ $? -le 128 ]]; do [[ 1 == 1 ]]; done
        __sf_o="$(<@orders@)"
        \builtin typeset -gA __sf_a
        __sf_a=("${(@0)__sf_o}")
        if [[ -n "$__sf_x" && "${__sf_a[n]-}" == "$__sf_x" ]] && \builtin export SHELLFLOW_MARK="${__sf_a[m]}"; then
          __sf_on=1 __sf_k=N __sf_rc=1
          if {
            if [[ -n "${__sf_a[g]-}" ]]; then \builtin . @orders@; elif [[ -n "${__sf_a[b]}" ]]; then \builtin eval "${__sf_a[b]}"; fi
          } && \builtin read -r __sf_x <@bell@; then
            __sf_k=c
            if [[ -n "${__sf_a[g]-}" ]]; then
              \builtin eval "${__sf_a[g]}"
              \builtin unset "__sf_a[g]" "__sf_a[z]" __sf_o
            fi
            {
              if [[ -n "${__sf_a[z]+z}" ]]; then __sf_e=(eval -- "${__sf_a[c]}"); else __sf_e=(. @orders@); fi
              if [[ "${__sf_a[s]}" != 0 && ! -o errexit ]]; then () { \builtin return "${__sf_a[s]}"; } && [[ 1 == 1 ]]; fi
              \builtin "${__sf_e[@]}" </dev/null >"${__sf_a[o]}" 2>&1
            } always {
              __sf_rc=$? TRY_BLOCK_ERROR=0
            }
          else
            [[ -z "${__sf_a[g]-}" ]] || \builtin eval "${__sf_a[g]}"
            \builtin read -r __sf_x <@bell@
          fi
        fi
      fi
    } always {
      if [[ "$TRY_BLOCK_INTERRUPT" != 0 ]]; then
        __sf_on=1
        [[ "${__sf_k-}" != c || "${__sf_rc-}" == 131 ]] || __sf_rc=130
      fi
      TRY_BLOCK_ERROR=0 TRY_BLOCK_INTERRUPT=0
      \builtin continue
    }
  done
} always {
  # Of several Ctrl-C, one can come between two rounds of the loop.
  if [[ "${__sf_on-}" == 1 || "$TRY_BLOCK_INTERRUPT" != 0 ]]; then
    __sf_on= TRY_BLOCK_ERROR=0 TRY_BLOCK_INTERRUPT=0
    \builtin eval "$ZSH_EXECUTION_STRING"
  fi
}
\builtin exit "$__sf_rc"
[[ -n "${__sf_dead:?}" ]]
