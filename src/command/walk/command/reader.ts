import type { ProgramFacts, StartedBy } from "../../../event/analysis.ts";
import { defined } from "../../../value/defined.ts";
import { NOTHING } from "../../program/output/output-lines.ts";
import { commandsInWords, inspect } from "../../program/inspect.ts";
import type { Inspection } from "../../program/taken-apart.ts";
import { dangersIn } from "../../program/text-commands.ts";
import type { Input } from "../../program/code.ts";
import { MOST_READINGS, type ShellText } from "../../program/starts.ts";
import { NUMBER } from "../../words/placeholders.ts";
import { isUnknown, knownText, plainText, type Words } from "../../words/word-marks.ts";
import { runBuiltin } from "../builtins.ts";
import { UNKNOWN_NAME } from "../values/names.ts";
import { otherWords } from "./other-words.ts";
import { withGiven, wordsGiven } from "./words-given.ts";
import { resolveWord } from "./resolve.ts";
import { shadowOf } from "./shadows.ts";
import { judgeScripts, noteScript } from "./written-scripts.ts";
import { held } from "../values/held.ts";
import { type After, elsewhere, type State } from "../walk-state.ts";
import { runText } from "../texts.ts";
import { noteEarly, withPrinted } from "../output/printed.ts";
import { MOST_COMMANDS } from "../findings.ts";
import { DECLARES } from "../shell-options.ts";
import type { Reading, Walker } from "../walker.ts";

/** What a call of a function does by itself; what is in the function is walked. */
const CALL: ProgramFacts = { known: true, reads: true, inert: true };
/** A command with more words than this counts as several. */
const WORDS_OF_ONE = 5;
/** What can end another process, or keep the shell from starting one. */
const STOPS = /^(?:p?kill|killall|ulimit|prlimit)$/;
/** How deep programs may start programs. */
const DEEPEST = 24;

/** Read the words of one command, and of those that it starts. */
export function readCommand(reading: Reading, words: Words): After {
  const { walk, walk: { startedBy }, assignments, state, left } = reading;
  const how = { startedBy, assignments, state, depth: 0, isShell: true };
  const inspection = read(reading, words, how);
  const ended = inspection.facts === CALL ? reading.after : withPrinted(reading, words, inspection);
  const all = left.length < words.length
    ? [...otherWords(walk, words), left]
    : otherWords(walk, words);
  for (const others of all) read(reading, others, { ...how, isShell: false });
  return ended;
}

function read(reading: Reading, words: Words, how: How): Inspection {
  const { walk, node, input } = reading;
  const { context } = walk;
  const question = (reason: string) => walk.doubt(reason, node);
  // What only sets variables is one, too: it can be there once for each of their values. Paths are
  // followed from each directory.
  context.count += Math.ceil(Math.max(words.length, 1) / WORDS_OF_ONE) * how.state.dirs.length;
  if (how.depth > DEEPEST || context.count > MOST_COMMANDS) {
    question("it starts more programs than are followed");
    return { name: "", facts: { known: false }, ...NOTHING_ELSE };
  }
  const called = how.isShell && how.depth === 0 &&
    held(how.state.values, plainText(words[0])).isFunction;
  const inspection: Inspection = called
    ? { name: plainText(words[0]), facts: CALL, ...NOTHING_ELSE }
    : inspected(words, reading);
  const index = noteCommand(reading, words, { inspection, how });
  if (words.length === 0) return inspection;
  const { name } = inspection;
  if (how.startedBy?.how === "words" && isUnknown(words[0])) question(UNKNOWN_NAME);
  if (!ANYWHERE_ALIKE.test(name)) context.moves.clear();
  notePaths(reading, inspection, how.state);
  // What a variable holds for a program can be a command.
  const values = how.assignments.flatMap(({ marked }) => context.choices.expand(marked));
  const exported = how.isShell ? textsExported(walk, words, how.state) : [];
  noteTexts(reading, [...values, ...exported], how.state);
  noteScript(reading, words, how.state);
  // What is not known can be what the line spells or computes elsewhere.
  const signals = name === "kill" && words.length > 2 && !words.includes("-0");
  // Every process is the group of 1, and a number can be any.
  const isGroup = words.slice(2).some((word) => word.startsWith(`-${NUMBER}`));
  if (signals && (walk.variables.spellsEvery ? words.some(isUnknown) : isGroup)) {
    question("it could be every process that is ended");
  }
  if (STOPS.test(name)) {
    context.leastPrinted = NOTHING;
    noteEarly(context, how.state);
  }
  if (how.isShell) runBuiltin(reading, words);
  readStarted(reading, words, { inspection, how, index });
  const shell = (text: ShellText) => {
    const after = runText(walk, text, {
      by: { command: index, name, how: "text" },
      node,
      state: text.elsewhere ? elsewhere(how.state) : how.state,
      input: { ...input, streams: reading.streams },
    });
    if (text.here && after !== undefined) reading.after = after;
  };
  inspection.texts.forEach(shell);
  if (!how.apart) judgeScripts({ reading, words, state: how.state }, inspection, shell);
  return inspection;
}

/** Note a command, and find its place among all. */
function noteCommand(
  { walk: { context }, input, redirects, span }: Reading,
  words: Words,
  { inspection: { facts }, how: { apart, startedBy, assignments: set } }: {
    readonly inspection: Inspection;
    readonly how: How;
  },
): number {
  const { seen, findings: { commands } } = context;
  const argv = words.map(knownText);
  // What it is anyway changes nothing.
  const assignments = set.flatMap(({ name, value, known }) =>
    name === "HOME" && value !== null && value === context.facts.home
      ? []
      : { name, value, ...defined({ known }) }
  );
  const sets = assignments.map(({ name, value, known }) => `${name}=${value}=${known}`);
  // In another round, or another call, the same words can have other variables and another input, or
  // be a program where they were a function.
  const by = [startedBy?.command, startedBy?.how, facts === CALL];
  const which = [span.start, span.end, ...by, sets.length, ...sets, ...keyOf(input), ...argv];
  const key = which.join("\0");
  const before = seen.get(key);
  if (before !== undefined) return before;
  const program = apart ? factsApart(facts) : facts;
  const command = { argv, assignments, redirects, span, program, ...defined({ startedBy }) };
  const index = commands.push(command) - 1;
  seen.set(key, index);
  return index;
}

/** Read the commands that one starts. */
function readStarted(
  reading: Reading,
  words: Words,
  { inspection, how, index }: {
    readonly inspection: Inspection;
    readonly how: How;
    readonly index: number;
  },
): void {
  const { walk: { context, doubt }, node } = reading;
  const { name, command } = inspection;
  // Every reading of the words behind a reading is one of the outer readings, too.
  const all = inspection.started.filter(({ sure }) => sure || how.startedBy?.how !== "reading");
  if (all.length === 0) return;
  if (all.length >= MOST_READINGS) doubt("more readings than are followed", node);
  const { uses } = context.findings;
  const before = uses.length;
  const apart = how.apart || command?.program.starts?.apart;
  const { found, sets } = wordsGiven(reading, words, { inspection, before: how.found });
  for (const started of all) {
    for (const given of sets(started.words[0])) {
      read(reading, withGiven(started.words, given), {
        found,
        startedBy: { command: index, name, how: started.sure ? "words" : "reading" },
        assignments: started.assignments ?? [],
        state: started.elsewhere ? elsewhere(how.state) : how.state,
        depth: how.depth + 1,
        apart,
        isShell: how.isShell && /^(?:command|builtin)$/.test(name),
      });
    }
    const shadow = /^(?:command|exec)$/.test(name)
      ? shadowOf(plainText(started.words[0]), context.facts.state, ["programs"])
      : undefined;
    if (shadow !== undefined) doubt(shadow, node);
  }
  // They have other files.
  if (apart) uses.splice(before);
}

/** Note what commands do that stand in texts for a program. */
export function noteTexts(
  reading: Pick<Reading, "walk" | "node" | "span">,
  texts: Words,
  state: State,
): void {
  const { walk, node } = reading;
  for (const each of commandsInWords(texts, walk.context.programs)) {
    notePaths(reading, each, state);
    for (const { reason } of dangersIn(each)) walk.doubt(reason, node);
  }
}

/** The texts that variables can hold which a builtin exports: any that the text spells. */
function textsExported({ variables }: Walker, [name = "", ...words]: Words, state: State): Words {
  const isAll = name === "set" && words.some((word) => ALL_EXPORTED.test(word));
  if (!isAll && !DECLARES.test(name)) return [];
  const own = words.flatMap((word) => [word, ...held(state.values, word).texts ?? []]);
  return [...own, ...variables.texts];
}

const ALL_EXPORTED = /^-\w*a|^allexport$/;

/** What uses no more of the directory where it runs than the paths that it names. */
const ANYWHERE_ALIKE =
  /^(?:cd|pushd|popd|pwd|echo|true|:|printf|test|\[|rm|rmdir|mkdir|touch|kill|sleep|wait|exit)$/;

/** What is found of a command whose words are not looked at. */
const NOTHING_ELSE = { uses: [], started: [], texts: [] } as const;

/** What is known of a program that runs in a container, where the environment is another one. */
function factsApart({ dangers = [], ...facts }: ProgramFacts): ProgramFacts {
  const left = dangers.filter(({ name }) => name !== "prints-secrets");
  return left.length === 0 ? facts : { ...facts, dangers: left };
}

/** What tells an input from others. */
function keyOf({ from, text, shared, lines }: Input): readonly unknown[] {
  return [from, text, shared, ...lines?.fields ?? [], ""];
}

/** A command is looked at once, in however many rounds it is walked. */
function inspected(words: Words, { input, walk }: Reading): Inspection {
  const { inspections, programs } = walk.context;
  const key = [...keyOf(input), ...words].join("\0");
  const known = inspections.get(key) ?? inspect(words, programs, input);
  inspections.set(key, known);
  return known;
}

/** Note the paths that the command names. */
function notePaths(
  { walk, node, span }: Pick<Reading, "walk" | "node" | "span">,
  { name, uses }: Inspection,
  state: State,
): void {
  const by = name.replace(/^.*\//, "");
  for (const { access, marked } of uses) {
    for (const path of resolveWord(walk.context, marked, { state, reads: access === "read" })) {
      const sure = !/^(?:use|name|load)$/.test(access) || /^(?:~|\.\.)/.test(marked);
      if (path.path === undefined && !sure) continue;
      const isHere = (dir: string) => `${plainText(dir)}/`.startsWith(`${path.path}/`);
      if (by === "mv" && access === "use" && state.dirs.some(isHere)) {
        walk.doubt("the directory that the shell is in is moved", node);
      }
      walk.context.findings.uses.push({ access, span, by, ...path });
    }
  }
}

interface How extends Pick<Reading, "assignments"> {
  readonly startedBy: StartedBy | undefined;
  /** The state of what starts it. */
  readonly state: State;
  /** The names that a program puts into the commands it starts. */
  readonly found?: readonly string[] | undefined;
  readonly depth: number;
  /** It has other files and another environment. */
  readonly apart?: true | undefined;
  /** It is run by the shell that reads the line, so a builtin is one. */
  readonly isShell: boolean;
}
