import type { Danger } from "../../event/analysis.ts";
import { OUTSIDE, UNKNOWN, UNKNOWN_WORDS, UNQUOTED } from "../words/placeholders.ts";
import { isPattern, isUnknown, mayBeOption, plainText, type Words } from "../words/word-marks.ts";
import { isInput, languageDangers } from "./code.ts";
import type { Command } from "./taken-apart.ts";
import { deletesAll, findReads } from "./search/find.ts";
import { configReads, gitDangers } from "./git/git-settings.ts";
import { dangerBy, hasVerbs, sharedRules } from "./danger-rules.ts";
import { has, valuesOf } from "./parse-options.ts";
import type { DangerRule } from "./program-record.ts";
import { LOCAL } from "./records/system.ts";
import { showsOnly } from "./uses.ts";
import type { Programs } from "./programs.ts";
import { names, pattern } from "./remembered.ts";

/** Dangers that no record names. */
const OTHER_DANGERS = [
  "find-delete",
  "git-unknown",
  "unknown-words",
  "script",
  "pipe-to-interpreter",
  "inline-code",
  "reads-secrets",
];

/** The names of all dangers, by which a policy accepts them. */
export function dangerNames(programs: Programs): readonly string[] {
  return [...new Set([...programs.dangers(), ...OTHER_DANGERS])].sort();
}

/** What is dangerous about a command. */
export function dangersOf(command: Command): readonly Danger[] {
  const { name, words, program, input, isListed, parsed, sub } = command;
  const { escape, arity = 1, syntax, commands } = program;
  if (asksAbout(command)) return [];
  const own = escape === undefined ? [] : [{ ...OWN_COMMANDS, words: escape }];
  const tool = arity > 1 && commands === undefined ? SETTINGS : [];
  const rules = [...program.dangers ?? [], ...own, ...tool, ...sharedRules(name)];
  const ofSub = sub?.program.dangers?.map((rule) => dangerBy(rule, sub)) ?? [];
  const dangers = [...rules.map((rule) => dangerBy(rule, command)), ...ofSub]
    .filter((found) => found !== undefined);
  const add = (name: string, reason: string) => dangers.push({ name, reason, words: [] });
  const { from, text, stored } = input;
  const hasCode = words.some((word, at) =>
    takesCode(name, plainText(word)) && plainText(words[at + 1]) !== "-"
  );
  const piped = from === "pipe" && text === null && !stored && escape !== undefined && !hasCode;
  const unknown = escape !== undefined &&
    words.some((word, at) =>
      UNKNOWN_START.test(word) && (from !== undefined || HAS_CODE.test(plainText(words[at - 1])) ||
        (name === "sqlite3" && at > 0))
    );
  if (unknown) add(OWN_COMMANDS.name, OWN_COMMANDS.reason);
  if (piped || (program.runs && syntax === undefined && words.some(isInput))) {
    add("pipe-to-interpreter", `"${name}" runs what comes through a pipe`);
  }
  if (name === "find" && deletesAll(words)) {
    const reason = '"find" deletes what it finds';
    dangers.push({ name: "find-delete", reason, words: [name, "-delete"] });
  }
  if (parsed.many || sub?.parsed.many) {
    add("unknown-words", `an option of "${name}" takes words known only at run time`);
  }
  if (isListed) add("list-file", `"${name}" takes names from a list`);
  if (syntax === "git") dangers.push(...gitDangers(command));
  if (syntax === "language") dangers.push(...languageDangers(name, words, input));
  if (command.script?.runs) {
    add("script", `what "${name}" runs or writes by its script is not known`);
  }
  return dangers;
}

/** Whether a command only reads. */
export function onlyReads(command: Command): boolean {
  return asksAbout(command) || readsOnly(command);
}

function readsOnly(command: Command): boolean {
  const { name, words, program, sub, script, parsed, parsed: { operands } } = command;
  const { readOnly, readsWith, shows, verbs, most = Infinity, plain = "", inert, commands } =
    program;
  if (program.syntax === "find") return findReads(name, words, parsed);
  // It has a record of reading, and all of its options are in its table.
  const isTabled = readOnly !== undefined && !parsed.unknown &&
    (command.spec !== undefined || inert === true || onlyWith(words, ""));
  if (readsWith === undefined ? !isTabled : !onlyWith(words, readsWith)) return false;
  const own = commands === undefined ? words : words.slice(parsed.rest);
  if (
    own.some(mayBeOption) && !inert &&
    !/^(?:cat|head|tail|wc|grep|ls|basename|dirname|seq|sleep)$/.test(name)
  ) return false;
  const isShown = shows !== undefined && showsOnly(command);
  if (shows !== undefined && most === Infinity && !isShown) return false;
  const { runs, named, writes = [] } = script ?? {};
  if (has(parsed, readOnly) || runs || named || writes.length > 0) return false;
  // A pattern can stand for many.
  const isFew = most === Infinity ||
    (operands.length <= most && !operands.some((word) => isPattern(word) || isUnknown(word)));
  // A word behind dashes is no subcommand.
  const isBehind = words.slice(0, words.indexOf(operands[0] ?? "")).includes("--");
  return (verbs === undefined || (hasVerbs(operands, verbs) && !isBehind)) && (isFew || isShown) &&
    operands.every((word) => pattern(plain).test(plainText(word))) &&
    (commands === undefined || (sub !== undefined && (readsOnly(sub) || configReads(sub))));
}

/** Whether a command gets something from another machine. */
export function fetches({ program, parsed }: Command): boolean {
  if (program.fetches === undefined) return false;
  const addresses = [...parsed.operands, ...valuesOf(parsed, "url")];
  const isLocal = (word: string) => pattern(LOCAL).test(plainText(word)) && !mayBeOption(word);
  return parsed.unknown || has(parsed, program.fetches) || addresses.length === 0 ||
    !addresses.every(isLocal);
}

/** Whether a command only changes the files that it names. */
export function onlyEdits({ name, words, parsed, program: { edits } }: Command): boolean {
  const others = words.filter((word) => plainText(word) !== "-delete");
  if (name === "find") return others.length < words.length && findReads(name, others, parsed);
  return edits !== undefined && !parsed.unknown && !has(parsed, edits);
}

const OWN_COMMANDS = { name: "runs-program", reason: "it runs or writes by its own commands" };
const SETTING = { name: "tool-config", reason: "settings can name programs that are run" };
/** Those that name no program; some tools take several at once. */
const PLAIN_SETTINGS =
  `^config (?:set (?:--local )?(?:project|compute/(?:region|zone)|fund|audit|path|without|deployment|frozen|jobs) (?!-)[^ *?[${UNQUOTED}]+(?: --(?:location=\\w+|global|quiet))*|get-contexts(?: .*)?|current-context)$`;
/** Settings of a tool for later. */
// deno-fmt-ignore
const SETTINGS: readonly DangerRule[] = [
  { ...SETTING, verbs: "config|configure|alias|* config|* configure", without: PLAIN_SETTINGS, words: "^-{0,2}(?:set|add|edit|import|append|prepend|set-credentials)$" },
  { ...SETTING, verbs: "config * *", unless: "config get|config get-value|config show|config list|config ls|config view|config inspect|config use-context", without: PLAIN_SETTINGS },
  // More of them can stand behind it.
  { ...SETTING, verbs: "config set *", words: "^--$" },
];
/** Whether an option gives a program of commands some of its own; to `psql` and `mysql` others are other options. */
function takesCode(name: string, word: string): boolean {
  const other = name === "psql" ? /^-[A-Za-z]*e/ : name === "mysql" ? /^-[A-Za-z]*[cf]/ : /^$/;
  return HAS_CODE.test(word) && !other.test(word);
}

/** What is known only at run time, and can be a text. */
const UNKNOWN_START = new RegExp(`^[${OUTSIDE}${UNKNOWN}${UNKNOWN_WORDS}]`);
/** Options with which a program of commands has them in its words. */
const HAS_CODE = /^(?:-[A-Za-z]*[cef]|-[cef][^-].*|--(?:command|execute|file|eval)(?:=.*)?)$/;

/** Programs that print their version for one letter, where others go on. */
const VERSIONS =
  /^(?:(?:node|npm|npx|pnpm|yarn|bun|deno|tsc|php|perl|ruby|docker|podman|jest|vitest|eslint|terraform|mvn|gradle|cmake|make|java|nginx) -v|(?:python|pip|cargo|rustc|tmux|ssh|curl|wget|jq|awk|psql|mysql|perl|conda|uv|poetry) -V|rustc (?:-vV|--version --verbose))$/;

/** Pages about subcommands that no alias and no plugin takes the place of. */
const TOOL_HELP = new RegExp(
  "^(?:git (?:filter-branch|mergetool)|docker (?:build|run|ps|exec|images|logs|pull|push|inspect)|cargo (?:build|test|run|check|doc|add|remove|install|new|bench|tree)|" +
    "go (?:build|test|run|vet|mod|get|install|list|work)|gh (?:pr|issue|repo|run|release|api|workflow|gist|search)(?: [a-z]+)?|" +
    "kubectl (?:get|apply|describe|logs|exec|rollout|create|delete|scale)|helm (?:install|upgrade|template|list|lint|rollback|uninstall)|" +
    "terraform (?:init|plan|apply|destroy|fmt|state|output)|pip (?:install|list|show|freeze|download)) --help$",
);

/** Whether words only ask for a version or for help; some shells read their input all the same. */
function asksAbout({ name, words, program, input }: Command): boolean {
  if (!words.at(-1)?.startsWith("-")) return false;
  const all = [name, ...words].join(" ");
  if (VERSIONS.test(all) || TOOL_HELP.test(all)) return true;
  const reads = /shell|language/.test(program.syntax ?? "") && input.from !== undefined;
  return words.length === 1 && !reads && /^--?(?:version|-help)$/.test(words[0] ?? "");
}

/** Whether words have no options but some; `x?` takes what is glued to it. */
function onlyWith(words: Words, list: string): boolean {
  const known = new Set(names(list));
  return words.every((word) => {
    const [, dashes, name = ""] = /^(--?)([^=-][^=]*)/.exec(plainText(word)) ?? [];
    if (dashes === undefined || known.has(name)) return true;
    const letters = name.replace(/\d/g, "");
    const glued = [...letters].findIndex((letter) => known.has(`${letter}?`));
    return dashes === "-" &&
      [...letters.slice(0, glued < 0 ? undefined : glued)].every((letter) => known.has(letter));
  });
}
