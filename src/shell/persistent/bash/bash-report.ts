import { shown } from "../../../value/shown.ts";
import { changes, names, variablesIn } from "../changed-names.ts";
import { isLoopVariable, type ReportedState } from "../persistent-dialect.ts";
import { bashLoop } from "./bash-loop.ts";

/** Not exported as a rule, but each changes what a line means; in the order of the report. */
const WATCHED = [
  "IFS",
  "CDPATH",
  "GLOBIGNORE",
  "EXECIGNORE",
  "BASH_COMPAT",
  "POSIXLY_CORRECT",
  "PS4",
  "PROMPT_COMMAND",
  "BASH_ENV",
  "ENV",
];

/** What prints the fields of a report, as the loop does. */
export const REPORT: string =
  /\\builtin declare -xni.*?\$'\\n'(?=; \} >@state@)/.exec(bashLoop)?.[0] ?? "";

/** The trap of the loop, as `trap -p` shows it, before and after the path in it. */
const [OWN_TRAP = "", OWN_TRAP_END = ""] = `trap -- ${
  /trap ('[^']*') EXIT/.exec(bashLoop)?.[1]
} EXIT`.split("@state@");

/** What a report says of the shell, and what of it has changed since the first one. */
export function readBashReport(
  fields: readonly string[],
  firstFields: readonly string[],
): ReportedState {
  const now = partsOf(fields);
  const before = partsOf(firstFields);
  const changed = changes(now.variables, before.variables);
  const watched = WATCHED.filter((_, i) => now.watched[i] !== before.watched[i]);
  return {
    interrupt: INTERRUPT.exec(now.listed)?.[0],
    exports: now.variables.split("\n").filter((line) => !NOT_EXPORTED.test(line)).join("\n"),
    state: {
      functions: names(now.listed, /^declare -f\S* (.+)$/).filter((name) => !isLoopVariable(name)),
      aliases: names(now.listed, /^alias (?:-- )?([^=]+)=/),
      programs: remembered(now.hashed, now.variables),
      variables: variablesIn(changed, /^declare -\S+ ([A-Za-z_]\w*)/, watched),
      modifiers: [
        ...traps(now.listed).map((line) => `the trap "${shown(line, { most: 40 })}"`),
        ...optionsSet(now.options, before.options).map((name) =>
          `the option "${name}" of the shell`
        ),
        ...names(changed, /^declare -(?=\S*[ni])\S* ([A-Za-z_]\w*)/)
          .filter((name) => !NUMBERS.has(name))
          .map((name) => `the variable "${name}", whose value can be code,`),
      ],
    },
  };
}

/** The fields of a state, but for the directory. */
function partsOf(fields: readonly string[]) {
  const [variables = "", listed = "", hashed = "", _place, _flags, options = "", ...watched] =
    fields;
  return { variables, listed, hashed, options, watched };
}

/** Numbers that every shell has; some change by themselves. */
const NUMBERS = new Set(
  "BASHPID EPOCHSECONDS EUID HISTCMD OPTIND PPID RANDOM SECONDS SRANDOM UID".split(" "),
);

/** What is listed for being a number or a reference, and no variable of the environment. */
const NOT_EXPORTED = /^declare -[^x\s"=]* [A-Za-z_]\w*(?:=|$)/;

/** The trap on INT, as `trap -p` shows it. */
const INTERRUPT = /^trap -- '(?:[^']|'\\'')*' SIGINT$/m;

/** The traps of commands; one that ignores a signal runs nothing. */
function traps(listed: string): string[] {
  const isOwn = (line: string) => line.startsWith(OWN_TRAP) && line.endsWith(OWN_TRAP_END);
  return listed.split("\n").filter((line) =>
    line.startsWith("trap -- ") && !line.startsWith("trap -- '' ") && !isOwn(line)
  );
}

/** Options of `shopt` that change what a line does beyond which of the files that are there it names. */
function optionsSet(now: string, before: string): string[] {
  const had = new Set(before.split(":"));
  return now.split(":").filter((name) => name !== "" && !had.has(name) && !HARMLESS.has(name));
}

/** Aliases are reported one by one. */
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
