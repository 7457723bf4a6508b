import type { Assignment, Command, Redirection, Word } from "unbash";
import type { SimpleCommand, StartedBy } from "../../event/command.ts";
import { inspect, type Inspection } from "../program/inspect.ts";
import { expandBraces } from "../words/braces.ts";
import {
  GIVEN,
  isNumber,
  isPattern,
  isUnknown,
  knownText,
  plainText,
  quoted,
  UNKNOWN_WORDS,
} from "../words/marks.ts";
import { markWord } from "../words/word.ts";
import { moved } from "./directories.ts";
import { doubt } from "./findings.ts";
import { ARITHMETIC, INTEGERS, nameUse } from "./names.ts";
import { inputOf } from "./redirects.ts";
import { resolveWord } from "./resolve.ts";
import { shadowOf } from "./shadows.ts";
import { type After, either, type State, staying, withoutValues, withValues } from "./state.ts";
import { runText } from "./texts.ts";
import { isTracked } from "./variables.ts";
import type { Inherited, Start, Walk } from "./walk.ts";

/** Walk a simple command: what it sets, opens, runs and starts, and where it leads the shell. */
export function simple(walk: Walk, node: Command, { state, inherited }: Start): After {
  const parts = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  const isRedirection = (part: typeof parts[number]): part is Redirection =>
    part.type !== "Word" && part.type !== "Assignment";
  const opened = parts.filter(isRedirection);
  walk.expansions(parts.filter((part) => !isRedirection(part)), state);
  const redirects = walk.redirects(opened, state);
  const assigned = node.prefix.filter((part) => part.type === "Assignment")
    .map((part) => readAssignment(walk, part, state));
  const nodes = parts.filter((part) =>
    part.type === "Word" || (part.type === "Assignment" && !node.prefix.includes(part))
  );
  const words = nodes.flatMap((part) => readWord(walk, part as Word | Assignment, state));
  const span = walk.span(node);
  const input = inputOf(walk, opened, state) ?? inherited;
  walk.input = input;
  const reader = new CommandReader(walk, {
    span,
    state,
    input,
    assignments: assigned.map(({ name, value }) => ({ name, value })),
    redirects,
  });
  if (words.length === 0) {
    reader.read([], walk.startedBy);
    for (const { name, value } of assigned) walk.context.findings.sets.push({ name, value, span });
    for (const part of node.prefix) {
      if (
        part.type === "Assignment" && INTEGERS.test(part.name) &&
        !walk.variables.numbers.has(part.name)
      ) {
        doubt(walk.context, ARITHMETIC, walk.span(part));
      }
    }
    return staying(withValues(state, assigned.map(({ name, values }) => [name, values])));
  }
  nameDoubts(walk, node.name, words);
  const after = reader.read(words, walk.startedBy);
  return called(walk, words, { state, inherited }, after);
}

/** The values that a declaration sets are followed like those of an assignment. */
function readWord(walk: Walk, part: Word | Assignment, state: State): readonly string[] {
  if (part.type === "Assignment") {
    const { name, value, index, append } = part;
    const text = value.type === "Word" ? markWord(value, walk.scope(state)) : "\ue1ff";
    const key = index === undefined ? "" : `[${quoted(index.text)}]`;
    return [`${name}${key}${append ? "+" : ""}=${text}`];
  }
  const marked = markWord(part, walk.scope(state));
  const expanded = expandBraces(marked);
  if (expanded === undefined) {
    doubt(walk.context, "braces that stand for too many words", walk.span(part));
  }
  return expanded ?? [marked];
}

interface Assigned {
  readonly name: string;
  readonly value: string | null;
  readonly values: readonly string[] | undefined;
}

function readAssignment(walk: Walk, part: Assignment, state: State): Assigned {
  const { name, value, index, append } = part;
  if (value.type !== "Word" || index !== undefined || append) {
    return { name, value: null, values: undefined };
  }
  const marked = markWord(value, walk.scope(state));
  const text = knownText(marked);
  if (!isTracked(name, walk.variables)) return { name, value: text, values: undefined };
  // Nothing is split, and no pattern expanded, where a variable is set.
  const all = walk.context.choices.expand(marked);
  const fixed = all.map((each) =>
    each.startsWith("~") ? `~${quoted(each.slice(1))}` : marked === each ? quoted(each) : each
  );
  const followed = fixed.every((each) => !/[\ue1fd-\ue1ff]/.test(each));
  return { name, value: text, values: followed ? fixed : undefined };
}

/** Doubt a program whose name is not written in plain letters. */
function nameDoubts(walk: Walk, name: Word | undefined, [first = ""]: readonly string[]): void {
  if (name === undefined) return;
  const question = (reason: string) => doubt(walk.context, reason, walk.span(name));
  const types = new Set(name.parts?.map(({ type }) => type));
  if (
    isUnknown(first) ||
    /[$`]/.test(plainText(first) === first ? name.text.replace(/\\.|'[^']*'/g, "") : "")
  ) {
    question(
      types.has("AnsiCQuoted")
        ? "a program's name in escapes"
        : "a program whose name is known only at run time",
    );
  } else if (types.has("AnsiCQuoted")) question("a program's name in escapes");
  if (isPattern(first) && first !== "[") question("a program named by a pattern");
  if (first.startsWith("~")) question("a program below a home directory");
  if (types.has("BraceExpansion")) question("a program named by braces");
  const { state } = walk.context.facts;
  const shadow = state === undefined ? undefined : shadowOf(plainText(first), state);
  if (shadow !== undefined) question(shadow);
}

/** Run a function of the line, if the words call one. */
function called(walk: Walk, words: readonly string[], start: Start, after: After): After {
  const name = plainText(words[0] ?? "");
  const body = walk.functions.get(name);
  if (body === undefined) return after;
  if (walk.calls.includes(name) || walk.calls.length > 8) {
    doubt(walk.context, `the function "${name}" calls itself`, walk.span(body));
    return after;
  }
  walk.calls.push(name);
  const given = words.slice(1, 10).map((word, index) =>
    [String(index + 1), isUnknown(word) ? undefined : [word]] as const
  );
  const { ok, fail } = walk.body(body, { ...start, state: withValues(start.state, given) });
  walk.calls.pop();
  const undo = given.map(([digit]) => [digit, start.state.values.get(digit)] as const);
  return {
    ok: either(start.state, withValues(ok, undo)),
    fail: either(start.state, withValues(fail, undo)),
  };
}

interface ReaderOptions extends Pick<SimpleCommand, "assignments" | "redirects" | "span"> {
  readonly state: State;
  readonly input: Inherited;
}

/** How deep programs may start programs. */
const DEEPEST = 24;
/** What changes how the rest of the line, or the next one, is read. */
const REWRITERS: ReadonlyMap<string, string> = new Map([
  ["alias", "an alias changes what names mean"],
  ["unalias", "an alias changes what names mean"],
  ["enable", "builtins are loaded or switched off"],
  ["coproc", "a coprocess"],
  ["bind", "keys are bound to commands"],
  ["fc", "a command of the history is run again"],
  ["complete", "a completion runs text"],
  ["compgen", "a completion runs text"],
  ["compopt", "a completion is changed"],
]);

class CommandReader {
  readonly #walk: Walk;
  readonly #options: ReaderOptions;
  #after: After;

  constructor(walk: Walk, options: ReaderOptions) {
    this.#walk = walk;
    this.#options = options;
    this.#after = staying(options.state);
  }

  read(words: readonly string[], startedBy: StartedBy | undefined): After {
    const { assignments, redirects } = this.#options;
    this.#read(words, { startedBy, assignments, redirects, depth: 0, isShell: true });
    return this.#after;
  }

  #read(words: readonly string[], how: How): void {
    const { context } = this.#walk;
    const { span, input, state } = this.#options;
    if (how.depth > DEEPEST || ++context.count > 4_000) {
      doubt(context, "it starts more programs than are followed", span);
      return;
    }
    const { findings: { commands }, programs } = context;
    const inspection = inspect(words, programs, input);
    const argv = words.map(knownText);
    const key = JSON.stringify([span.start, span.end, argv, how.startedBy]);
    let index = context.seen.get(key);
    if (index === undefined) {
      index = commands.push({
        argv,
        assignments: how.assignments,
        redirects: how.redirects,
        span,
        ...(how.startedBy !== undefined && { startedBy: how.startedBy }),
        program: inspection.facts,
      }) - 1;
      context.seen.set(key, index);
    }
    if (words.length === 0) return;
    if (!/^(?:cd|pushd|popd|echo|true|:)$/.test(inspection.name)) context.moves.clear();
    this.#paths(inspection);
    if (how.isShell) this.#builtin(words, inspection);
    const { name } = inspection;
    const found = inspection.found ?? (inspection.name === "xargs" ? input.found : undefined) ??
      how.found;
    if (how.depth === 0) this.#walk.found = inspection.found;
    for (const started of inspection.started) {
      const given = found === undefined ? UNKNOWN_WORDS : context.choices.placeholder(found);
      this.#read(started.words.map((word) => word === GIVEN ? given : word), {
        found,
        startedBy: { command: index, name, how: started.sure ? "words" : "reading" },
        assignments: started.assignments,
        redirects: [],
        depth: how.depth + 1,
        isShell: how.isShell && /^(?:command|builtin)$/.test(name),
      });
      const { facts } = context;
      if (/^(?:command|exec)$/.test(name) && facts.state !== undefined) {
        const shadow = shadowOf(plainText(started.words[0] ?? ""), facts.state, ["programs"]);
        if (shadow !== undefined) doubt(context, shadow, span);
      }
    }
    for (const text of inspection.texts) {
      const after = runText(this.#walk, text, {
        by: { command: index, name, how: "text" },
        span,
        state,
      });
      if (text.here && after !== undefined) this.#after = after;
    }
  }

  /** Note the paths that the command names. */
  #paths({ name, uses }: Inspection): void {
    const { span, state } = this.#options;
    const { findings } = this.#walk.context;
    const by = name.replace(/^.*\//, "");
    for (const { access, marked } of uses) {
      for (const { found: named, ...path } of resolveWord(marked, this.#walk.resolving(state))) {
        if (access === "read" && named) continue;
        findings.uses.push({ access, span, by, ...path });
      }
    }
  }

  /** What a builtin does to the shell that reads the line. */
  #builtin(words: readonly string[], { name }: Inspection): void {
    const walk = this.#walk;
    const { context, variables } = walk;
    const { span, state } = this.#options;
    const question = (reason: string) => doubt(context, reason, span);
    const rewriter = REWRITERS.get(name);
    if (rewriter !== undefined) question(rewriter);
    const rest = words.slice(1);
    if (name === "hash" && rest.length > 0) question("the table of programs is changed");
    if (name === "shopt" && rest.some((word) => !SAFE_SHOPT.test(plainText(word)))) {
      question("a shell option changes how text is read");
    }
    if (name === "set" && !safeSet(rest)) question("a shell option changes how text is read");
    if (
      /^(?:mapfile|readarray)$/.test(name) && rest.some((word) => /^-\w*C/.test(plainText(word)))
    ) question("text is run for each line");
    if (/^(?:eval|source|\.)$/.test(name)) this.#after = staying(withoutValues(state));
    const { doubts, sets } = nameUse(words, variables);
    doubts.forEach(question);
    for (const set of sets) context.findings.sets.push({ ...set, span });
    if (sets.length > 0) {
      // What a loop reads from a program that finds files are their names.
      const found = name === "read" ? this.#options.input.found : undefined;
      const changes = sets.map(({ name: variable, value }) => {
        if (!isTracked(variable, variables)) return [variable, undefined] as const;
        const known = value === null || value === "" ? undefined : [quoted(value)];
        return [variable, known ?? found] as const;
      });
      this.#after = staying(withValues(state, changes));
    }
    const { to, uses } = moved(words, { ...walk.resolving(state), cdpath: this.#cdpath() });
    for (const { path } of uses) {
      const use = { access: "read", span, by: name, path } as const;
      context.moves.add(use);
      context.findings.uses.push(use);
    }
    if (to !== undefined) this.#after = { ok: to, fail: state };
  }

  #cdpath(): boolean {
    const { findings, facts } = this.#walk.context;
    return [...findings.sets, ...this.#options.assignments].some(({ name }) => name === "CDPATH") ||
      facts.state?.variables?.includes("CDPATH") === true || facts.env?.includes("CDPATH") === true;
  }
}

interface How extends Pick<SimpleCommand, "assignments" | "redirects"> {
  readonly startedBy: StartedBy | undefined;
  /** The names that a program puts into the commands it starts. */
  readonly found?: readonly string[] | undefined;
  readonly depth: number;
  /** It is run by the shell that reads the line, so a builtin is one. */
  readonly isShell: boolean;
}

const SAFE_SHOPT =
  /^(?:-[suqp]+|globstar|nullglob|failglob|nocaseglob|nocasematch|checkwinsize|histappend|inherit_errexit)$/;

/** Whether `set` changes nothing about how text is read. */
function safeSet(words: readonly string[]): boolean {
  for (let at = 0; at < words.length; at++) {
    const text = plainText(words[at] ?? "");
    if (text === "--" || text === "-") return true;
    if (!/^[-+]/.test(text)) return !isUnknown(text) || isNumber(text);
    if (!/^[-+][euxvfhbCBo]+$/.test(text)) return false;
    if (
      text.includes("o") &&
      !/^(?:pipefail|errexit|nounset|xtrace|verbose|noglob|noclobber|errtrace|functrace|)$/.test(
        plainText(words[++at] ?? ""),
      )
    ) {
      return false;
    }
  }
  return true;
}
