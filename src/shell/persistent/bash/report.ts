import { shown } from "../../../event/shown.ts";
import { quote } from "../../quote.ts";
import { changes, names } from "../changes.ts";
import { foreignExitTrap } from "../exit-trap.ts";
import { OWN, STATUS_FUNCTION } from "../own-names.ts";
import type { ReportedState } from "../persistence.ts";
import { AT_EXIT, SIGNALS, TEXTS, VARIABLES, WATCHED } from "./driver.ts";

/** What a report tells of the shell, and what of it has changed since the first one. */
export function read(text: string, first: string): ReportedState {
  const now = parts(text);
  const before = parts(first);
  const exitTrap = foreignExitTrap(now.listed, quote(AT_EXIT));
  const changed = changes(now.variables, before.variables);
  // A rebirth sets what was unset to nothing.
  const unset = (name: string, value = "") => value === "=" && name === "BASH_COMPAT" ? "" : value;
  const watched = WATCHED.filter((name, i) =>
    unset(name, now.watched[i]) !== unset(name, before.watched[i])
  );
  const set = names(changed, /^declare -\S+ ([A-Za-z_]\w*)/, (name) => OWN_VARIABLES.has(name));
  const functions = names(now.listed.replace(OWN_FUNCTION, ""), /^declare -f\S* (.+)$/);
  const aliases = names(now.listed, /^alias (?:-- )?([^=]+)=/);
  const modifiers = [
    ...(now.whole ? [] : ["a builtin of the shell that is switched off"]),
    ...traps(now.listed, exitTrap).map((line) => `the trap "${shown(line, { most: 40 })}"`),
    ...optionsSet(now.shopt, before.shopt).map((name) => `the option "${name}" of the shell`),
    ...names(changed, /^declare -(?=\S*[ni])\S* ([A-Za-z_]\w*)/)
      .filter((name) => !NUMBERS.has(name))
      .map((name) => `the variable "${name}", whose value can be code,`),
    ...[...functions, ...aliases].filter((name) => name.startsWith(STATUS_FUNCTION))
      .map((name) => `"${name}", which stands before what sets the last status`),
  ];
  const quiet = !/[xv]/.test(now.options) && !/^trap -- .* (?:DEBUG|ERR)$/ms.test(now.listed);
  return {
    cwd: now.place.slice(1),
    exports: now.variables.split("\n").filter((line) => !NOT_EXPORTED.test(line)).join("\n"),
    ...(exitTrap !== undefined && { exitTrap }),
    quiet,
    // A code that is kept in what is exported is not where the driver would look for it.
    literal: /^[hBcs]*$/.test(now.options) && !OWN_LISTED.test(now.variables) &&
      exitTrap === undefined && watched.length === 0 &&
      functions.length === 0 && aliases.length === 0 && modifiers.length === 0,
    state: {
      functions,
      aliases,
      programs: remembered(now.hashed, now.variables),
      variables: [...new Set([...set, ...watched])].filter((name) => !OWN.has(name)),
      modifiers,
    },
  };
}

const OWN_VARIABLES = new Set([...VARIABLES, ...TEXTS, "__sf_rcx"]);

/** Only those are listed that a command has made more of. */
const OWN_LISTED = /^declare -\S+ __sf_/m;

/** Ours, as long as it is not readonly: then it is what a command has made of it. */
const OWN_FUNCTION = new RegExp(`^declare -fx? ${STATUS_FUNCTION}\\n`, "m");

/** The fields of a report. */
function parts(report: string) {
  const [variables = "", place = "", options = "", shopt = "", ...rest] = report.split("\0");
  const [listed = "", hashed = ""] = rest.slice(WATCHED.length);
  return {
    variables,
    place,
    options,
    shopt,
    watched: rest.slice(0, WATCHED.length),
    listed,
    hashed,
    whole: rest.at(-2) === "W",
  };
}

/** Numbers that every shell has; some change by themselves. */
const NUMBERS = new Set(
  "BASHPID EPOCHSECONDS EUID HISTCMD OPTIND PPID RANDOM SECONDS SRANDOM UID".split(" "),
);

/** What is listed for being a number or a reference, and no variable of the environment. */
const NOT_EXPORTED = /^declare -[^x\s"=]* [A-Za-z_]\w*(?:=|$)/;

/** The traps that are not the driver's, and do something; the one on the end of the shell is run by the driver. */
function traps(listed: string, exitTrap: string | undefined): string[] {
  const others = exitTrap === undefined ? listed : listed.replace(`trap -- ${exitTrap} EXIT\n`, "");
  return others.split("\n").filter((line) => line.startsWith("trap -- ") && !isOurs(line));
}

const isOurs = (line: string) =>
  line.startsWith("trap -- '' ") || line === `trap -- ${quote(AT_EXIT)} EXIT` ||
  Object.entries(SIGNALS).some(([name, number]) =>
    line === `trap -- '\\builtin exit ${128 + number}' SIG${name}`
  );

/** Options of `shopt` that change what a line does beyond which of the files that are there it names. */
function optionsSet(now: string, before: string): string[] {
  const had = new Set(before.split(":"));
  return now.split(":").filter((name) => name !== "" && !had.has(name) && !HARMLESS.has(name));
}

/** Aliases are told one by one. */
const HARMLESS = new Set(
  ("autocd cdspell checkhash checkjobs checkwinsize direxpand dirspell dotglob execfail " +
    "expand_aliases failglob globskipdots globstar gnu_errfmt histappend histreedit histverify " +
    "huponexit inherit_errexit lastpipe lithist mailwarn no_empty_cmd_completion nocaseglob " +
    "nullglob").split(" "),
);

/** Programs that the shell would take from elsewhere than the search path. */
function remembered(text: string, exports: string): string[] {
  const path = /^declare -x PATH="(.*)"$/m.exec(exports)?.[1]?.split(":") ?? [];
  return names(text, /^builtin hash -p .+ (\S+)$/).filter((name) =>
    !path.some((directory) => text.includes(`builtin hash -p ${directory}/${name} ${name}\n`))
  );
}
