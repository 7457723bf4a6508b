import { quote } from "../quote.ts";
import { changes, names } from "./changes.ts";
import type { Persistence, ReportedState, ShellChannels, ShellOrder } from "./persistence.ts";

/** The variable that marks the processes of a command, for whoever looks for them. */
const MARK = "SHELLFLOW_MARK";

/** Not exported as a rule, but each changes what a line means. */
const WATCHED =
  "IFS CDPATH GLOBIGNORE EXECIGNORE BASH_COMPAT POSIXLY_CORRECT PS4 PROMPT_COMMAND BASH_ENV ENV"
    .split(" ");

/** What the shell does at its end, short, as it is told after each command. */
const AT_EXIT = 'builtin eval "$__sf_e"';

/**
 * The report: what has become of the shell, and last how the command ended. Each builtin writes only
 * what there is, and each write costs. In an OR, so that `set -e` does not end the shell for
 * something that there is not.
 */
const tell = (kind: string, path: string) => {
  const values = WATCHED.map((name) => `"\${${name}+=$${name}}"`).join(" ");
  return `{ builtin declare -x; builtin printf '\\0%s' "=$PWD" ${values}; builtin printf '\\0'; ` +
    `builtin declare -F; builtin alias -p; builtin hash -l; builtin trap -p EXIT; ` +
    `builtin printf '\\0%s %d %d\\0\\n' "${kind}" "$__sf_rc" "$__sf_n"; } >"${path}" || [[ 1 ]]`;
};

/** Whether the driver's own descriptors are what they are to be; to ask costs less than to set them. */
const INTACT = "/dev/fd/0 -ef /dev/null && /dev/fd/1 -ef /dev/null && /dev/fd/2 -ef /dev/null";

/**
 * A read loop in bash, on one line, so that `line N` in a message counts within the command.
 *
 * - `builtin` stands before whatever a function could shadow, and keywords where one will do. A
 *   function named `builtin` is unset after the command that defined it.
 * - The shell holds no descriptor of ours: a command may close all that there are.
 * - The redirections stand at `eval`: after it the driver's own are back, and what it is traced to
 *   goes nowhere. The `exec` after it repairs what a command closed, and lets go of its pipe, so
 *   that the report comes after all output.
 * - Whatever ends the shell (exit, set -e, a signal) runs the trap on EXIT: it keeps the state in a
 *   file and becomes a new bash in the same process, which has children, descriptors, directory and
 *   limits of the old one, reads the state back, and reports.
 * - Signals end the shell by `exit`: who dies of the signal itself runs that trap with the
 *   redirections of the command still in place.
 *
 * The fields of an order are 0 where to report, 1 the output, 2 the mark, 3 what comes before,
 * 4 what sets the last status, 5 the command, 6 what comes after.
 */
function driver({ bell, orders, memory, file, mark }: ShellChannels): string {
  const reborn = `__sf_rc=$?; builtin trap - EXIT DEBUG ERR RETURN; builtin trap : INT TERM HUP; ` +
    `if [[ $__sf_t ]]; then builtin eval "$__sf_t" >"\${__sf_a[1]}" 2>&1; fi; ` +
    `builtin set +exunv; builtin exec </dev/null >/dev/null 2>&1; ` +
    `{ builtin declare -p; builtin declare -fp; builtin alias -p; builtin shopt -p; ` +
    `builtin umask -p; } >${memory}; ` +
    `${MARK}=${quote(mark)} builtin exec ${quote(file)} --norc --noprofile ` +
    `-c "$BASH_EXECUTION_STRING" bash "$__sf_n" "$__sf_rc" "\${__sf_a[0]}"`;
  const born = `builtin trap "builtin exit 130" INT; builtin trap "builtin exit 143" TERM; ` +
    `builtin trap "builtin exit 129" HUP; __sf_e=${quote(reborn)}; ` +
    `builtin trap ${quote(AT_EXIT)} EXIT; ` +
    `if [[ $1 ]]; then __sf_n=$1 __sf_rc=$2 __sf_r=$3; builtin shift 3; ` +
    `${tell("E", "$__sf_r")}; else __sf_t=; fi; `;
  const loop = `while [[ 1 ]]; do __sf_a=(); ` +
    `builtin read -r __sf_n <${bell} || { builtin trap - EXIT; builtin exit 0; }; ` +
    `builtin mapfile -d '' -n 7 -t __sf_a <${orders}; ` +
    // Nothing was read: a builtin is out of order, and the loop would spin.
    `__sf_x=\${__sf_a[6]?}; builtin export ${MARK}="\${__sf_a[2]}"; ` +
    `if [[ ! \${__sf_a[3]} ]] || builtin eval "\${__sf_a[3]}"; then __sf_k=D; ` +
    `builtin eval "\${__sf_a[4]}"; ` +
    `builtin eval -- "\${__sf_a[5]}" >"\${__sf_a[1]}" 2>&1; __sf_rc=$?; ` +
    `else __sf_k=N __sf_rc=1; fi; unset -f unset builtin; ` +
    `[[ ${INTACT} ]] || builtin exec </dev/null >/dev/null 2>&1; ` +
    `if [[ \${__sf_a[6]} ]]; then builtin eval "\${__sf_a[6]}"; fi; ` +
    `${tell("$__sf_k", "\${__sf_a[0]}")}; done`;
  return `if [[ $1 ]]; then builtin . ${memory}; fi </dev/null >/dev/null 2>&1; ${born}${loop}`;
}

/** What a command gets for itself, and how that is undone. */
function surroundings({ cwd, returns, overrides, exitTrap }: ShellOrder): [string, string] {
  const before: string[] = [];
  const after: string[] = [];
  if (exitTrap !== undefined) {
    const takeOver = `__sf_trap() { __sf_t=$2; builtin trap ${quote(AT_EXIT)} EXIT; }`;
    before.push(takeOver, exitTrap.replace(/^trap/, "__sf_trap"), "unset -f __sf_trap");
  }
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
      before.push("__sf_w=$PWD __sf_p=\${OLDPWD-}");
      after.push('builtin cd -- "$__sf_w"', "OLDPWD=$__sf_p");
    }
    before.push(`builtin cd -- ${quote(cwd)}`);
  }
  return [before.join(" && "), after.join("; ")];
}

/** What makes `$?` of the last command visible to the next, unless that would end a shell with `set -e`. */
function statusOf(status: number): string {
  if (status === 0) return "";
  return `if [[ $- != *e* ]]; then __sf_q() { builtin return ${status}; }; ` +
    `builtin trap - RETURN; __sf_q; fi`;
}

function order(order: ShellOrder): string {
  const [before, after] = surroundings(order);
  const { report, output, mark, command, status } = order;
  const fields = [report, output, mark, before, statusOf(status), command, after];
  return fields.map((field) => `${field}\0`).join("");
}

function read(text: string, first: string): ReportedState {
  const [exports = "", place = "", ...rest] = text.split("\0");
  const [firstExports = "", , ...firstRest] = first.split("\0");
  const listed = rest[WATCHED.length] ?? "";
  const exitTrap = /^trap -- .*$/ms.exec(listed)?.[0].trimEnd();
  const set = names(changes(exports, firstExports), /^declare -\S+ ([A-Za-z_]\w*)/);
  // A rebirth sets what was unset to nothing.
  const unset = (name: string, value = "") => value === "=" && name === "BASH_COMPAT" ? "" : value;
  const watched = WATCHED.filter((name, i) => unset(name, rest[i]) !== unset(name, firstRest[i]));
  return {
    cwd: place.slice(1),
    exports,
    // Ours is put back, and runs the one of the user first.
    ...(exitTrap !== OURS && { exitTrap: exitTrap ?? NO_TRAP }),
    state: {
      functions: names(listed, /^declare -f\S* (.+)$/),
      aliases: names(listed, /^alias (?:-- )?([^=]+)=/),
      programs: remembered(listed, exports),
      variables: [...new Set([...set, ...watched])].filter((name) => !OWN.has(name)),
    },
  };
}

const OURS = `trap -- ${quote(AT_EXIT)} EXIT`;
const NO_TRAP = "trap -- '' EXIT";

/** Programs that the shell would take from elsewhere than the search path. */
function remembered(text: string, exports: string): string[] {
  const path = /^declare -x PATH="(.*)"$/m.exec(exports)?.[1]?.split(":") ?? [];
  return names(text, /^builtin hash -p .+ (\S+)$/).filter((name) =>
    !path.some((directory) => text.includes(`builtin hash -p ${directory}/${name} ${name}\n`))
  );
}

/** They change with every shell or every command, and change nothing that runs. */
const OWN = new Set([MARK, "PWD", "OLDPWD", "SHLVL", "_"]);
const NOT_RESTORED = new RegExp(`^declare -x (?:PWD|SHLVL|${MARK})\\b`);

/** How bash is kept alive. */
export const persistentBash: Persistence = {
  start: (channels) => ["--noprofile", "--norc", "-c", driver(channels), "bash"],
  order,
  restore: (exports) =>
    exports.split("\n").filter((line) => !NOT_RESTORED.test(line)).join("\n") || ":",
  lostByRebirth: ["options", "traps", "jobs"],
  read,
};
