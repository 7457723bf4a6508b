// deno-fmt-ignore-file
// Made from fish-integration.fish by .ci/embed-shells.mjs.

/** The text of `fish-integration.fish`, without comments and on one line. */
export const fishIntegration: string =
  "set -g __sf_nonce @nonce@; set -g __sf_ran; set -g fish_greeting; function __sf_mark; builtin printf '\\e]633;%s;%s\\a' $argv[1] $__sf_nonce; end; function __sf_escape; set -l value (builtin string replace --all '\\\\' '\\\\\\\\' -- $argv[1] | builtin string collect); set value (builtin string replace --all ';' '\\\\x3b' -- $value | builtin string collect); set value (builtin string replace --all \\e '\\\\x1b' -- $value | builtin string collect); set value (builtin string replace --all \\a '\\\\x07' -- $value | builtin string collect); builtin string replace --all \\n '\\\\x0a' -- $value; end; function __sf_before --on-event fish_preexec; set -g __sf_ran 1; __sf_mark \"E;\"(__sf_escape \"$argv[1]\"); __sf_mark C; end; function __sf_after --on-event fish_postexec; __sf_mark \"D;$status\"; end; function fish_prompt; if test -z \"$__sf_ran\"; __sf_mark \"D;\"; end; set -g __sf_ran; __sf_mark \"P;Cwd=\"(__sf_escape $PWD); __sf_mark A; __sf_mark B; end";
