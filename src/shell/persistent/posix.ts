import { quote } from "../quote.ts";
import { changes, names } from "./changes.ts";
import { foreignExitTrap, takingOver } from "./exit-trap.ts";
import { ENDED_WITH } from "./own-complaint.ts";
import { MARK } from "../../platform/process/mark.ts";
import { isDriverVariable, OWN } from "./own-names.ts";
import type { Persistence, ReportedState, ShellChannels, ShellOrder } from "./persistence.ts";
import { keptValue, type Reach, statusOf, surroundings } from "./surroundings.ts";

/** Not exported as a rule, but each changes what a line means. */
const WATCHED = "IFS CDPATH PS4 ENV".split(" ");

/** What the shell does at its end, short, as it is told after each command. */
const AT_EXIT = '\\eval "$__sf_e"';

/** The report, as that of bash; no sh tells the names of its functions. */
const tell = (kind: string, otherwise: string) => {
  const values = WATCHED.map((name) => `"\${${name}+=$${name}}"`).join(" ");
  const report = `{ \\export -p; \\command printf '\\0%s' "=$PWD" "$-" ${values}; ` +
    `\\command printf '\\0'; \\trap; \\command printf '\\0'; \\command alias; ` +
    `\\command printf '\\0%s %d %d\\0\\n' "${kind}" "$__sf_rc" "\${__sf_n-}"; } >"\${__sf_r-}"`;
  return `${report} || { ${otherwise.replace("REPORT", report)}; \\exit "$__sf_rc"; }`;
};

/** There may be no descriptor left to open anything with. */
const LAST_TRY = "\\exec <&- >&- 2>&-; __sf_k=L; REPORT && \\trap - EXIT";

/**
 * A read loop in the language of POSIX, as that of bash, but for what a plain sh does in another way.
 *
 * - No function can stand before a special builtin (eval, exec, exit, export, trap, unset and others);
 *   before the rest stands `command`, and a function of that name is unset after the command that
 *   defined it.
 * - Behind `command`, an `eval` of a line that breaks off is an error and not the end of the shell.
 * - An order is a file to run, as nothing reads to a NUL: it sets variables.
 * - Functions cannot be shown, and do not outlive the shell.
 */
function driver({ bell, orders, memory, strays, file, mark }: ShellChannels): string {
  const aside = `\\command exec </dev/null >>${strays} 2>&1`;
  const again = `case \${__sf_r-} in /proc/*) ;; *) \\. ${orders};; esac`;
  const undo = `\\eval "\${__sf_z-}"; __sf_z=`;
  const reborn = `__sf_y=$?; case \${__sf_k-R} in R) __sf_rc=$__sf_y;; esac; ` +
    `\\trap - EXIT; \\trap : INT TERM HUP XFSZ; \\set +euxv; \\unset -f command; ${again}; ` +
    `case \${__sf_t-} in ?*) __sf_q() { \\return "$__sf_rc"; }; __sf_q; ` +
    `\\eval "$__sf_t" >"$__sf_o" 2>&1; __sf_t=;; esac; ` +
    `\\command exec </dev/null >/dev/null 2>&1; case \${__sf_k-} in I) ;; *) ${undo};; esac; ` +
    `{ \\set; \\export -p; \\command alias | ` +
    `while IFS= \\command read -r __sf_x; do \\command printf 'alias %s\\n' "$__sf_x"; done; ` +
    `\\command printf 'umask %s\\n' "$(\\command umask)"; \\command printf '%s\\n' "__sf_k=E$__sf_k"; ` +
    `} >|${memory} && ` +
    // Where it cannot be executed, it ends at once.
    `\\command printf '%s\\n' "sh: __sf_rc: ${ENDED_WITH}$__sf_rc" >>${strays} || ` +
    `\\exit "$__sf_rc"; ` +
    `${MARK}=${quote(mark)} \\exec ${quote(file)} -c "$__sf_d" sh reborn`;
  const ended = `case \${__sf_k-} in N) ;; *) __sf_k=D;; esac; \\unset -f command; ${aside}; ` +
    `${again}; ${undo}; ${tell("$__sf_k", LAST_TRY)}; __sf_k=I`;
  const loop = `while \\:; do case \${__sf_k-} in I) ;; *) ${ended};; esac; ` +
    `\\command read -r __sf_x <${bell} || \\exit; ` +
    `__sf_k=N; \\. ${orders}; __sf_rc=0; \\export ${MARK}="$__sf_m"; ` +
    `case $__sf_n in "\${__sf_j-}") __sf_k=I; \\continue;; esac; ` +
    `if \\eval "$__sf_b"; then __sf_k=R __sf_j=$__sf_n; ` +
    `case $- in *e*) ;; *) \\eval "$__sf_s" && \\:;; esac; ` +
    `\\command eval "$__sf_c" >"$__sf_o" 2>&1; __sf_rc=$? __sf_k=D; ` +
    `else __sf_k=N __sf_rc=1; fi; done; \\eval "$__sf_l"`;
  const body = `__sf_k=I; case \${1-} in ?*) \\. ${memory}; ` +
    `case $__sf_k in E*) __sf_rc=$__sf_rc;; *) \\exit 1;; esac;; esac </dev/null >/dev/null 2>&1; ` +
    `\\trap "\\exit 130" INT; \\trap "\\exit 143" TERM; \\trap "\\exit 129" HUP; ` +
    `__sf_e=${quote(reborn)}; __sf_l=${quote(loop)}; \\trap ${quote(AT_EXIT)} EXIT; ` +
    `__sf_y=$__sf_k __sf_k=I; case $__sf_y in E*) case $__sf_y in EN) __sf_y=N;; *) __sf_y=E;; esac; ` +
    `\\set --; ${tell("$__sf_y", "\\trap - EXIT")};; esac; ${aside}; ` +
    `\\eval "$__sf_l"`;
  return `__sf_d=${quote(body)}; \\eval "$__sf_d"`;
}

const REACH: Reach = { ...keptValue("\\export", "\\unset"), cd: "\\command cd --" };

function order(order: ShellOrder): string {
  const { number, report, output, mark, command, status, exitTrap } = order;
  const [before, after] = surroundings(order, REACH);
  const putBack = `\\trap ${quote(AT_EXIT)} EXIT`;
  const fields = {
    n: String(number),
    r: report,
    o: output,
    m: mark,
    b: takingOver(exitTrap, { putBack, before }),
    s: statusOf(status, "\\return"),
    c: command,
    z: after,
  };
  return Object.entries(fields).map(([name, value]) => `__sf_${name}=${quote(value)}\n`).join("");
}

function read(text: string, first: string): ReportedState {
  const [exports = "", place = "", options = "", ...rest] = text.split("\0");
  const [firstExports = "", , , ...firstRest] = first.split("\0");
  const [traps = "", aliases = ""] = rest.slice(WATCHED.length);
  const exitTrap = foreignExitTrap(traps, quote(AT_EXIT));
  const set = names(
    changes(exports, firstExports),
    /^(?:export|declare -\S+) ([A-Za-z_]\w*)/,
    isDriverVariable,
  );
  const watched = WATCHED.filter((_, i) => rest[i] !== firstRest[i]);
  return {
    cwd: place.slice(1),
    exports,
    ...(exitTrap !== undefined && { exitTrap }),
    quiet: !/[xv]/.test(options),
    state: {
      aliases: names(aliases, /^(?:alias )?([^=]+)=/),
      variables: [...new Set([...set, ...watched])].filter((name) => !OWN.has(name)),
    },
  };
}

const NOT_RESTORED = new RegExp(`^(?:export|declare -x) (?:PWD|OLDPWD|SHLVL|${MARK}|__sf_\\w+)\\b`);

/** How a plain sh is kept alive. */
export const persistentPosix: Persistence = {
  start: (channels) => ["-c", driver(channels), "sh"],
  order,
  restore: (exports) =>
    exports.split("\n").filter((line) => !NOT_RESTORED.test(line)).join("\n") || ":",
  lostByRebirth: ["functions", "options", "traps", "jobs"],
  read,
};
