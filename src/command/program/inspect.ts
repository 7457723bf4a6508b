import type { Danger, ProgramFacts } from "../../event/analysis.ts";
import { isUnknown, knownText, PIPE_NAME, plainText, UNKNOWN } from "../words/marks.ts";
import { awkEffects } from "./awk.ts";
import { type Input, languageDangers, shellTexts, textHere } from "./code.ts";
import { fdWords, findReads, findStarted, findUses, foundNames, tarWords } from "./find.ts";
import {
  GIT_DANGERS,
  type GitCommand,
  gitDangers,
  gitFound,
  gitReads,
  gitStarts,
  gitUses,
  readGit,
} from "./git.ts";
import { givenAs, type ParsedOptions, parseOptions } from "./options.ts";
import type { DangerRule } from "./program.ts";
import type { FoundProgram, Programs } from "./programs.ts";
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
  const name = plainText(words[0] ?? "");
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
  readonly #git: GitCommand | undefined;
  readonly #script: ScriptEffects | undefined;

  constructor(found: FoundProgram, input: Input) {
    const { name, words, program: { syntax, starts }, spec } = found;
    const opened = syntax === "tar" ? tarWords(words) : words;
    this.#found = syntax === "tar" ? { ...found, words: opened } : found;
    this.#input = input;
    const strict = syntax === "git" ||
      (starts !== undefined && starts.behind === undefined && !starts.each);
    const plain = syntax === "find" && name !== "find" ? fdWords(opened) : opened;
    this.#parsed = parseOptions(plain, { spec, strict });
    this.#git = syntax === "git" ? readGit(words, this.#parsed) : undefined;
    this.#script = this.#readScript();
  }

  inspection(spelling: string): Inspection {
    const { name, words, program } = this.#found;
    const { syntax } = program;
    const { started, texts } = this.#starting();
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
    const uses = syntax === "find" && name === "find"
      ? findUses(words)
      : [...pathUses(this.#found, this.#parsed), ...used(read, "read"), ...used(written, "write")];
    return {
      name,
      facts,
      uses: this.#git === undefined ? uses : [...uses, ...gitUses(this.#git)],
      started,
      texts,
      found: this.#git === undefined ? foundNames(name, words, this.#parsed) : gitFound(this.#git),
      apart: program.starts?.apart,
    };
  }

  /** The words by the name in the record, where that is another; git without its own options. */
  #canonical(written: string): Pick<ProgramFacts, "as"> {
    const { name, words } = this.#found;
    const { verb } = this.#git ?? {};
    const rest = this.#git === undefined
      ? words
      : [...(verb === undefined ? [] : [verb]), ...this.#git.words];
    return written === name && rest.length === words.length
      ? {}
      : { as: [name, ...rest.map(knownText)] };
  }

  #starting(): Starting {
    const { started, texts } = this.#startedBySyntax();
    const { texts: options } = this.#found.program;
    const given = givenAs(this.#parsed, options);
    // `--checkpoint-action=exec=TEXT`, and what `bind -x` puts before its text.
    const more = given.map(({ value = UNKNOWN }): ShellText => ({
      text: knownText(value)?.replace(/^exec=|^[^:]*:\s*"?(?=\S)|"$/g, "") ?? null,
    }));
    return { started, texts: [...texts, ...more] };
  }

  #startedBySyntax(): Starting {
    const { name, words, program: { syntax } } = this.#found;
    if (this.#git !== undefined) return gitStarts(this.#git);
    if (syntax === "find") return { started: findStarted(name, words), texts: [] };
    if (syntax === "shell") return { started: [], texts: shellTexts(words, this.#input) };
    if (/^(?:eval|trap|alias|source|\.)$/.test(name)) {
      return { started: [], texts: textHere(name, words, this.#input) };
    }
    return startedBy(this.#found, this.#parsed);
  }

  #dangers(): readonly Danger[] {
    const { name, words, program } = this.#found;
    const { escape, arity = 1, syntax } = program;
    if (words.length === 1 && VERSION.test(words[0] ?? "")) return [];
    const own = escape === undefined ? [] : [{ ...OWN_COMMANDS, words: escape }];
    const tool = arity > 1 && syntax !== "git" ? [SETTINGS] : [];
    const dangers = [...program.dangers ?? [], ...own, ...tool].flatMap((rule): Danger[] => {
      const spelled = this.#spells(rule);
      return spelled === undefined
        ? []
        : [{ name: rule.name, reason: rule.reason, words: spelled }];
    });
    if (escape !== undefined && new RegExp(escape, "i").test(this.#input.text ?? "")) {
      dangers.push({ ...OWN_COMMANDS, words: [] });
    }
    if (this.#git !== undefined) dangers.push(...gitDangers(this.#git));
    if (syntax === "language") dangers.push(...languageDangers(name, words, this.#input));
    if (this.#script?.runs) {
      const reason = `what "${name}" runs or writes by its script is not known`;
      dangers.push({ name: "script", reason, words: [] });
    }
    return dangers;
  }

  /** The words that make a rule about dangers hold; `undefined` where it does not. */
  #spells(rule: DangerRule): readonly string[] | undefined {
    const { options, verbs, unless, words, most } = rule;
    const { operands, unknown } = this.#parsed;
    if (rule.except !== undefined && this.#isExcept(rule, rule.except.split(" "))) return undefined;
    const spelled = [this.#found.name];
    if (options !== undefined) {
      const given = givenAs(this.#parsed, options);
      if (given.length === 0) return undefined;
      spelled.push(...given.map(({ word }) => plainText(word)));
    }
    if (verbs !== undefined && !hasVerbs(operands, verbs)) return undefined;
    if (unless !== undefined && !unknown && hasVerbs(operands, unless)) return undefined;
    if (words !== undefined) {
      const pattern = new RegExp(words, "i");
      const values = this.#parsed.options.flatMap(({ value }) => value ?? []);
      const fitting = [...operands, ...values, ...this.#found.words].find((word) =>
        pattern.test(plainText(word))
      );
      if (fitting === undefined) return undefined;
      spelled.push(plainText(fitting));
    }
    return most !== undefined && operands.length > most ? undefined : spelled;
  }

  #isExcept({ exceptOperands, exceptValues }: DangerRule, names: readonly string[]): boolean {
    const { options, operands, unknown } = this.#parsed;
    if (unknown || this.#found.words.some(isUnknown)) return false;
    const fit = (words: readonly string[], expression = "") =>
      words.every((word) => new RegExp(expression).test(plainText(word)));
    return options.some(({ name }) => name === names[0]) &&
      options.every(({ name }) => names.includes(name)) && fit(operands, exceptOperands) &&
      fit(options.flatMap(({ value }) => value ?? []), exceptValues);
  }

  #reads(): boolean {
    const { name, words, program } = this.#found;
    const { readOnly, verbs, most, plain, syntax } = program;
    if (words.length === 1 && VERSION.test(words[0] ?? "")) return true;
    if (this.#git !== undefined) return gitReads(this.#git);
    if (syntax === "find") return findReads(name, words, this.#parsed);
    if (readOnly === undefined || this.#parsed.unknown) return false;
    if (
      words.some((word) => word !== PIPE_NAME && isUnknown(word)) && !program.inert &&
      !/^(?:cat|head|tail|wc|grep|ls|basename|dirname|seq|sleep)$/.test(name)
    ) return false;
    if (readOnly !== "" && givenAs(this.#parsed, readOnly).length > 0) return false;
    if (this.#script !== undefined && (this.#script.runs || this.#script.writes.length > 0)) {
      return false;
    }
    const { operands } = this.#parsed;
    if (verbs !== undefined && !hasVerbs(operands, verbs)) return false;
    if (most !== undefined && operands.length > most) return false;
    return plain === undefined || operands.every((word) => new RegExp(plain).test(plainText(word)));
  }

  #arity(arity: number): number {
    const [verb = ""] = this.#found.words.map(plainText);
    const more = this.#found.program.arities?.split(" ").find((each) =>
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

const OWN_COMMANDS = { name: "runs-program", reason: "it runs or writes by its own commands" };
/** Settings of a tool for later. */
const SETTINGS: DangerRule = {
  name: "tool-config",
  reason: "settings can name programs that are run",
  verbs: "config|configure|alias|* config|* configure",
  words: "^-{0,2}(?:set|add|edit|import|append|prepend|set-credentials)$",
};
const VERSION = /^(?:--?version|-[vV]|--help)$/;

/** Whether operands begin with one of some sequences; `*` stands for any word. */
function hasVerbs(operands: readonly string[], verbs: string): boolean {
  return verbs.split("|").some((sequence) =>
    sequence.split(" ").every((verb, index) =>
      verb === "*" ? operands[index] !== undefined : plainText(operands[index] ?? "") === verb
    )
  );
}
