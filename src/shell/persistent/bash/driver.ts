import { quote } from "../../quote.ts";
import { ENDED_WITH } from "../own-complaint.ts";
import { MARK } from "../../../platform/process/mark.ts";
import type { ShellChannels } from "../persistence.ts";

/** Not exported as a rule, but each changes what a line means. */
export const WATCHED: readonly string[] =
  "IFS CDPATH GLOBIGNORE EXECIGNORE BASH_COMPAT POSIXLY_CORRECT PS4 PROMPT_COMMAND BASH_ENV ENV"
    .split(" ");

/**
 * What the shell does at its end, short, as it is told after each command. Its parameters are lost
 * anyway. What it evaluates is full of words that could be aliases.
 */
export const AT_EXIT: string =
  '\\builtin set -- "$?" ":$BASHOPTS:" "$@"; \\builtin shopt -u expand_aliases; ' +
  '\\builtin eval "$__sf_e"';

/**
 * The report: what has become of the shell, and last how the command ended. Each builtin writes only
 * what there is, and each write costs. In an OR, so that `set -e` does not end the shell for
 * something that there is not.
 */
const report = (kind: string, code: string) => {
  const values = WATCHED.map((name) => `"\${${name}+=$${name}}"`).join(" ");
  const end = (whole: string) =>
    `\\builtin printf '\\0%s\\0%s %d %d\\0\\n' "${whole}" "${kind}" "${code}" "\${__sf_a[7]}"`;
  return `{ \\builtin declare -xni; ` +
    `\\builtin printf '\\0%s' "=$PWD" "$-" "$BASHOPTS" ${values}; \\builtin printf '\\0'; ` +
    `\\builtin trap -p && \\builtin declare -F && \\builtin alias -p && \\builtin printf '\\0' && ` +
    `\\builtin hash -l && ${end("W")} || ${end("")}; }`;
};

const tell = (kind: string, path: string, otherwise: string) =>
  `${report(kind, "$__sf_rc")} >"${path}" || { ${otherwise}; \\builtin exit "$__sf_rc"; }`;

/** Report a last time, and end: the shell cannot even note the code. */
const giveUp = (code: string) =>
  `\\builtin trap - EXIT; ${
    report("L", code)
  } >"\${__sf_a[0]}" || [[ 1 ]]; \\builtin exit "${code}"`;

/** What of the driver is assigned to with each order; and its long texts, at the start of a shell. */
export const VARIABLES: readonly string[] = "a g j k o p rc t v w x y".split(" ").map((name) =>
  `__sf_${name}`
);
export const TEXTS: readonly string[] = ["__sf_e", "__sf_l", "__sf_s"];

/** All of these are as the driver needs them: what is readonly, or a number, is not. */
const ours = (variables: readonly string[]) =>
  `[[ "${variables.map((name) => `\${${name}+\${${name}@a}}`).join("")}" != *[!ax]* ]]`;

/** Where `$?` is kept of a command that made its place readonly. */
const RC = "__sf_rc${__sf_rc+${__sf_rc@a}}";

/**
 * Keep `$?`. A trap on DEBUG may skip every command of the driver (`shopt -s extdebug`), but not
 * what a redirection is expanded to: this one closes what is closed.
 */
const KEEP_CODE = `{ [[ 1 ]]; } 9<&"\${__sf_a[${RC}=$?,9]--}"`;

/** After `set -a` it is elsewhere as well. */
const EXPORTED_CODE = "[[ ${__sf_rc+${__sf_rc@a}} != x ]] || __sf_rc=$__sf_rcx";

/** Where to report, unless what sets it is skipped: that is the end of the shell, which says the code. */
const REPORT_TO = "${__sf_g:?" + ENDED_WITH + "$__sf_rc}";

/** Evaluate what is full of words that could be aliases; it begins with {@linkcode HEAR}. */
const deaf = (text: string) =>
  `__sf_o=:$BASHOPTS:; \\builtin shopt -u expand_aliases; \\builtin eval "${text}"`;
const hear = (options: string) =>
  `if [[ ${options} == *:expand_aliases:* ]]; then \\builtin shopt -s expand_aliases; fi; `;

/**
 * The signals that end a shell and come from outside, by their numbers on Linux. Those that tell of
 * its own faults are left alone: to return from them would be to fault again, for ever.
 */
export const SIGNALS: Readonly<Record<string, number>> = {
  HUP: 1,
  INT: 2,
  USR1: 10,
  USR2: 12,
  PIPE: 13,
  ALRM: 14,
  TERM: 15,
  XCPU: 24,
  XFSZ: 25,
  VTALRM: 26,
};

/** There may be no descriptor left to open anything with. */
const LAST_TRY = "\\builtin unset -f exec; \\exec <&- >&- 2>&-; " +
  `${report("L", "$__sf_rc")} >"\${__sf_a[0]}" && \\builtin trap - EXIT`;

/**
 * The way past functions named `builtin` and `unset`: in posix mode special builtins win. What that
 * mode leaves behind is set back.
 */
const unshadow = (strays: string) =>
  "__sf_o=$BASHOPTS; if [[ -o posix ]]; then unset -f builtin 2>/dev/null; " +
  "else POSIXLY_CORRECT=; unset -f unset builtin 2>/dev/null; unset -v POSIXLY_CORRECT; fi; " +
  ["expand_aliases", "inherit_errexit", "sourcepath"].map((option) =>
    `if [[ :$__sf_o: != *:${option}:* ]]; then \\builtin shopt -u ${option}; fi`
  ).join("; ") +
  "; \\builtin eval __sf_y=1; " +
  `[[ $__sf_y ]] || { trap - EXIT; __sf_y=\${__sf_y:?${ENDED_WITH}$__sf_rc}; } 2>>${strays}`;

/**
 * A read loop in bash, on one line, so that `line N` in a message counts within the command.
 *
 * - `builtin` stands before whatever a function could shadow, and keywords where one will do.
 *   Whether `builtin` still is one is tried after each command. Behind a `\\` no alias counts.
 *   Only `exec` with redirections stands alone: after `builtin` they would be undone.
 * - The shell holds no descriptor of ours: a command may close all that there are.
 * - The redirections stand at `eval`: after it the driver's own are back, and what it is traced to
 *   goes to a file that nobody reads as a rule. The `exec` after it repairs what a command closed,
 *   and lets go of its pipe, so that the report comes after all output.
 * - A command that runs `break` or `continue` does that to this loop: the report stands at its
 *   beginning, and the loop begins anew after its end.
 * - Whatever ends the shell (exit, set -e, a signal) runs the trap on EXIT: it keeps the state in a
 *   file and becomes a new bash in the same process, which has children, descriptors, directory and
 *   limits of the old one, reads the state back, and reports.
 * - Signals end the shell by `exit`: who dies of the signal itself runs that trap with the
 *   redirections of the command still in place.
 * - A shell in which a command has made a variable of the driver readonly tells the code, and ends.
 * - A line that starts nobody and changes nothing, in a shell in which nothing stands in its way, is
 *   done with as little as that takes.
 *
 * The fields of an order are 0 where to report, 1 the output, 2 the mark, 3 what comes before,
 * 4 what sets the last status, 5 the command, 6 what comes after, 7 its number, 8 the file to
 * empty in place of a report, if that is enough when it has succeeded. `__sf_k` is I while there is
 * none, R while it runs, and then what is told of it.
 */
export function driver({ bell, orders, memory, strays, file, mark }: ShellChannels): string {
  const aside = `\\exec </dev/null >>${strays} 2>&1`;
  const fetch = `\\builtin mapfile -d '' -n 9 -t __sf_a <${orders}`;
  // A command may have unset our variables.
  const again = `[[ \${__sf_a-} == /proc/* ]] || ${fetch}`;
  const undo = `if [[ \${__sf_a[6]-} ]]; then \\builtin eval "\${__sf_a[6]}"; __sf_a[6]=; fi`;
  const reborn = hear("$2") +
    `if ! ${
      ours([...VARIABLES, ...TEXTS, MARK])
    }; then [[ \${__sf_k-R} == R ]] || \\builtin set -- "\${__sf_rc-1}"; ${giveUp("$1")}; fi; ` +
    `if [[ \${__sf_k-R} == R ]]; then __sf_rc=$1; ` +
    // A signal that is not trapped, such as SEGV, leaves the redirections as they are, and no status.
    `if [[ $1 == 0 && ! /dev/fd/1 -ef ${strays} ]]; then __sf_rc=128; fi; fi; \\builtin shift 2; ` +
    // What is written may be more than a file may have.
    `\\builtin trap - EXIT DEBUG ERR RETURN; \\builtin trap : INT TERM HUP XFSZ; ` +
    `\\builtin set +exunv; ${again}; if [[ \${__sf_t-} ]]; then __sf_q() { \\builtin return "$__sf_rc"; }; ` +
    `__sf_q; \\builtin eval "$__sf_t" >"\${__sf_a[1]}" 2>&1; __sf_t=; fi; ` +
    `if [[ \${__sf_k-} != I ]]; then ${undo}; fi; ` +
    // The options first: without them, what some functions contain is no line.
    `{ \\builtin shopt -p && \\builtin declare -p && \\builtin declare -fp && ` +
    `\\builtin alias -p && \\builtin umask -p; } >|${memory} && \\builtin shopt -s execfail && ` +
    `${MARK}=${quote(mark)} \\builtin exec ${quote(file)} --norc --noprofile ` +
    `-c "\${__sf_s-$BASH_EXECUTION_STRING}" bash "$__sf_rc"; ${giveUp("$__sf_rc")}`;
  const noWayOn = `\\builtin set -- "${RC}"; ${giveUp("${!1}")}`;
  const ended = `${ours([...VARIABLES, MARK])} || { ${noWayOn}; }; ${EXPORTED_CODE}; ` +
    `if [[ \${__sf_k-} != N ]]; then __sf_k=D; fi; __sf_y=; \\builtin eval __sf_y=1; if [[ ! $__sf_y ]]; then ${
      unshadow(strays)
    }; fi; ` +
    // The driver's own descriptors are what they are to be: to ask costs less than to set them.
    `[[ /dev/fd/0 -ef /dev/null && /dev/fd/1 -ef ${strays} && /dev/fd/2 -ef ${strays} ]] || ` +
    `{ \\builtin unset -f exec; ${aside}; }; ${again}; ${undo}; ` +
    `__sf_g=\${__sf_a[0]}; ${tell("$__sf_k", REPORT_TO, LAST_TRY)}`;
  const loop = `${hear("${__sf_o-}")}while [[ 1 ]]; do if [[ \${__sf_k-} != I ]]; then ` +
    `${ended}; __sf_k=I; fi; ` +
    // A command may have set TMOUT.
    `\\builtin read -r __sf_x <${bell} || { [[ $? -gt 128 ]] || \\builtin exit; \\builtin continue; }; ` +
    // Where nothing was read a builtin is out of order, and the loop would spin.
    `__sf_k=N __sf_rc=1 __sf_a=(); ${fetch}; __sf_x=\${__sf_a[7]?} __sf_rc=0 __sf_rcx=0; ` +
    // The bell may ring twice for one order.
    `if [[ \${__sf_a[7]} == "\${__sf_j-}" ]]; then __sf_k=I; ` +
    `elif [[ \${__sf_a[8]-} ]]; then __sf_k=R __sf_j=\${__sf_a[7]}; ` +
    `\\builtin eval -- "\${__sf_a[5]}" >"\${__sf_a[1]}" 2>&1; __sf_rc=$?; ` +
    `if [[ $__sf_rc == 0 ]] && \\builtin true >"\${__sf_a[8]}"; then __sf_k=I; ` +
    `else \\builtin export ${MARK}="\${__sf_a[2]}"; fi; ` +
    `elif \\builtin export ${MARK}="\${__sf_a[2]}"; ` +
    `[[ ! \${__sf_a[3]} ]] || \\builtin eval "\${__sf_a[3]}"; then __sf_k=R __sf_j=\${__sf_a[7]} __sf_g=; ` +
    // Whose failure is no end by set -e, and nothing for a trap on ERR.
    `if [[ \${__sf_a[4]} && $- != *e* ]]; then \\builtin eval "\${__sf_a[4]}" && [[ 1 ]]; fi; ` +
    `\\builtin eval -- "\${__sf_a[5]}" >"\${__sf_a[1]}" 2>&1; ${KEEP_CODE}; ` +
    `else __sf_k=N __sf_rc=1; fi; done; ${deaf("$__sf_l")}`;
  // The trap on EXIT comes last: a state that cannot be taken over is not tried again.
  return `if [[ $1 ]]; then \\builtin . ${memory}; fi </dev/null >/dev/null 2>&1; ` +
    `${
      VARIABLES.map((name) => `${name}=\${${name}-}`).join(" ")
    } __sf_s=\${__sf_s:-$BASH_EXECUTION_STRING} ` +
    `__sf_e=${quote(reborn)} __sf_l=${quote(loop)}; ` +
    Object.entries(SIGNALS).map(([name, number]) =>
      `\\builtin trap "\\builtin exit ${128 + number}" ${name}; `
    ).join("") + `__sf_x=\${1-}; ` +
    `if [[ $1 ]]; then __sf_rc=$1; \\builtin shift; ${again}; fi; __sf_y=\${__sf_k/[!N]/E}; ` +
    `__sf_k=I; \\builtin trap ${quote(AT_EXIT)} EXIT; if [[ $__sf_x ]]; then ` +
    `${tell("$__sf_y", "${__sf_a[0]}", "\\builtin trap - EXIT")}; fi; ` +
    `${aside}; ${deaf("$__sf_l")}`;
}
