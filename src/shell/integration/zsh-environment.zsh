# What a zsh reads first, as .zshenv in the directory that the host has put into ZDOTDIR. Where the
# person's own files are wanted, the host replaces @home@ by the directory that has them.
#
# - Oh My Zsh and Powerlevel10k have marks of their own; they leave them out where others are there.
# - The directory that VTE asks for is said by these marks.

__sf_home=@home@
ITERM_SHELL_INTEGRATION_INSTALLED=Yes
POWERLEVEL9K_TERM_SHELL_INTEGRATION=true
VTE_VERSION=0

if [[ -n $__sf_home ]]; then
  __sf_own=$ZDOTDIR
  ZDOTDIR=$__sf_home
  if [[ -f $__sf_home/.zshenv ]]; then
    . $__sf_home/.zshenv
  fi
  __sf_home=$ZDOTDIR
  ZDOTDIR=$__sf_own
else
  unsetopt global_rcs
fi
