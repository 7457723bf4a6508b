import type { Danger, ProgramFacts } from "../../event/analysis.ts";
import {
  isNumber,
  isUnknown,
  knownText,
  PIPE_NAME,
  plainText,
  UNKNOWN,
} from "../words/word-marks.ts";
import { awkEffects } from "./awk.ts";
import { type Input, isInput, languageDangers, shellTexts, textHere } from "./code.ts";
import {
  chosenGlobs,
  fdWords,
  findReads,
  findStarted,
  findUses,
  foundNames,
  tarWords,
} from "./find.ts";
import { GIT_DANGERS, type GitEffects, inspectGit } from "./git.ts";
import {
  findLong,
  givenAs,
  type GivenOption,
  optionSpec,
  type ParsedOptions,
  parseOptions,
} from "./parse-options.ts";
import type { DangerRule } from "./program-record.ts";
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

/** Look at the marked words of one command. */
export function inspect(words: readonly string[], programs: Programs, input: Input): Inspection {
  const found = programs.find(words);
  const name = plainText(words[0]);
  if (found === undefined) {
    const uses = namedPaths(words.slice(1), "use");
    return { name, facts: { known: false }, uses, started: [], texts: [] };
  }
  return new Inspector(found, input).inspection(name);
}

class Inspector {
  readonly #found: FoundProgram;
  readonly #input: Input;
  readonly #parsed: ParsedOptions;
  readonly #git: GitEffects | undefined;
  /** Its first operand ends its own words. */
  readonly #strict: boolean;
  readonly #script: ScriptEffects | undefined;
  /** The names in its lists, as patterns; `undefined` stands for a list that the line does not tell. */
  readonly #listed: readonly (string | undefined)[];
  /** The word that a synonym or a short form of a subcommand stands for. */
  readonly #full: string | undefined;

  constructor({ words, ...rest }: FoundProgram, input: Input) {
    const { program: { syntax, starts, lists }, spec } = rest;
    const opened = syntax === "tar" ? tarWords(words) : words;
    this.#input = input;
    this.#strict = starts !== undefined && starts.behind === undefined && !starts.each;
    const strict = syntax === "git" || this.#strict;
    const plain = syntax === "find" && rest.name !== "find" ? fdWords(opened) : opened;
    const parsed = parseOptions(plain, { spec, strict });
    const [verb = ""] = parsed.operands;
    this.#full = subcommand(verb, rest.program.subcommands);
    const whole = (word: string) => word === verb ? this.#full ?? word : word;
    this.#found = { ...rest, words: opened.map(whole) };
    this.#parsed = { ...parsed, operands: parsed.operands.map(whole) };
    this.#listed = givenAs(parsed, lists).flatMap((option) => listedNames(option, input));
    this.#git = syntax === "git" ? inspectGit(words, this.#parsed) : undefined;
    this.#script = this.#readScript();
  }

  inspection(spelling: string): Inspection {
    const { name, words, program } = this.#found;
    const { started = [], texts = [] } = this.#starting();
    const dangers = this.#dangers();
    const reads = this.#reads() && dangers.length === 0;
    const facts: ProgramFacts = {
      known: true,
      ...(this.#canonical(spelling)),
      ...(dangers.length > 0 && { dangers }),
      ...(reads && { reads: true }),
      ...(program.edits && !this.#parsed.unknown && { edits: true }),
      ...(program.inert && { inert: true }),
      ...(program.runs && { runs: true }),
      ...(program.starts?.transparent && started.every(({ sure }) => sure) &&
        { transparent: true }),
      ...(program.arity !== undefined && { arity: this.#arity(program.arity) }),
    };
    const { reads: read = [], writes: written = [] } = this.#script ?? {};
    const listed = this.#listed.flatMap((each) => each ?? []);
    // A search prints what is in the files that it names.
    const named = SEARCHES.test(name) ? chosenGlobs(this.#parsed.options) : [];
    const uses = program.syntax === "find" && name === "find" ? findUses(words) : [
      ...pathUses(this.#found, this.#parsed),
      ...used([...read, ...listed, ...named], "read"),
      ...used(written, "write"),
    ];
    return {
      name,
      facts,
      uses: [...uses, ...this.#git?.uses ?? []],
      started,
      texts,
      found: this.#git === undefined ? foundNames(name, words, this.#parsed) : this.#git.found,
      apart: program.starts?.apart,
    };
  }

  /** The words by the name in the record, where that is another; git without its own options. */
  #canonical(written: string): Pick<ProgramFacts, "as"> {
    const { name, words } = this.#found;
    const own = this.#git?.words ?? words;
    return written === name && own.length === words.length && this.#full === undefined
      ? {}
      : { as: [name, ...own.map(knownText)] };
  }

  #starting(): Starting {
    const { started = [], texts = [] } = this.#startedBySyntax();
    const { words, program: { texts: options, starts } } = this.#found;
    const alone = starts?.shell && started.length + texts.length === 0;
    const typed = alone ? shellTexts([], this.#input) : [];
    // `--checkpoint-action=exec=TEXT`, and what `bind -x` puts before its text.
    const given = givenAs(this.#parsed, options).map(({ value = UNKNOWN }) =>
      value.replace(/^exec=|^[^:]*:\s*"?(?=\S)|"$/g, "")
    );
    // `npm pkg set scripts.test=TEXT`.
    const stored = words.flatMap((word) => /^scripts[^\w=][^=]*=([^]+)$/.exec(word)?.[1] ?? []);
    const more = [...given, ...stored].map((word): ShellText => ({ text: knownText(word) }));
    return { started, texts: [...texts, ...typed, ...more] };
  }

  #startedBySyntax(): Starting {
    const { name, words, program: { syntax } } = this.#found;
    if (this.#git !== undefined) return this.#git;
    if (syntax === "find") return { started: findStarted(name, words) };
    if (syntax === "shell") return { texts: shellTexts(words, this.#input) };
    if (/^(?:eval|trap|alias|source|\.)$/.test(name)) {
      return { texts: textHere(name, words, this.#input) };
    }
    return startedBy(this.#found, this.#parsed);
  }

  #dangers(): readonly Danger[] {
    const { name, words, program } = this.#found;
    const { escape, arity = 1, syntax } = program;
    if (words.length === 1 && VERSION.test(words[0] ?? "")) return [];
    const own = escape === undefined ? [] : [{ ...OWN_COMMANDS, words: escape }];
    const tool = arity > 1 && syntax !== "git" ? SETTINGS : [];
    const dangers = [...program.dangers ?? [], ...own, ...tool].flatMap((rule) =>
      this.#danger(rule) ?? []
    );
    const { from, text, stored } = this.#input;
    if (escape !== undefined && anyCase(escape).test(text ?? "")) {
      dangers.push({ ...OWN_COMMANDS, words: [] });
    }
    const piped = from === "pipe" && text === null && !stored && escape !== undefined &&
      !words.some((word) => HAS_CODE.test(plainText(word)));
    if (piped || (program.runs && syntax === undefined && words.some(isInput))) {
      const reason = `"${name}" runs what comes through a pipe`;
      dangers.push({ name: "pipe-to-interpreter", reason, words: [] });
    }
    if (this.#listed.includes(undefined)) {
      dangers.push({ name: "list-file", reason: `"${name}" takes names from a list`, words: [] });
    }
    dangers.push(...this.#git?.dangers ?? []);
    if (syntax === "language") dangers.push(...languageDangers(name, words, this.#input));
    if (this.#script?.runs) {
      const reason = `what "${name}" runs or writes by its script is not known`;
      dangers.push({ name: "script", reason, words: [] });
    }
    return dangers;
  }

  /** The danger by a rule, with the words that make it one; `undefined` where it is none. */
  #danger(rule: DangerRule): Danger | undefined {
    const { name, reason, options, verbs, unless, words, most } = rule;
    const { operands, unknown } = this.#parsed;
    if (rule.except !== undefined && this.#isExcept(rule, names(rule.except))) return undefined;
    const spelled = [this.#found.name];
    if (options !== undefined) {
      const given = givenAs(this.#parsed, options)
        .filter(({ value }) => pattern(rule.values ?? "").test(plainText(value)));
      if (given.length === 0) return undefined;
      spelled.push(...given.map(({ word }) => plainText(word)));
    }
    if (verbs !== undefined && !hasVerbs(operands, verbs)) return undefined;
    if (unless !== undefined && !unknown && hasVerbs(operands, unless)) return undefined;
    if (words !== undefined) {
      const wanted = anyCase(words);
      const values = this.#parsed.options.flatMap(({ value }) => value ?? []);
      // What it starts has dangers of its own.
      const end = this.#strict && !unknown ? this.#parsed.rest + 1 : undefined;
      const fitting = [...values, ...this.#found.words.slice(0, end)].find((word) =>
        wanted.test(plainText(word))
      );
      if (fitting === undefined) return undefined;
      spelled.push(plainText(fitting));
    }
    return most !== undefined && operands.length > most
      ? undefined
      : { name, reason, words: spelled };
  }

  #isExcept(rule: DangerRule, alone: readonly string[]): boolean {
    const { options, operands, unknown } = this.#parsed;
    const isOther = (word: string) => isUnknown(word) && !isNumber(word);
    if (unknown || this.#found.words.some(isOther)) return false;
    const needed = rule.options === undefined ? alone.slice(0, 1) : names(rule.options);
    return options.some(({ name }) => needed.includes(name)) &&
      options.every(({ name }) => alone.includes(name)) &&
      operands.every((word) => pattern(rule.exceptOperands ?? "").test(plainText(word)));
  }

  #reads(): boolean {
    const { name, words, program } = this.#found;
    const { readOnly, readsWith, verbs, most, plain, syntax } = program;
    if (words.length === 1 && VERSION.test(words[0] ?? "")) return true;
    if (this.#git !== undefined) return this.#git.reads;
    if (syntax === "find") return findReads(name, words, this.#parsed);
    if (readsWith === undefined ? !this.#tabled() : !onlyWith(words, readsWith)) return false;
    if (
      words.some((word) => word !== PIPE_NAME && isUnknown(word)) && !program.inert &&
      !/^(?:cat|head|tail|wc|grep|ls|basename|dirname|seq|sleep)$/.test(name)
    ) return false;
    if (readOnly && givenAs(this.#parsed, readOnly).length > 0) return false;
    if (this.#script !== undefined && (this.#script.runs || this.#script.writes.length > 0)) {
      return false;
    }
    const { operands } = this.#parsed;
    if (verbs !== undefined && !hasVerbs(operands, verbs)) return false;
    if (most !== undefined && operands.length > most) return false;
    return plain === undefined || operands.every((word) => pattern(plain).test(plainText(word)));
  }

  /** Whether it has a record of reading, and all of its options are in its table. */
  #tabled(): boolean {
    const { spec, program: { readOnly, inert }, words } = this.#found;
    if (readOnly === undefined || this.#parsed.unknown) return false;
    return spec !== undefined || inert === true || onlyWith(words, "");
  }

  #arity(arity: number): number {
    const verb = plainText(this.#found.words[0]);
    const more = names(this.#found.program.arities ?? "").find((each) =>
      each.startsWith(`${verb}:`)
    );
    return more === undefined ? arity : Number(more.slice(verb.length + 1));
  }

  #readScript(): ScriptEffects | undefined {
    const { syntax } = this.#found.program;
    if (syntax !== "sed" && syntax !== "awk") return undefined;
    const { options, operands } = this.#parsed;
    const given = options.filter(({ name }) => name === "e").map(({ value }) => value ?? "");
    const elsewhere = givenAs(this.#parsed, "f i l E");
    const read = syntax === "sed" ? sedEffects : awkEffects;
    // A script in a file, or an option that may be misread.
    const hidden = this.#parsed.unknown ||
      (syntax === "sed" ? elsewhere.some(({ name }) => name === "f") : elsewhere.length > 0);
    const scripts = given.length > 0 ? [given.join("\n")] : hidden ? [] : operands.slice(0, 1);
    const effects = scripts.map(read);
    return {
      runs: hidden || effects.some(({ runs }) => runs),
      reads: effects.flatMap(({ reads }) => reads),
      writes: effects.flatMap(({ writes }) => writes),
    };
  }
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
const VERSION = /^(?:--?version|-[vV]|--help)$/;

/** Whether words have no options but some; `x?` takes what is glued to it. */
function onlyWith(words: readonly string[], list: string): boolean {
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
function hasVerbs(operands: readonly string[], verbs: string): boolean {
  return sequences(verbs).some((sequence) =>
    names(sequence).every((verb, index) =>
      verb === "*" ? operands[index] !== undefined : plainText(operands[index]) === verb
    )
  );
}
