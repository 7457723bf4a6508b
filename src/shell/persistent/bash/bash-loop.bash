# The loop of a persistent bash. `bash -c` runs it, joined to one line, so that "line N" in a message
# counts within the command. On a terminal an interactive bash runs it as PROMPT_COMMAND: there Ctrl-C
# and some errors lead back to its beginning.
#
# The host replaces @bell@ by a pipe that brings two lines for each order, its number twice; @orders@
# by a file with the order; and @state@ by a pipe for what has become of the shell: fields between NULs,
# with \0! before them, and a NUL and a newline at their end. The fields of an order, each with a NUL at its end:
#   0 number        3 mark                         6 the command
#   1 reports       4 code of the last command     7 what runs after it
#   2 output        5 what runs before the command
#   8 on a terminal: what runs once the command cannot be taken back, or is refused
# On a terminal, field 8 prints the mark before the output of the command. No variable has its nonce
# while the command runs, also not $_.
#
# A report is one line, after the state was written: the kind, the code, the number and $!. D means that
# the command is done, N that it could not begin, L that the shell ends.
#
# - `builtin` stands before what a function could replace, and keywords where one will do. Behind a
#   backslash no alias counts.
# - The shell keeps no channel open: a command may close every descriptor. The report comes after the
#   redirections of the command were undone, so that all of its output is in the pipe by then.
# - Whatever fails here leaves __sf_on at 0. That ends the loop, and the shell, with the code of the
#   last command; the host starts another shell. Under `set -n` nothing runs but the arithmetic of
#   the loop, which ends it as well.
# - `continue` in a command continues this loop: the report stands at its beginning. After `break`, and
#   after Ctrl-Z, which breaks a loop as well, the loop starts again.
# - An interactive shell ignores INT between commands: a Ctrl-C that comes late could lose an order. What
#   the trap was, the state has said, and field 8 sets it again.
# - The standard input of the shell is at its end: a prompt, which comes where a command has replaced
#   PROMPT_COMMAND and then failed, ends the shell.
#
# shellcheck shell=bash disable=SC2016,SC2034,SC2161,SC2317

__sf_j=${__sf_j:-$?}
# A signal may end a copy of the shell before it has forgotten the trap. What the shell says of a program that
# has ended meanwhile is not the command's.
[[ ${__sf_k-} ]] || {
  __sf_k=I
  \builtin trap '[[ $BASHPID != $$ ]] || { { \builtin declare -x; \builtin printf "\0\0\0=%s\0\n" "$PWD"; } >@state@; \builtin printf "L 0 %d \n" "${__sf_a[0]-0}" >"${__sf_a[1]-/dev/null}"; } 2>/dev/null' EXIT
}

for ((__sf_on = 1; __sf_on--; )); do
  __sf_rc=${__sf_j:-$?} __sf_j=
  # A command may have set our variables.
  [[ ${__sf_k-} == [IND] ]] || __sf_k=D
  if [[ $__sf_k == I ]] || {
    \builtin mapfile -d '' -t __sf_a <@orders@
    # The shell cannot undo the redirections of a command that closed its copies of descriptors.
    [[ /dev/fd/1 -ef /dev/null ]] || \command exec </dev/null >/dev/null 2>&1
    [[ ! ${__sf_a[7]-} ]] || \builtin eval "${__sf_a[7]}"
    # What takes the next order, which a command may have made readonly, or taken away.
    [[ ${__sf_a@a}${__sf_k@a}${__sf_x@a}${SHELLFLOW_MARK@a} != *r* ]] && \builtin enable read eval export mapfile && {
      \builtin printf '\0!' && \builtin declare -xni && \builtin printf '\0' && \builtin trap -p && \builtin declare -F &&
        \builtin alias -p && \builtin printf '\0' && \builtin hash -l &&
        \builtin printf '\0%s' "=$PWD" "$-" "$BASHOPTS" "${IFS+=$IFS}" "${CDPATH+=$CDPATH}" \
          "${GLOBIGNORE+=$GLOBIGNORE}" "${EXECIGNORE+=$EXECIGNORE}" "${BASH_COMPAT+=$BASH_COMPAT}" \
          "${POSIXLY_CORRECT+=$POSIXLY_CORRECT}" "${PS4+=$PS4}" "${PROMPT_COMMAND+=$PROMPT_COMMAND}" \
          "${BASH_ENV+=$BASH_ENV}" "${ENV+=$ENV}" $'\n'
    } >@state@ && { [[ $- != *i* ]] || \builtin trap '' INT; } &&
      \builtin printf '%s %d %d %s\n' "$__sf_k" "$__sf_rc" "${__sf_a[0]}" "${!-}" >"${__sf_a[1]}"
  }; then
    __sf_k=I __sf_x=
    # A command may have set TMOUT.
    until \builtin read -r __sf_x <@bell@ || [[ $? -le 128 ]]; do [[ 1 ]]; done
    __sf_a=()
    \builtin mapfile -d '' -t __sf_a <@orders@
    if [[ $__sf_x && ${__sf_a[0]-} == "$__sf_x" ]] &&
      \builtin export SHELLFLOW_MARK="${__sf_a[3]}"; then
      __sf_on=1 __sf_k=N
      # The second line of the bell is taken when the command begins.
      if { [[ ! ${__sf_a[5]} ]] || \builtin eval "${__sf_a[5]}"; } &&
        \builtin read -r __sf_x <@bell@; then
        __sf_k=D
        if [[ ${__sf_a[8]-} ]]; then
          \builtin eval "${__sf_a[8]}"
          \builtin unset "__sf_a[8]"
        fi
        # The code of the last command, which neither `set -e` nor a trap on ERR takes for a failure.
        if [[ ${__sf_a[4]} != 0 && $- != *e* ]]; then
          __sf_q() {
            \builtin unset -f __sf_q
            \builtin return "${__sf_a[4]}"
          }
          __sf_q && [[ 1 ]]
        fi
        \builtin eval -- "${__sf_a[6]}" </dev/null >"${__sf_a[2]}" 2>&1
      else
        [[ ! ${__sf_a[8]-} ]] || \builtin eval "${__sf_a[8]}"
        \builtin read -r __sf_x <@bell@
      fi
    fi
  fi
done
__sf_j=$?
if ((__sf_on > 0)) && __sf_on=0; then \builtin eval "$BASH_EXECUTION_STRING"; fi
# An interactive shell with stopped jobs refuses to exit once, and would begin again.
PROMPT_COMMAND=
# In posix mode no function stands before a special builtin.
POSIXLY_CORRECT=
\exit "$__sf_rc"
[[ ${__sf_dead:?} ]]
