import { quote } from "../quote.ts";
import { changes, names } from "./changes.ts";
import { foreignExitTrap, takingOver } from "./exit-trap.ts";
import { ENDED_WITH } from "./own-complaint.ts";
import { MARK } from "../../platform/process/mark.ts";
import { isDriverVariable, OWN, STATUS_FUNCTION } from "./own-names.ts";
import type { Persistence, ReportedState, ShellChannels, ShellOrder } from "./persistence.ts";
import { keptValue, type Reach, statusOf, surroundings } from "./surroundings.ts";

/** Not exported as a rule, but each changes what a line means. */
const WATCHED = "IFS CDPATH FPATH MODULE_PATH NULLCMD READNULLCMD PS4 ENV".split(" ");

/** What the shell does at its end, short, as it is told after each command. */
const AT_EXIT = '\\builtin eval "$__sf_e"';

/** The report, as that of bash. */
const tell = (kind: string, otherwise: string) => {
  // Its IFS has a NUL in it, unless something is set.
  const values = WATCHED.map((name) => `"\${${name}+=\${(q)${name}}}"`).join(" ");
  const report = `{ \\builtin export -p; \\builtin printf '\\0%s' "=$PWD" "$-" ${values}; ` +
    `\\builtin printf '\\0'; \\builtin trap; \\builtin printf '\\0'; \\builtin typeset +f; ` +
    `\\builtin alias -L; \\builtin printf '\\0%s %d %d\\0\\n' "${kind}" "$__sf_rc" ` +
    `"\${__sf_a[n]}"; } >"\${__sf_a[r]}"`;
  return `${report} || { ${otherwise.replace("REPORT", report)}; \\builtin exit "$__sf_rc"; }`;
};

/** There may be no descriptor left to open anything with. */
const LAST_TRY =
  "\\builtin unset -f exec; \\exec <&- >&- 2>&-; __sf_k=L; REPORT && \\builtin trap - EXIT";

/**
 * A read loop in zsh: that of bash, but for what zsh does in another way.
 *
 * - A line that breaks off (a quote without end, a name that is not set) would break off the loop
 *   as well, and end the shell without a trap: the `always` block makes it go on.
 * - A trap on EXIT runs with the redirections of the command.
 * - An order is a list of names and values, as words do not depend on where lists begin to count.
 */
function driver({ bell, orders, memory, strays, file, mark }: ShellChannels): string {
  const aside = `\\builtin unfunction exec 2>/dev/null; \\exec </dev/null >/dev/null 2>&1`;
  const fetch = `__sf_x="$(<${orders})" && \\builtin typeset -gA __sf_a && ` +
    `__sf_a=("\${(@0)__sf_x}")`;
  const again = `[[ "\${__sf_a[r]-}" == /proc/* ]] || { ${fetch}; }`;
  const undo = `if [[ -n "\${__sf_a[z]-}" ]]; then \\builtin eval "\${__sf_a[z]}"; __sf_a[z]=; fi`;
  const reborn = `__sf_y=$?; if [[ "\${__sf_k-R}" == R ]]; then __sf_rc=$__sf_y; fi; ` +
    `\\builtin trap - EXIT ZERR DEBUG; \\builtin trap : INT TERM HUP XFSZ; ` +
    `\\builtin set +exuv; ${again}; if [[ -n "\${__sf_t-}" ]]; then ` +
    `__sf_q() { \\builtin return "$__sf_rc"; }; __sf_q; ` +
    `\\builtin eval "$__sf_t" >"\${__sf_a[o]}" 2>&1; __sf_t=; fi; ` +
    `${aside}; if [[ "\${__sf_k-}" != I ]]; then ${undo}; fi; ` +
    `{ \\builtin typeset -p; \\builtin functions; \\builtin alias -L; ` +
    `\\builtin print -r -- "umask $(\\builtin umask)"; ` +
    `\\builtin print -rl -- 'argv=()' "__sf_k=E$__sf_k"; } >|${memory} && ` +
    // Where it cannot be executed, it ends at once.
    `\\builtin print -r -- "zsh: __sf_rc: ${ENDED_WITH}$__sf_rc" >>${strays} || ` +
    `\\builtin exit "$__sf_rc"; ` +
    `${MARK}=${quote(mark)} \\builtin exec ${
      quote(file)
    } -f -c "\${__sf_c-$ZSH_EXECUTION_STRING}" ` +
    `zsh reborn`;
  const ended =
    // What follows a command could not even note its code.
    `if [[ "\${__sf_k-}" == R ]]; then \\builtin exit 1; fi; if [[ "\${__sf_k-}" != N ]]; then __sf_k=D; fi; __sf_y=; ` +
    `\\builtin eval __sf_y=1; [[ -n $__sf_y ]] || { unset -f builtin; unfunction builtin; ` +
    `\\builtin eval __sf_y=1; ` +
    `[[ -n $__sf_y ]] || { exit "$__sf_rc"; __sf_y="\${__sf_y:?}"; }; }; ` +
    `[[ /dev/fd/0 -ef /dev/null && /dev/fd/1 -ef /dev/null && /dev/fd/2 -ef /dev/null ]] || ` +
    `{ ${aside}; }; ${again}; ${undo}; ${tell("$__sf_k", LAST_TRY)}; __sf_k=I`;
  const loop = `while [[ 1 == 1 ]]; do if [[ "\${__sf_k-}" != I ]]; then ${ended}; fi; ` +
    `\\builtin read -r __sf_x <${bell} || \\builtin exit; ` +
    `__sf_k=N; ${fetch}; __sf_x="\${__sf_a[z]?}" __sf_rc=0; \\builtin export ${MARK}="\${__sf_a[m]}"; ` +
    `if [[ "\${__sf_a[n]}" == "\${__sf_j-}" ]]; then __sf_k=I; ` +
    `elif [[ -z "\${__sf_a[b]}" ]] || \\builtin eval "\${__sf_a[b]}"; then __sf_k=R __sf_j="\${__sf_a[n]}"; ` +
    `{ if [[ -n "\${__sf_a[s]}" && ! -o errexit ]]; then ` +
    `\\builtin eval "\${__sf_a[s]}" && [[ 1 == 1 ]]; fi; ` +
    `\\builtin eval -- "\${__sf_a[c]}" >"\${__sf_a[o]}" 2>&1; } ` +
    `always { __sf_rc=$? __sf_k=D TRY_BLOCK_ERROR=0; }; ` +
    `else __sf_k=N __sf_rc=1; fi; done; \\builtin eval "$__sf_l"`;
  return `__sf_k=I __sf_c="$ZSH_EXECUTION_STRING"; if [[ -n "\${1-}" ]]; then \\builtin . ${memory}; ` +
    `[[ $__sf_k == E* ]] || \\builtin exit 1; __sf_rc=$__sf_rc; fi </dev/null >/dev/null 2>&1; ` +
    `\\builtin trap "\\builtin exit 130" INT; \\builtin trap "\\builtin exit 143" TERM; ` +
    `\\builtin trap "\\builtin exit 129" HUP; __sf_e=${quote(reborn)}; __sf_l=${quote(loop)}; ` +
    `\\builtin trap ${quote(AT_EXIT)} EXIT; __sf_y="$__sf_k" __sf_k=I; ` +
    `if [[ $__sf_y == E* ]]; then case $__sf_y in EN) __sf_y=N;; *) __sf_y=E;; esac; ${
      tell("$__sf_y", "\\builtin trap - EXIT")
    }; fi; ` +
    `exec </dev/null >/dev/null 2>&1; \\builtin eval "$__sf_l"`;
}

const VALUE = keptValue("\\builtin export", "\\builtin unset");

const REACH: Reach = {
  cd: "\\builtin cd -q --",
  // What is an array or a number cannot be told without a copy of the shell.
  put: (own) => [
    `__sf_d${own.i}=`,
    `\\builtin test "\${\${(t)${own.name}-scalar}%%-*}" = scalar || ` +
    `__sf_d${own.i}="$(\\builtin typeset -p ${own.name})"`,
    `\\builtin eval "\${__sf_d${own.i}:+\\\\builtin unset ${own.name}}"`,
    ...VALUE.put(own),
  ],
  takeBack: (own) => [
    `\\builtin eval "\${__sf_d${own.i}:+__sf_s${own.i}=}"`,
    ...VALUE.takeBack(own),
    `\\builtin eval "\${__sf_d${own.i}-}"`,
  ],
};

function order(order: ShellOrder): string {
  const { number, report, output, mark, command, status, exitTrap } = order;
  const [before, after] = surroundings(order, REACH);
  const putBack = `\\builtin trap ${quote(AT_EXIT)} EXIT`;
  const fields = {
    n: String(number),
    r: report,
    o: output,
    m: mark,
    b: takingOver(exitTrap, { putBack, before }),
    s: statusOf(status, "\\builtin return"),
    c: command,
    z: after,
  };
  return Object.entries(fields).flat().join("\0");
}

function read(text: string, first: string): ReportedState {
  const [exports = "", place = "", , ...rest] = text.split("\0");
  const [firstExports = "", , , ...firstRest] = first.split("\0");
  const [traps = "", listed = ""] = rest.slice(WATCHED.length);
  const [, firstListed = ""] = firstRest.slice(WATCHED.length);
  const exitTrap = foreignExitTrap(traps, quote(AT_EXIT));
  const set = names(
    changes(exports, firstExports),
    /^(?:export|typeset) (?:-\S+ )*([A-Za-z_]\w*)/,
    isDriverVariable,
  );
  const watched = WATCHED.filter((_, i) => rest[i] !== firstRest[i]);
  const now = changes(listed, firstListed);
  return {
    cwd: place.slice(1),
    exports,
    ...(exitTrap !== undefined && { exitTrap }),
    // What a trap on the end prints is in the pipe of the command.
    quiet: false,
    state: {
      functions: names(now, /^([^\s=]+)$/, (name) => name === STATUS_FUNCTION),
      aliases: names(now, /^alias (?:-\S+ )*(?:-- )?([^=]+)=/),
      variables: [...new Set([...set, ...watched])].filter((name) => !OWN.has(name)),
    },
  };
}

const NOT_RESTORED = new RegExp(`^export (?:-\\S+ )*(?:PWD|OLDPWD|SHLVL|${MARK}|__sf_\\w+)\\b`);

/** How zsh is kept alive. */
export const persistentZsh: Persistence = {
  start: (channels) => ["-f", "-c", driver(channels), "zsh"],
  order,
  restore: (exports) =>
    exports.split("\n").filter((line) => !NOT_RESTORED.test(line)).join("\n") || ":",
  lostByRebirth: ["options", "traps", "jobs"],
  read,
};
