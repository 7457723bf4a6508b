# Lets an interactive zsh say in its output where prompts and commands begin and end, by OSC 633 of
# VS Code, as bash-integration.bash does. It is read as .zshrc, and gives ZDOTDIR back. The mark and the
# blanks that zsh prints behind output without a newline are no output.

__sf_nonce=@nonce@
__sf_ran=
__sf_ps1=unknown
PROMPT_EOL_MARK=

if [[ -n $__sf_home ]]; then
  ZDOTDIR=$__sf_home
  if [[ -f $ZDOTDIR/.zshrc ]]; then
    . $ZDOTDIR/.zshrc
  fi
else
  unset ZDOTDIR
  PS1=
fi
unset HISTFILE __sf_home __sf_own
unsetopt bang_hist prompt_cr prompt_sp

__sf_mark() {
  builtin printf '\e]633;%s;%s\a' "$1" "$__sf_nonce"
}

__sf_escape() {
  __sf_value=${1//\\/\\\\}
  __sf_value=${__sf_value//;/\\x3b}
  __sf_value=${__sf_value//$'\n'/\\x0a}
  __sf_value=${__sf_value//$'\r'/\\x0d}
  __sf_value=${__sf_value//$'\t'/\\x09}
  __sf_value=${__sf_value//$'\e'/\\x1b}
  __sf_value=${__sf_value//$'\a'/\\x07}
}

__sf_before() {
  __sf_ran=1
  __sf_escape "$1"
  __sf_mark "E;$__sf_value"
  __sf_mark C
}

__sf_prompt() {
  local code=$?
  if [[ -n $__sf_ran ]]; then
    __sf_mark "D;$code"
  else
    __sf_mark 'D;'
  fi
  __sf_ran=
  __sf_escape "$PWD"
  __sf_mark "P;Cwd=$__sf_value"
}

__sf_wrap() {
  if [[ $PS1 != "$__sf_ps1" ]]; then
    __sf_ps1="%{"$'\e'"]633;A;$__sf_nonce"$'\a'"%}$PS1%{"$'\e'"]633;B;$__sf_nonce"$'\a'"%}"
    PS1=$__sf_ps1
  fi
}

precmd_functions=(__sf_prompt $precmd_functions __sf_wrap)
preexec_functions=($preexec_functions __sf_before)
