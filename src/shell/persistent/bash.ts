import { quote } from "../quote.ts";
import { changes, names } from "./changes.ts";
import type { Persistence, ReportedState, ShellChannels, ShellOrder } from "./persistence.ts";

/** The variable that marks the processes of a command, for whoever looks for them. */
const MARK = "SHELLFLOW_MARK";

/** Not exported as a rule, but each changes what a line means. */
const WATCHED =
  "IFS CDPATH GLOBIGNORE EXECIGNORE BASH_COMPAT POSIXLY_CORRECT PS4 PROMPT_COMMAND BASH_ENV ENV";

/**
 * What becomes of the shell: its parts, with NUL between them. In an OR, so that `set -e` does not
 * end it for a part that there is not.
 */
const tell = (path: string) =>
  `{ builtin printf '%s\\0' "$PWD"; builtin declare -F; builtin printf '\\0'; builtin alias -p; ` +
  `builtin printf '\\0'; builtin hash -l; builtin printf '\\0'; builtin declare -x; ` +
  `builtin printf '\\0'; builtin declare -p ${WATCHED}; builtin printf '\\0'; builtin trap -p EXIT; ` +
  `} >${path} 2>/dev/null || [[ 1 ]]`;

/**
 * A read loop in bash, on one line, so that `line N` in a message counts within the command.
 *
 * - `builtin` stands before whatever a function could shadow, and keywords where one will do. A
 *   function named `builtin` is unset after the command that defined it.
 * - The shell holds no descriptor of ours: a command may close all that there are.
 * - The redirections stand at `eval`: after it the driver's own are back, and what it is traced to
 *   goes nowhere. The \`exec\` after it repairs what a command closed, and lets go of its pipe, so
 *   that the report comes after all output.
 * - Whatever ends the shell (exit, set -e, a signal) runs the trap on EXIT: it keeps the state in a
 *   file and becomes a new bash in the same process, which has children, descriptors, directory and
 *   limits of the old one, reads the state back, and reports.
 * - Signals end the shell by \`exit\`: who dies of the signal itself runs that trap with the
 *   redirections of the command still in place.
 */
function driver({ bell, orders, state, memory, file, mark }: ShellChannels): string {
  const reborn = `__sf_rc=$?; builtin trap - EXIT DEBUG ERR RETURN; ` +
    `builtin trap : INT TERM HUP; if [[ $__sf_t ]]; then builtin eval "$__sf_t" >"$__sf_o" 2>&1; fi; ` +
    `builtin set +exunv; builtin exec </dev/null >/dev/null 2>&1; ` +
    `{ builtin declare -p; builtin declare -fp; builtin alias -p; builtin shopt -p; builtin umask -p; } >${memory}; ` +
    `${MARK}=${quote(mark)} builtin exec ${
      quote(file)
    } --norc --noprofile -c "$BASH_EXECUTION_STRING" bash "$__sf_n" "$__sf_rc" "$__sf_r"`;
  const loop = `builtin trap "builtin exit 130" INT; builtin trap "builtin exit 143" TERM; ` +
    `builtin trap "builtin exit 129" HUP; __sf_e=${quote(reborn)}; builtin trap "$__sf_e" EXIT; ` +
    `__sf_q() { builtin return "$1"; }; ` +
    `__sf_trap() { __sf_t=$2; builtin trap "$__sf_e" EXIT; }; ` +
    `if [[ $1 ]]; then __sf_n=$1 __sf_rc=$2 __sf_r=$3; builtin shift 3; ${tell(state)}; ` +
    `builtin printf 'E %d %d\\n' "$__sf_rc" "$__sf_n" >"$__sf_r"; else __sf_rc=0; __sf_t=; fi; ` +
    `while [[ 1 ]]; do __sf_o=; ` +
    `builtin read -r __sf_n <${bell} 2>/dev/null || { builtin trap - EXIT; builtin exit 0; }; ` +
    `{ for __sf_x in r o m b c a; do IFS= builtin read -r -d "" "__sf_$__sf_x"; done; } <${orders}; ` +
    // Nothing was read: a builtin is out of order, and the loop would spin.
    `__sf_x=\${__sf_o:?}; builtin export ${MARK}="$__sf_m"; ` +
    `if [[ ! $__sf_b ]] || builtin eval "$__sf_b"; then __sf_k=D; ` +
    // The status of the last command, unless that would end a shell with \`set -e\`.
    `if [[ $- == *e* ]]; then builtin :; else __sf_q "$__sf_rc"; fi; ` +
    `builtin eval -- "$__sf_c" </dev/null >"$__sf_o" 2>&1; __sf_rc=$?; ` +
    `else __sf_k=N; fi; unset -f unset builtin 2>/dev/null; ` +
    `builtin exec </dev/null >/dev/null 2>&1; ` +
    `if [[ $__sf_a ]]; then builtin eval "$__sf_a"; fi; ${tell(state)}; ` +
    `builtin printf '%s %d %d\\n' "$__sf_k" "$__sf_rc" "$__sf_n" >"$__sf_r"; done`;
  return `if [[ $1 ]]; then builtin . ${memory}; fi </dev/null >/dev/null 2>&1; ${loop}`;
}

/** What a command gets for itself, and how that is undone. */
function surroundings(
  { cwd, returns, overrides, exitTrap }: ShellOrder,
): [before: string, after: string] {
  const before: string[] = [];
  const after: string[] = [];
  if (exitTrap !== undefined) before.push(exitTrap.replace(/^trap/, "__sf_trap"));
  for (const [i, [name, value]] of Object.entries(overrides).entries()) {
    before.push(
      `__sf_v${i}=\${${name}-} __sf_s${i}=\${${name}+x} __sf_x${i}=\${${name}+\${${name}@a}}`,
      `builtin export ${name}=${quote(value)}`,
    );
    after.push(
      `builtin unset -v ${name}`,
      `if [[ $__sf_s${i} ]]; then ${name}=$__sf_v${i}; fi`,
      `if [[ $__sf_x${i} == *x* ]]; then builtin export ${name}; fi`,
    );
  }
  if (cwd !== undefined) {
    if (returns) {
      before.push("__sf_w=$PWD __sf_p=${OLDPWD-}");
      after.push('builtin cd -- "$__sf_w"', "OLDPWD=$__sf_p");
    }
    before.push(`builtin cd -- ${quote(cwd)}`);
  }
  return [before.join(" && "), after.join("; ")];
}

function order(order: ShellOrder): string {
  const [before, after] = surroundings(order);
  const { report, output, mark, command } = order;
  return [report, output, mark, before, command, after].map((field) => `${field}\0`)
    .join("");
}

function read(text: string, first: string): ReportedState {
  const parts = text.split("\0");
  const [cwd = "", functions = "", aliases = "", hashed = "", exports = ""] = parts;
  const [, , , , , watched = "", exitTrap = ""] = parts;
  const [, , , , firstExports = "", firstWatched = ""] = first.split("\0");
  const variables = names(
    `${changes(exports, firstExports)}\n${changes(watched, firstWatched)}`,
    /^declare -\S+ ([A-Za-z_]\w*)/,
  );
  return {
    cwd,
    exports,
    // Ours is put back, and runs the one of the user first.
    ...(!exitTrap.includes("__sf_rc=$?") && { exitTrap: exitTrap.trimEnd() || NO_TRAP }),
    state: {
      functions: names(functions, /^declare -\S+ (.+)$/),
      aliases: names(aliases, /^alias (?:-- )?([^=]+)=/),
      programs: remembered(hashed, exports),
      variables: [...new Set(variables)].filter((name) => !OWN.has(name)),
    },
  };
}

/** Programs that the shell would take from elsewhere than the search path. */
function remembered(hashed: string, exports: string): string[] {
  const path = /^declare -x PATH="(.*)"$/m.exec(exports)?.[1]?.split(":") ?? [];
  return names(hashed, /^builtin hash -p (?:.+) (\S+)$/).filter((name) =>
    !path.some((directory) => hashed.includes(`hash -p ${directory}/${name} ${name}\n`))
  );
}

const NO_TRAP = "trap -- '' EXIT";

/** They change with every shell or every command, and change nothing that runs. */
const OWN = new Set([MARK, "PWD", "OLDPWD", "SHLVL", "_"]);

/** How bash is kept alive. */
export const persistentBash: Persistence = {
  start: (channels) => ["--noprofile", "--norc", "-c", driver(channels), "bash"],
  order,
  restore: (exports) =>
    exports.split("\n").filter((line) => !/^declare -x (PWD|SHLVL|SHELLFLOW_MARK)\b/.test(line))
      .join("\n"),
  lostByRebirth: ["options", "traps", "jobs"],
  read,
};
