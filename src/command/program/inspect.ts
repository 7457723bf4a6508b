import type { ProgramFacts } from "../../event/analysis.ts";
import { defined } from "../../value/defined.ts";
import { UNKNOWN } from "../words/placeholders.ts";
import { knownText, mayBeOption, plainText, quoted, type Words } from "../words/word-marks.ts";
import { awkEffects } from "./script/awk.ts";
import { type Input, onlyRunsText, shellTexts, textHere } from "./code.ts";
import type { Command, Inspection, RawUse } from "./taken-apart.ts";
import { dangersOf, fetches, onlyEdits, onlyReads } from "./dangers.ts";
import { fdWords, findStarted, findUses } from "./search/find.ts";
import { chosenGlobs, foundLines } from "./search/found-names.ts";
import { type Lines, wholeLine } from "./output/output-lines.ts";
import { printedLines } from "./output/printed-lines.ts";
import { foundByGit } from "./git/git-lines.ts";
import { startedByGit } from "./git/git-starts.ts";
import { gitUses } from "./git/git-uses.ts";
import type { ParsedOptions } from "./parse-options.ts";
import {
  countUntilSure,
  givenAs,
  has,
  optionSpec,
  parseOptions,
  tarWords,
  valuesOf,
} from "./parse-options.ts";
import type { Program } from "./program-record.ts";
import type { FoundProgram, Programs } from "./programs.ts";
import { SENDS_DATA, VERB_DANGERS } from "./records/lines.ts";
import { LOCAL } from "./records/system.ts";
import { anyOf, names, pattern } from "./remembered.ts";
import { type ScriptEffects, sedEffects } from "./script/sed.ts";
import { type ShellText, startedBy, type Starting } from "./starts.ts";
import { patchedFiles, unpacked } from "./made-names.ts";
import { inFull } from "./synonyms.ts";
import { programFile, scriptFiles } from "./run-files.ts";
import { dangersIn, handsOn, textCommands } from "./text-commands.ts";
import { namedPaths, pathUses, used } from "./uses.ts";

/** Look at the marked words of one command. */
export function inspect(words: Words, programs: Programs, input: Input): Inspection {
  const found = programs.find(words);
  const spelling = plainText(words[0]);
  const run = programFile(words);
  const spelled = handsOn(found?.program) ? commandsInWords(words.slice(1), programs) : [];
  const spelledUses = spelled.flatMap(({ uses }) => uses);
  const spelledDangers = spelled.flatMap(dangersIn);
  if (found === undefined) {
    const named = words.slice(1);
    // It could unpack or decrypt them in their place.
    const uses = [...run, ...spelledUses, ...namedPaths([...named, ...unpacked(named)], "use")];
    const fetches = named.some((word) => ADDRESS.test(word) && !pattern(LOCAL).test(word));
    const name = spelling.replace(/^.*\/|\.exe$/g, "");
    // What lies in the workspace is code of its own.
    const program = { names: name, dangers: OWN_CODE.test(spelling) ? [] : VERB_DANGERS };
    const own = dangersOf(takenApart({ name, program, spec: undefined, words: named }, input));
    const sends = input.from !== undefined && named.some((word) =>
        OTHER_MACHINE.test(plainText(word))
      )
      ? [{ ...SENDS_DATA, words: [name] }]
      : [];
    const dangers = [...own, ...spelledDangers, ...sends];
    const facts = {
      known: false,
      ...isPiped(input),
      ...(fetches && { fetches }),
      ...(dangers.length > 0 && { dangers }),
    };
    return { name: spelling, facts, uses, started: [], texts: [] };
  }
  const command = takenApart(found, input);
  const { name, program } = command;
  const { started, texts } = starting(command);
  const isTransparent = onlyRunsText(command, texts) ||
    (program.starts?.transparent && started.every(({ sure }) => sure));
  const own = factsOf(command, spelling);
  const dangers = [...own.dangers ?? [], ...spelledDangers];
  const facts = {
    ...own,
    ...(dangers.length > 0 && { dangers }),
    ...(isTransparent && { transparent: true as const }),
  };
  const uses = [...usesOf(command), ...run, ...spelledUses, ...scriptFiles(command)];
  return { name, facts, uses, started, texts, command };
}

/** What the commands are that stand in words with blanks. */
export function commandsInWords(words: Words, programs: Programs): readonly Inspection[] {
  return textCommands(words, programs, (each, input) => inspect(each, programs, input));
}

/** What a command prints, or starts commands with; `undefined`: any text. */
export function linesOfCommand({ command }: Inspection, spelling: string): Lines | undefined {
  if (command === undefined) return undefined;
  const { name, program, words, sub, parsed } = command;
  const isPlain = program.syntax === "git" && parsed.options.length === 0;
  const names = sub !== undefined && isPlain ? foundByGit(sub) : undefined;
  return names ?? printedLines(command, spelling) ?? foundLines(name, words, parsed);
}

/** The words of a command with the first names of its program and of its subcommands. */
export function spelledOut(words: Words, programs: Programs): Words {
  const found = programs.find(words);
  if (found === undefined) return words;
  const { words: own, full = own } = takenApart(found, {});
  return [found.name, ...full];
}

function takenApart({ name, words, program, spec }: FoundProgram, input: Input): Command {
  const { syntax, starts, lists, commands } = program;
  const strict = starts !== undefined && starts.behind === undefined && !starts.each;
  const read = (each: Words) => {
    const plain = syntax === "find" && name !== "find" ? fdWords(each) : ownWords(each, starts);
    return parseOptions(plain, { spec, strict: commands !== undefined || strict });
  };
  const opened = syntax === "tar" ? tarWords(words) : words;
  const first = read(opened);
  const named = inFull(opened, first, program);
  const parsed = named.words === opened ? first : read(named.words);
  return {
    name,
    program,
    spec,
    words: named.words,
    full: named.full === opened ? undefined : named.full,
    input,
    parsed,
    verbs: parsed.operands.slice(0, countUntilSure(named.words, parsed))
      .map((_, at) => parsed.operands.slice(at, at + MOST_OF_A_VERB)),
    sub: commands && subcommandOf(named.words.slice(parsed.rest), commands, input),
    script: readScript(syntax, parsed),
    strict,
    isListed: has(parsed, lists) && listedNames({ program, parsed, input }) === undefined,
  };
}

/** A subcommand with what stands behind it, as a command of its own. */
function subcommandOf(
  [verb, ...words]: Words,
  commands: readonly Program[],
  input: Input,
): Command | undefined {
  const name = plainText(verb);
  const program = commands.find(({ names }) => anyOf(names).test(name));
  if (verb === undefined || program === undefined) return undefined;
  return takenApart({ name, program, spec: optionSpec(program.options ?? ""), words }, input);
}

/** The words of a program up to the option behind which a command stands, as `gdb --args`. */
function ownWords(words: Words, starts: Program["starts"]): Words {
  const { behind } = starts ?? {};
  const end = behind?.startsWith("^-")
    ? words.findIndex((word) => pattern(behind).test(plainText(word)))
    : -1;
  return end < 0 ? words : words.slice(0, end + 1);
}

function factsOf(command: Command, spelling: string): ProgramFacts {
  const { name, words, full, program, parsed } = command;
  const { inertWith = "", runs, arity } = program;
  const dangers = dangersOf({ ...command, words: full ?? words });
  const isCode = program.syntax === "language";
  const code = [command.input.text, ...isCode ? words.map(plainText) : []].join("\n");
  const named = [...new Set(code.match(NAMES))];
  const inert = program.inert &&
    parsed.operands.every((word) => pattern(inertWith).test(plainText(word)));
  // Behind leading options any word can be the subcommand.
  const [first = ""] = words;
  const verbs = (first.startsWith("-") ? words : [first]).map((word) => `${plainText(word)}:`);
  const more = names(program.arities ?? "")
    .find((each) => verbs.some((verb) => each.startsWith(verb)));
  // By the name in the record, where that is another; with subcommands without its own options.
  const before = program.commands === undefined ? 0 : parsed.rest;
  const isSpelled = full === undefined && program.syntax !== "tar";
  const as = spelling === name && before === 0 && isSpelled
    ? undefined
    : [name, ...(full ?? words).slice(before).map(knownText)];
  return {
    known: true,
    ...defined({ as }),
    ...(dangers.length > 0 && { dangers }),
    ...(dangers.length === 0 && onlyReads(command) && { reads: true }),
    ...(onlyEdits(command) && { edits: true }),
    ...(inert && { inert }),
    ...defined({ runs }),
    ...((fetches(command) || (isCode && FETCHES.test(code))) && { fetches: true }),
    ...(named.length > 0 && { names: named }),
    ...isPiped(command.input),
    ...(unpacks(command) && { unpacks: true }),
    ...(arity !== undefined &&
      { arity: more === undefined ? arity : Number(more.replace(/^.*:/, "")) }),
  };
}

/** Code that gets something from another machine. */
const FETCHES = /https?:\/\/(?!localhost\b|127\.0\.0\.1\b)/;
/** What could be the name of a file or a module in code. */
const NAMES = /(?<=["'`])[\w./-]+(?=["'`])|(?<=\b(?:import|from|use|require)[ \t(]{1,3})[\w.]+/g;

/** A path that is none of a directory of the system. */
const OWN_CODE = /^(?!\/(?:usr|s?bin|opt)\/).*\//;

/** The address of another machine, to which a program that is not known can send its input. */
const OTHER_MACHINE =
  /^(?:--?[\w-]+=)?(?:\w+:\/\/(?:[^@/?#]*@)?|(?:[\w.-]+@)?(?=[\w-]+(?:\.[\w-]+)+:\d+(?:$|\/)))(?!(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?:[:/?#]|$)|[^/?#]*@)[\w.:[-]/;

/** What a program that is not known can get something from. */
const ADDRESS = /^(?:https?|ftp):\/\//;

function isPiped({ from }: Input): Pick<ProgramFacts, "piped"> {
  return from === "pipe" ? { piped: true } : {};
}

/** The names that a command reads from its input, to read what they name, where the line tells them. */
function listedNames(
  { program, parsed, input }: Pick<Command, "program" | "parsed" | "input">,
): Words | undefined {
  const lists = valuesOf(parsed, program.lists);
  const isInput = lists.length > 0 && lists.every((list) => list === "-");
  const reads = program.operands === "read" && !parsed.unknown &&
    !has(parsed, program.writing) && !has(parsed, program.target);
  const names = isInput && reads ? wholeLine(input.lines) : undefined;
  // `tar` takes options from a list, too.
  return names?.some((name) => /^-/.test(name) || mayBeOption(name)) ? undefined : names;
}

/** Whether a command makes what an archive or a patch names. */
function unpacks(command: Command): boolean {
  const { words, program } = command;
  return program.unpacks !== undefined && !onlyReads(command) &&
    pattern(program.unpacks).test(words.map(plainText).join(" "));
}

function usesOf(command: Command): readonly RawUse[] {
  const { name, words, program, sub, parsed, script } = command;
  const patches = name === "patch" || /^(?:apply|am)$/.test(sub?.name ?? "");
  if (program.syntax === "find" && name === "find") return findUses(words);
  // A search prints what is in the files that it names.
  const named = SEARCHES.test(name) ? chosenGlobs(parsed.options) : [];
  return [
    ...pathUses(command),
    ...used(named, "read"),
    ...used(script?.writes ?? [], "write"),
    ...used(program.escape === undefined ? [] : namedByDots(command), "write"),
    ...used(program.lists === undefined ? [] : listedNames(command) ?? [], "read"),
    ...used(patches ? patchedFiles(command.input.text ?? "") : [], "write"),
    ...used(unpacks(command) && !has(parsed, program.target) ? ["."] : [], "write"),
    ...program.syntax === "git"
      ? gitUses(command, has(parsed, "C") && onlyReads(command) ? "read" : "write")
      : [],
  ];
}

/** The files that own commands of a program name, as in `.backup FILE`. */
function namedByDots({ words, input }: Command): Words {
  return [...words, input.text ?? ""].flatMap((text) =>
    [...plainText(text).matchAll(NAMED_BY_DOTS)].map(([, file = ""]) => quoted(file))
  );
}

const NAMED_BY_DOTS = /^\s*\.(?:import|output|once|backup)[ \t]+(\w[\w./-]*)/gm;

function starting(command: Command): Required<Starting> {
  const { started = [], texts = [] } = startedBySyntax(command);
  const { name, words, program, parsed, input } = command;
  const alone = program.starts?.shell && started.length + texts.length === 0;
  const typed = alone ? shellTexts([], input) : [];
  const given = givenAs(parsed, program.texts).flatMap(({ value = UNKNOWN }) => {
    // `--checkpoint-action=exec=TEXT`, and what `bind -x` and `fzf --bind` put before their text.
    const text = value.replace(/^exec=/, "");
    const behindKey = /^(?:bind|fzf)$/.test(name) ? KEYED.exec(text)?.[1] : undefined;
    return [text, behindKey ?? []].flat();
  });
  // `npm pkg set scripts.test=TEXT`.
  const stored = /^(?:npm|pnpm|yarn)$/.test(name)
    ? words.flatMap((word) => /^scripts[^\w=][^=]*=([^]+)$/.exec(word)?.[1] ?? [])
    : [];
  const more = [...given, ...stored].map((word): ShellText => ({ text: knownText(word) }));
  return { started, texts: [...texts, ...typed, ...more] };
}

/** What stands behind the name of a key, without the quotes around it. */
const KEYED = /^[^:]*:\s*"?(\S[^]*?)"?$/;

function startedBySyntax(command: Command): Starting {
  const { name, words, program: { syntax }, input, parsed } = command;
  if (syntax === "git") return startedByGit(command);
  if (syntax === "find") return { started: findStarted(name, words) };
  if (syntax === "shell") return { texts: shellTexts(words, input) };
  const here = /^(?:eval|trap|alias|source|\.)$/.test(name);
  if (here) return { texts: textHere(name, words, input) };
  return startedBy(command, parsed);
}

function readScript(syntax: Program["syntax"], parsed: ParsedOptions): ScriptEffects | undefined {
  if (syntax !== "sed" && syntax !== "awk") return undefined;
  const { options, operands, unknown } = parsed;
  const given = options.filter(({ name }) => name === "e").map(({ value }) => value ?? "");
  // A script in a file, or an option that may be misread.
  const included = syntax === "awk" ? valuesOf(parsed, "i") : [];
  const hidden = unknown || has(parsed, syntax === "sed" ? "f" : "f l E") ||
    included.some((library) => library !== "inplace");
  const script = given.length > 0 ? given.join("\n") : hidden ? undefined : operands[0];
  const read = syntax === "sed" ? sedEffects : awkEffects;
  const effects = script === undefined ? { runs: false } : read(script);
  return { ...effects, runs: hidden || effects.runs };
}

/** No verb of a record has more words. */
const MOST_OF_A_VERB = 4;
const SEARCHES = /^(?:[ef]?grep|rg|ag|ack)$/;
