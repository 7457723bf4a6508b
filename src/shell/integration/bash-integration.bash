# Lets an interactive bash say in its output where prompts and commands begin and end, by OSC 633 of
# VS Code: A and B around the prompt, E and C before a command, D behind it with its code, P with the
# directory. The host replaces @nonce@; a mark without it comes from elsewhere.
#
# PS0 is expanded between the reading of a command and its start. A code belongs to a command only
# when PS0 was expanded since the last prompt.
#
# shellcheck shell=bash disable=SC2016,SC2034,SC2154

__sf_nonce=@nonce@
__sf_none=
__sf_ran=
__sf_ps1=unknown
\builtin unset HISTFILE
HISTCONTROL=
\builtin set +H

__sf_mark() {
  \builtin printf '\e]633;%s;%s\a' "$1" "$__sf_nonce"
}

__sf_escape() {
  __sf_value=${1//\\/\\\\}
  __sf_value=${__sf_value//;/'\x3b'}
  __sf_value=${__sf_value//$'\n'/'\x0a'}
  __sf_value=${__sf_value//$'\r'/'\x0d'}
  __sf_value=${__sf_value//$'\t'/'\x09'}
  __sf_value=${__sf_value//$'\e'/'\x1b'}
  __sf_value=${__sf_value//$'\a'/'\x07'}
}

__sf_before() {
  \builtin local line
  line=$(HISTTIMEFORMAT='' \builtin history 1)
  if [[ $line =~ ^[[:space:]]*[0-9]+[*[:space:]][[:space:]](.*)$ ]]; then
    __sf_escape "${BASH_REMATCH[1]}"
    __sf_mark "E;$__sf_value"
  fi
  __sf_mark C
}

__sf_return() {
  \builtin return "$1"
}

__sf_prompt() {
  \builtin local code=$? command
  if [[ $__sf_ran ]]; then
    __sf_mark "D;$code"
  else
    __sf_mark 'D;'
  fi
  __sf_ran=
  __sf_escape "$PWD"
  __sf_mark "P;Cwd=$__sf_value"
  for command in "${__sf_commands[@]}"; do
    __sf_return "$code"
    \builtin eval "$command"
  done
  if [[ $PS1 != "$__sf_ps1" ]]; then
    __sf_ps1="\[\e]633;A;$__sf_nonce\a\]$PS1\[\e]633;B;$__sf_nonce\a\]"
    PS1=$__sf_ps1
  fi
}

__sf_commands=("${PROMPT_COMMAND[@]}")
\builtin unset PROMPT_COMMAND
PROMPT_COMMAND=__sf_prompt
PS0='${__sf_none:__sf_ran=1:0}$(__sf_before)'
PS1=
