import type { Danger, ProgramFacts } from "../../event/analysis.ts";
import { defined } from "../../event/defined.ts";
import { PIPE_NAME, UNKNOWN, UNKNOWN_WORDS } from "../words/placeholders.ts";
import { isNumber, isUnknown, knownText, plainText, type Words } from "../words/word-marks.ts";
import { awkEffects } from "./awk.ts";
import { type Input, isInput, languageDangers, shellTexts, textHere } from "./code.ts";
import { chosenGlobs, fdWords, findReads, findStarted, findUses, foundNames } from "./find.ts";
import { GIT_DANGERS, type GitEffects, inspectGit } from "./git.ts";
import type { GivenOption, ParsedOptions } from "./parse-options.ts";
import { findLong, givenAs, has, optionSpec, parseOptions, tarWords } from "./parse-options.ts";
import type { DangerRule, Program } from "./program-record.ts";
import type { FoundProgram, Programs } from "./programs.ts";
import { anyCase, names, pattern, remembered } from "./remembered.ts";
import { type ScriptEffects, sedEffects } from "./sed.ts";
import { type ShellText, type Started, startedBy, type Starting } from "./starts.ts";
import { namedPaths, pathUses, type RawUse, used } from "./uses.ts";

/** What one command is, by the record of its program. */
export interface Inspection {
  readonly name: string;
  readonly facts: ProgramFacts;
  readonly uses: readonly RawUse[];
  readonly started: readonly Started[];
  readonly texts: readonly ShellText[];
  /** The names that it prints, or starts commands with, as patterns. */
  readonly found?: readonly string[] | undefined;
  /** What it starts has other files. */
  readonly apart?: true | undefined;
}

/** Dangers that no record names. */
const OTHER_DANGERS = ["script", "pipe-to-interpreter", "inline-code", "reads-secrets"];

/** The names of all dangers, by which a policy accepts them. */
export function dangerNames(programs: Programs): readonly string[] {
  return [...new Set([...programs.dangers(), ...GIT_DANGERS, ...OTHER_DANGERS])].sort();
}

/** A command, taken apart by the record of its program. */
interface Command extends FoundProgram {
  readonly input: Input;
  readonly parsed: ParsedOptions;
  readonly git: GitEffects | undefined;
  readonly script: ScriptEffects | undefined;
  /** Its first operand ends its own words. */
  readonly strict: boolean;
  /** The names in its lists, as patterns; `undefined` stands for a list that the line does not tell. */
  readonly listed: readonly (string | undefined)[];
  /** The word that a synonym or a short form of a subcommand stands for. */
  readonly full: string | undefined;
}

/** Look at the marked words of one command. */
export function inspect(words: Words, programs: Programs, input: Input): Inspection {
  const found = programs.find(words);
  const spelling = plainText(words[0]);
  if (found === undefined) {
    const uses = namedPaths(words.slice(1), "use");
    return { name: spelling, facts: { known: false }, uses, started: [], texts: [] };
  }
  const command = takenApart(found, input);
  const { name, program, git, parsed } = command;
  const { started, texts } = starting(command);
  const facts = factsOf(command, { spelling, sure: started.every(({ sure }) => sure) });
  return {
    name,
    facts,
    uses: usesOf(command),
    started,
    texts,
    found: git === undefined ? foundNames(name, command.words, parsed) : git.found,
    apart: program.starts?.apart,
  };
}

function takenApart({ name, words, program, spec }: FoundProgram, input: Input): Command {
  const { syntax, starts, lists, subcommands } = program;
  const opened = syntax === "tar" ? tarWords(words) : words;
  const strict = starts !== undefined && starts.behind === undefined && !starts.each;
  const plain = syntax === "find" && name !== "find" ? fdWords(opened) : ownWords(opened, starts);
  const read = parseOptions(plain, { spec, strict: syntax === "git" || strict });
  const [verb = ""] = read.operands;
  const full = subcommand(verb, subcommands);
  const whole = (word: string) => word === verb ? full ?? word : word;
  const parsed = { ...read, operands: read.operands.map(whole) };
  return {
    name,
    program,
    spec,
    words: opened.map(whole),
    input,
    parsed,
    git: syntax === "git" ? inspectGit(words, parsed) : undefined,
    script: readScript(syntax, parsed),
    strict,
    listed: givenAs(parsed, lists).flatMap((option) => listedNames(option, input)),
    full,
  };
}

/** The words of a program up to the option behind which a command stands, as `gdb --args`. */
function ownWords(words: Words, starts: Program["starts"]): Words {
  const { behind } = starts ?? {};
  const end = behind?.startsWith("^-")
    ? words.findIndex((word) => pattern(behind).test(plainText(word)))
    : -1;
  return end < 0 ? words : words.slice(0, end + 1);
}

function factsOf(
  command: Command,
  { spelling, sure }: { readonly spelling: string; readonly sure: boolean },
): ProgramFacts {
  const { name, words, program, git, parsed, full } = command;
  const { edits, inert, runs, starts, arity } = program;
  const dangers = dangersOf(command);
  const verb = `${plainText(words[0])}:`;
  const more = names(program.arities ?? "").find((each) => each.startsWith(verb));
  // By the name in the record, where that is another; git without its own options.
  const own = git?.words ?? words;
  const as = spelling === name && own.length === words.length && full === undefined
    ? undefined
    : [name, ...own.map(knownText)];
  return {
    known: true,
    ...defined({ as }),
    ...(dangers.length > 0 && { dangers }),
    ...(dangers.length === 0 && onlyReads(command) && { reads: true }),
    ...(edits && !parsed.unknown && { edits }),
    ...defined({ inert, runs }),
    ...(starts?.transparent && sure && { transparent: true }),
    ...(arity !== undefined &&
      { arity: more === undefined ? arity : Number(more.slice(verb.length)) }),
  };
}

function usesOf(command: Command): readonly RawUse[] {
  const { name, words, program, git, parsed, script, listed } = command;
  if (program.syntax === "find" && name === "find") return findUses(words);
  // A search prints what is in the files that it names.
  const named = SEARCHES.test(name) ? chosenGlobs(parsed.options) : [];
  const known = listed.flatMap((each) => each ?? []);
  return [
    ...pathUses(command, parsed),
    ...used([...script?.reads ?? [], ...known, ...named], "read"),
    ...used(script?.writes ?? [], "write"),
    ...git?.uses ?? [],
  ];
}

function starting(command: Command): Required<Starting> {
  const { started = [], texts = [] } = startedBySyntax(command);
  const { words, program, parsed, input } = command;
  const alone = program.starts?.shell && started.length + texts.length === 0;
  const typed = alone ? shellTexts([], input) : [];
  // `--checkpoint-action=exec=TEXT`, and what `bind -x` puts before its text.
  const given = givenAs(parsed, program.texts).map(({ value = UNKNOWN }) =>
    value.replace(/^exec=|^[^:]*:\s*"?(?=\S)|"$/g, "")
  );
  // `npm pkg set scripts.test=TEXT`.
  const stored = words.flatMap((word) => /^scripts[^\w=][^=]*=([^]+)$/.exec(word)?.[1] ?? []);
  const more = [...given, ...stored].map((word): ShellText => ({ text: knownText(word) }));
  return { started, texts: [...texts, ...typed, ...more] };
}

function startedBySyntax(command: Command): Starting {
  const { name, words, program: { syntax }, git, input, parsed } = command;
  if (git !== undefined) return git;
  if (syntax === "find") return { started: findStarted(name, words) };
  if (syntax === "shell") return { texts: shellTexts(words, input) };
  const here = /^(?:eval|trap|alias|source|\.)$/.test(name);
  return here ? { texts: textHere(name, words, input) } : startedBy(command, parsed);
}

function dangersOf(command: Command): readonly Danger[] {
  const { name, words, program, input, listed } = command;
  const { escape, arity = 1, syntax } = program;
  if (asksVersion(words)) return [];
  const own = escape === undefined ? [] : [{ ...OWN_COMMANDS, words: escape }];
  const tool = arity > 1 && syntax !== "git" ? SETTINGS : [];
  const dangers = [...program.dangers ?? [], ...own, ...tool]
    .flatMap((rule) => dangerBy(rule, command) ?? []);
  const add = (name: string, reason: string) => dangers.push({ name, reason, words: [] });
  const { from, text, stored } = input;
  if (escape !== undefined && anyCase(escape).test(text ?? "")) {
    add(OWN_COMMANDS.name, OWN_COMMANDS.reason);
  }
  const piped = from === "pipe" && text === null && !stored && escape !== undefined &&
    !words.some((word) => HAS_CODE.test(plainText(word)));
  const unknown = escape !== undefined && words.some((word, at) => {
    const before = plainText(words[at - 1]);
    const reads = HAS_CODE.test(before) || (name === "sqlite3" && at > 0 && !/^-/.test(before));
    return word === UNKNOWN_WORDS ? reads || from !== undefined : word[0] === UNKNOWN && reads;
  });
  if (unknown) add(OWN_COMMANDS.name, OWN_COMMANDS.reason);
  if (piped || (program.runs && syntax === undefined && words.some(isInput))) {
    add("pipe-to-interpreter", `"${name}" runs what comes through a pipe`);
  }
  if (listed.includes(undefined)) add("list-file", `"${name}" takes names from a list`);
  dangers.push(...command.git?.dangers ?? []);
  if (syntax === "language") dangers.push(...languageDangers(name, words, input));
  if (command.script?.runs) {
    add("script", `what "${name}" runs or writes by its script is not known`);
  }
  return dangers;
}

/** The danger by a rule, with the words that make it one; `undefined` where it is none. */
function dangerBy(rule: DangerRule, command: Command): Danger | undefined {
  const { parsed, parsed: { operands, unknown } } = command;
  const { name, reason, options, values = "", verbs, unless, words, most = Infinity } = rule;
  if (isExcept(rule, command) || operands.length > most) return undefined;
  if (verbs !== undefined && !hasVerbs(operands, verbs)) return undefined;
  if (unless !== undefined && !unknown && hasVerbs(operands, unless)) return undefined;
  const given = givenAs(parsed, options)
    .filter(({ value }) => pattern(values).test(plainText(value)));
  if (options !== undefined && given.length === 0) return undefined;
  const spelled = [command.name, ...given.map(({ word }) => plainText(word))];
  if (words === undefined) return { name, reason, words: spelled };
  // What it starts has dangers of its own.
  const end = command.strict && !unknown ? parsed.rest + 1 : undefined;
  const all = [
    ...parsed.options.flatMap(({ value }) => value ?? []),
    ...command.words.slice(0, end),
  ];
  const fitting = all.map(plainText).find((word) => anyCase(words).test(word));
  return fitting === undefined ? undefined : { name, reason, words: [...spelled, fitting] };
}

function isExcept(rule: DangerRule, { words, parsed }: Command): boolean {
  const { except, options, exceptOperands = "", startsKnown } = rule;
  const isOther = (word: string) =>
    isUnknown(word) && !isNumber(word) && !(startsKnown && KNOWN_START.test(plainText(word)));
  if (except === undefined || parsed.unknown || words.some(isOther)) return false;
  const alone = names(except);
  const needed = options === undefined ? alone.slice(0, 1) : names(options);
  return parsed.options.some(({ name }) => needed.includes(name)) &&
    parsed.options.every(({ name }) => alone.includes(name)) &&
    parsed.operands.every((word) => pattern(exceptOperands).test(plainText(word)));
}

/** What no option and no name of a file begins with; what follows stays one word. */
const KNOWN_START =
  /^(?:[{["]|[A-Za-z][\w-]*(?:: |=)|(?:https?:\/\/)?(?:localhost|127\.0\.0\.1)(?::\d+)?\/)[^\ue1fa\ue1fe]*$/;

function onlyReads(command: Command): boolean {
  const { name, words, program, git, script, parsed, parsed: { operands } } = command;
  const { readOnly, readsWith, verbs, most = Infinity, plain = "", syntax, inert } = program;
  if (asksVersion(words)) return true;
  if (git !== undefined) return git.reads;
  if (syntax === "find") return findReads(name, words, parsed);
  // It has a record of reading, and all of its options are in its table.
  const isTabled = readOnly !== undefined && !parsed.unknown &&
    (command.spec !== undefined || inert === true || onlyWith(words, ""));
  if (readsWith === undefined ? !isTabled : !onlyWith(words, readsWith)) return false;
  if (
    words.some((word) => word !== PIPE_NAME && isUnknown(word)) && !inert &&
    !/^(?:cat|head|tail|wc|grep|ls|basename|dirname|seq|sleep)$/.test(name)
  ) return false;
  if (has(parsed, readOnly) || script?.runs || (script?.writes ?? []).length > 0) return false;
  return (verbs === undefined || hasVerbs(operands, verbs)) && operands.length <= most &&
    operands.every((word) => pattern(plain).test(plainText(word)));
}

function readScript(syntax: Program["syntax"], parsed: ParsedOptions): ScriptEffects | undefined {
  if (syntax !== "sed" && syntax !== "awk") return undefined;
  const { options, operands, unknown } = parsed;
  const given = options.filter(({ name }) => name === "e").map(({ value }) => value ?? "");
  // A script in a file, or an option that may be misread.
  const hidden = unknown || (syntax === "sed" ? has(parsed, "f") : has(parsed, "f i l E"));
  const script = given.length > 0 ? given.join("\n") : hidden ? undefined : operands[0];
  const read = syntax === "sed" ? sedEffects : awkEffects;
  const effects = script === undefined ? { runs: false, reads: [], writes: [] } : read(script);
  return { ...effects, runs: hidden || effects.runs };
}

const SEARCHES = /^(?:[ef]?grep|rg|ag|ack)$/;
const OWN_COMMANDS = { name: "runs-program", reason: "it runs or writes by its own commands" };
const SETTING = { name: "tool-config", reason: "settings can name programs that are run" };
/** Settings of a tool for later. */
// deno-fmt-ignore
const SETTINGS: readonly DangerRule[] = [
  { ...SETTING, verbs: "config|configure|alias|* config|* configure", words: "^-{0,2}(?:set|add|edit|import|append|prepend|set-credentials)$" },
  { ...SETTING, verbs: "config * *", unless: "config get|config get-value|config show|config list|config ls|config view|config inspect|config use-context" },
];
/** Options with which a program of commands has them in its words. */
const HAS_CODE = /^(?:-[A-Za-z]*[cef]|-[cef][^-].*|--(?:command|execute|file|eval)(?:=.*)?)$/;

/** Whether words only ask what the program is. */
function asksVersion([only, ...others]: Words): boolean {
  return others.length === 0 && /^(?:--?version|-[vV]|--help)$/.test(only ?? "");
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

/** The subcommand that a word stands for, where it is another word. */
function subcommand(word: string, list: string | undefined): string | undefined {
  if (list === undefined) return undefined;
  const spec = optionSpec(list);
  const full = (spec.options.get(word) ?? findLong(plainText(word), spec))?.name;
  return full === word ? undefined : full;
}

/** The names in a list, as patterns, where the line tells them. */
function listedNames(
  { value = "-" }: GivenOption,
  { text, found }: Input,
): readonly (string | undefined)[] {
  if (plainText(value) !== "-" && !isInput(value)) return [undefined];
  if (found !== undefined) return found;
  const lines = (text ?? "-").split("\n").filter((line) => line !== "");
  // With a dash or quotes in front, a line can be more than a name.
  return lines.every((line) => /^[\w./][\w./ -]*$/.test(line)) ? lines : [undefined];
}

const sequences = remembered((verbs) => verbs.split("|"));

/** Whether operands begin with one of some sequences; `*` stands for any word. */
function hasVerbs(operands: Words, verbs: string): boolean {
  return sequences(verbs).some((sequence) =>
    names(sequence).every((verb, index) =>
      verb === "*" ? operands[index] !== undefined : plainText(operands[index]) === verb
    )
  );
}
