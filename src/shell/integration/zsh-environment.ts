// deno-fmt-ignore-file
// Made from zsh-environment.zsh by .ci/embed-shells.mjs.

/** The text of `zsh-environment.zsh`, without comments and on one line. */
export const zshEnvironment: string =
  "__sf_home=@home@; ITERM_SHELL_INTEGRATION_INSTALLED=Yes; POWERLEVEL9K_TERM_SHELL_INTEGRATION=true; VTE_VERSION=0; if [[ -n $__sf_home ]]; then __sf_own=$ZDOTDIR; ZDOTDIR=$__sf_home; if [[ -f $__sf_home/.zshenv ]]; then . $__sf_home/.zshenv; fi; __sf_home=$ZDOTDIR; ZDOTDIR=$__sf_own; else unsetopt global_rcs; fi";
