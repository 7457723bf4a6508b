import type {
  Assignment,
  Command,
  CommandExpansionPart,
  Redirection,
  SyntaxNode,
  Word,
} from "unbash";
import { forEachChild } from "unbash";
import { ARRAY, PIPE_NAME, UNKNOWN, UNKNOWN_WORDS } from "../words/placeholders.ts";
import { isPattern, isUnknown, newFile, plainText, quoted, setText } from "../words/word-marks.ts";
import type { Words } from "../words/word-marks.ts";
import { markUnsplit, type Scope } from "../words/word.ts";
import { printedNames } from "./branches.ts";
import { kindOf } from "../program/output/lines.ts";
import { ARITHMETIC, INTEGERS, UNKNOWN_NAME } from "./values/names.ts";
import { lastCommand } from "./values/last-command.ts";
import { argumentsOf, onlyPart, readWord } from "./values/known-words.ts";
import { inputOf, readRedirects } from "./redirects.ts";
import { expansions } from "./expansions.ts";
import { linesPrinted } from "./printed-lines.ts";
import { guarded } from "./guards.ts";
import { readCommand } from "./reader.ts";
import { shadowOf } from "./shadows.ts";
import type { After, State } from "./walk-state.ts";
import {
  ARGUMENTS,
  either,
  ELEMENTS,
  isMap,
  KEYS,
  MAP,
  SOME,
  staying,
  union,
  withValues,
} from "./walk-state.ts";
import { isTracked } from "./values/text-variables.ts";
import type { Printed, Start, Walker } from "./walker.ts";

/** More combinations of values than this are not followed. */
const MOST_COMBINED = 32;

/** Walk a simple command, once for each combination of the values that its variables can have. */
export function simple(walk: Walker, node: Command, { state, inherited }: Start): After {
  const split = new Map<string, readonly string[]>();
  const visit = (part: SyntaxNode) => {
    const name = part.type === "ParameterExpansion"
      ? part.parameter
      : part.type === "SimpleExpansion"
      ? part.text.slice(1)
      : "";
    const values = isTracked(name, walk.variables) ? state.values.get(name) ?? [] : [];
    if (values.length > 1 && !values.every(isPattern)) split.set(name, values);
    forEachChild(part, visit);
  };
  visit(node);
  if (split.size === 0) return once(walk, node, { state, inherited });
  let states = [state];
  for (const [name, values] of split) {
    states = states.flatMap((each) => values.map((value) => withValues(each, [[name, [value]]])));
    if (states.length > MOST_COMBINED) {
      if ([...split.values()].flat().some((value) => value.startsWith("-"))) {
        walk.doubt("more options than are followed", node);
      }
      return once(walk, node, { state, inherited });
    }
  }
  const { read } = walk;
  const printed: Printed[] = [];
  const after = states.map((each) => {
    const { ok, fail } = once(walk, node, { state: each, inherited });
    printed.push(...walk.printed);
    const whole = (end: State) => {
      const kept = ([name]: [string, unknown]) => end.values.get(name) === each.values.get(name);
      return withValues(end, [...split].filter(kept));
    };
    return { ok: whole(ok), fail: whole(fail) };
  }).reduce(union);
  // It is one command, of which the words differ.
  const isOne = walk.read === read + states.length;
  walk.printed = printed;
  walk.argv = undefined;
  if (isOne) walk.read = read + 1;
  return after;
}

/** Walk a simple command: what it sets, opens, runs and starts, and where it leads the shell. */
function once(walk: Walker, node: Command, { state, inherited }: Start): After {
  const parts = [...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix];
  const spelled = parts.filter((part) => part.type === "Word" || part.type === "Assignment");
  const opened = parts.filter((part) => part.type !== "Word" && part.type !== "Assignment");
  const isMapOf = /^(?:declare|typeset|local)$/.test(node.name?.text ?? "") &&
    spelled.some(({ type, text }) => type === "Word" && /^-[Aax]*A[Aax]*$/.test(text));
  expansions(walk, spelled, isMapOf ? withMaps(spelled, state) : state);
  // Where nothing else is expanded, the names that `$(git ls-files)` prints are known.
  const [only, ...others] = spelled.filter(({ text }) => /[$<>]\(|`/.test(text));
  const names = only?.type === "Word" && others.length === 0 &&
      onlyPart(only).part?.type === "CommandExpansion"
    ? printedNames(only, walk)
    : undefined;
  const redirects = [...readRedirects(walk, opened, state), ...inherited.opened ?? []];
  let then = state;
  const assigned = node.prefix.filter((part) => part.type === "Assignment").map((part) => {
    // Each one sees those before it.
    const each = readAssignment(walk, part, { state: then, alone: parts.length === 1 });
    then = withValues(then, valuesOf(each));
    return each;
  });
  const nodes = spelled.filter((part) => part.type === "Word" || !node.prefix.includes(part));
  const words = nodes.flatMap((part) =>
    part === only && names !== undefined
      ? walk.context.choices.placeholder(names)
      : wordsOf(walk, part, state)
  );
  const own = inputOf(walk, opened, state);
  const input = own ?? inherited;
  if (own !== undefined && /^(?:command |builtin )*exec$/.test(words.map(plainText).join(" "))) {
    walk.doubt("what later commands read", node);
  }
  walk.input = input;
  const assignments = assigned.map(({ name, value }) => ({ name, value }));
  if (words.length > 0 && node.name !== undefined) nameDoubts(walk, node.name, words);
  // Outside of quotes what is empty is no word.
  const vanishes = nodes.some((part) => part.type === "Word" && canVanish(part));
  const declared = declaredBy(walk, nodes, words, { state, alone: parts.length === 2 });
  const { ok, fail } = readCommand(walk, words, {
    node,
    state,
    input,
    assignments,
    redirects,
    vanishes,
  });
  if (words.length === 0) {
    for (const { name, value } of assigned) {
      walk.context.findings.sets.push({ name, value, span: walk.span(node) });
      if (INTEGERS.test(name) && !walk.variables.numbers.has(name)) walk.doubt(ARITHMETIC, node);
    }
    return unlessOpened(state, opened, staying(withValues(state, assigned.flatMap(valuesOf))));
  }
  const ended = { ok: withValues(ok, declared), fail: withValues(fail, declared) };
  const after = unlessOpened(state, opened, guarded(walk, node, ended));
  const given = { ...input, opened: redirects };
  const end = called(walk, words, { state, inherited: given, assigned, vanishes }, after);
  return unlessOpened(state, opened, end);
}

function canVanish(word: Word): boolean {
  const { part, inQuotes } = onlyPart(word);
  return !inQuotes && (part?.type === "CommandExpansion" ||
    (part?.type === "ParameterExpansion" && part.prefix === undefined &&
      part.operation !== undefined &&
      part.operation.type !== "Default"));
}

const DECLARATION = /^(?:local|declare|typeset|export|readonly)$/;

/** What a declaration sets; outside of a function `local` sets nothing. */
function declaredBy(
  walk: Walker,
  nodes: readonly (Word | Assignment)[],
  words: Words,
  { state, alone }: { readonly state: State; readonly alone: boolean },
): readonly (readonly [string, readonly string[] | undefined])[] {
  const texts = words.map(plainText);
  const isLocal = texts.some((text) => text === "local");
  if (!texts.some((text) => DECLARATION.test(text))) return [];
  // With options they can be about another variable of that name, or about none.
  const isPlain = !texts.some((text) => /^[-+]\w*[gfFpn]/.test(text)) &&
    (!isLocal || walk.calls.length > 0);
  // Where it is run here and now, and no array is in the way.
  const isMapOf = texts.some((text) => /^-\w*A/.test(text)) &&
    /^(?:declare|typeset|local)$/.test(texts[0] ?? "") && isPlain;
  const then = isMapOf ? withMaps(nodes, state) : state;
  const marks = isMapOf ? [...then.values].filter(([name]) => name.endsWith(MAP)) : [];
  const changes = nodes.flatMap((part) => {
    if (part.type === "Assignment") {
      if (!isPlain || (isLocal && part.append)) {
        return valuesOf({ name: part.name, value: null, values: undefined });
      }
      const only = alone && nodes.length === 2;
      return valuesOf(readAssignment(walk, part, { state: then, alone: only }));
    }
    const [, set] = /^([A-Za-z_]\w*)\+?=/.exec(part.value) ?? [];
    if (set !== undefined && !isPlain) return [[set, undefined] as const];
    if (!isLocal || !isPlain || !/^[A-Za-z_]\w*$/.test(part.value) || part === nodes[0]) return [];
    // The second time it keeps its value.
    const before = state.values.get(part.value);
    return [[part.value, before && [...new Set([...before, ""])]] as const];
  });
  return [...changes, ...marks];
}

/** The same state, where names are maps. */
function withMaps(nodes: readonly (Word | Assignment)[], state: State): State {
  const names = nodes.flatMap((part) => part.type === "Assignment" ? part.name : part.value)
    .filter((name) =>
      /^[A-Za-z_]\w*$/.test(name) && !state.values.has(name + ELEMENTS) &&
      !state.values.has(name + SOME)
    );
  return withValues(state, names.map((name) => [name + MAP, [""]]));
}

/** What a redirection that fails leaves: nothing is run then. */
export function unlessOpened(state: State, opened: readonly Redirection[], after: After): After {
  const canFail = opened.some((each) =>
    each.type === "Redirect" && !/&$/.test(each.operator) && each.target?.value !== "/dev/null" &&
    !each.target?.parts?.some(({ type }) => type === "ProcessSubstitution")
  );
  return canFail ? { ok: after.ok, fail: either(state, after.fail) } : after;
}

/** What the value of an assignment refers to: it is one word, and no option. */
function ofValue(walk: Walker, state: State, isOnly = false): Scope {
  const scope = walk.scope(state);
  const output = (part: CommandExpansionPart) => {
    const text = scope.output(part);
    return text === UNKNOWN && lastCommand(part) ? kindOf(linesPrinted(walk)) ?? text : text;
  };
  return { ...scope, spellsMore: () => {}, ...(isOnly && { output }) };
}

/** The values that a declaration sets are followed like those of an assignment. */
function wordsOf(walk: Walker, part: Word | Assignment, state: State): readonly string[] {
  if (part.type === "Assignment") {
    const { name, value, index, append } = part;
    const text = value.type === "Word" ? markUnsplit(value, ofValue(walk, state)) : ARRAY;
    const key = index === undefined ? "" : `[${quoted(index.text)}]`;
    return [`${name}${key}${append ? "+" : ""}=${text}`];
  }
  const words = readWord(walk, part, state);
  if (words !== undefined) return words;
  walk.doubt("braces that stand for too many words", part);
  return [UNKNOWN_WORDS];
}

interface Assigned {
  readonly name: string;
  readonly value: string | null;
  readonly values: readonly string[] | undefined;
  /** Those of an array, in their order. */
  readonly elements?: readonly string[] | undefined;
  /** The texts that they can be. */
  readonly some?: readonly string[] | undefined;
  /** The keys of a map. */
  readonly keys?: readonly string[] | undefined;
}

function valuesOf({ name, values, elements, some, keys }: Assigned) {
  return [
    [name, values],
    [name + ELEMENTS, elements],
    [name + SOME, some],
    [name + KEYS, keys],
  ] as const;
}

/** @param options.alone Nothing else was walked since its value. */
function readAssignment(
  walk: Walker,
  part: Assignment,
  { state, alone }: { readonly state: State; readonly alone: boolean },
): Assigned {
  const { name, value, index, append } = part;
  const unknown = { name, value: null, values: undefined };
  if (index !== undefined) return unknown;
  if (value.type === "ArrayValue") {
    const elements = value.elements.flatMap((element) => wordsOf(walk, element, state));
    if (isMap(name, walk.variables.maps, state)) {
      return append ? unknown : { ...unknown, ...entriesOf(elements) };
    }
    if (!isTracked(name, walk.variables)) return unknown;
    const values = (part: string) => append ? state.values.get(name + part) : [];
    const [before, others] = [values(ELEMENTS), values(SOME)];
    const isPlain = elements.every((each) => !each.startsWith("["));
    const areKnown = isPlain && elements.every((each) => !isUnknown(each));
    const texts = elements.flatMap((each) => walk.context.choices.expand(each));
    const areSome = isPlain && !texts.some((text) => NO_VALUE.test(text));
    return {
      ...unknown,
      elements: areKnown && before ? [...before, ...elements] : undefined,
      some: areSome && others ? [...new Set([...others, ...texts])] : undefined,
    };
  }
  const before = append ? state.values.get(name) : [""];
  if (before === undefined) return unknown;
  const isOnly = alone && value.text.split(/\$\(|`/).length <= (value.text.includes("`") ? 3 : 2);
  const marked = markUnsplit(value, ofValue(walk, state, isOnly));
  const text = setText(name, marked);
  if (!isTracked(name, walk.variables)) return { name, value: text, values: undefined };
  const printed = alone ? printedNames(value, walk) : undefined;
  if (printed !== undefined) return { name, value: text, values: [...printed, ""] };
  // Nothing is split, and no pattern expanded, where a variable is set.
  const all = walk.context.choices.expand(marked);
  const fixed = all.map((each) =>
    each.startsWith("~") ? `~${quoted(each.slice(1))}` : marked === each ? quoted(each) : each
  );
  const values = before.flatMap((start) => fixed.map((each) => start + each));
  const followed = values.length <= MOST_COMBINED &&
    values.every((each) => each.length < 500 && !NO_VALUE.test(each));
  return { name, value: append ? null : text, values: followed ? values : undefined };
}

/** The keys and the values of a map, where the line spells them all. */
function entriesOf(elements: Words): Pick<Assigned, "some" | "keys"> {
  const entries = elements.map((each) => /^\[([^\]]+)\]=([^]*)$/.exec(plainText(each)));
  if (elements.some(isUnknown) || entries.includes(null)) return {};
  const part = (at: number) => [...new Set(entries.map((entry) => quoted(entry?.[at] ?? "")))];
  return { keys: part(1), some: part(2) };
}

/** What is followed in no value. */
const NO_VALUE = new RegExp(`[${PIPE_NAME}${UNKNOWN_WORDS}${UNKNOWN}]`);

/** Doubt a program whose name is not written in plain letters. */
function nameDoubts(walk: Walker, name: Word, words: Words): void {
  const [first = ""] = words;
  const question = (reason: string) => walk.doubt(reason, name);
  const types = new Set(name.parts?.map(({ type }) => type));
  const expands = /[$`]/.test(name.text.replace(/\\.|'[^']*'|\$$/g, ""));
  if (types.has("AnsiCQuoted")) question("a program's name in escapes");
  else if (
    (isUnknown(first) && newFile(first) === undefined) || (expands && !isTold(walk, name, words))
  ) question(UNKNOWN_NAME);
  if (isPattern(first) && first !== "[") question("a program named by a pattern");
  if (first.startsWith("~")) question("a program below a home directory");
  if (types.has("BraceExpansion")) question("a program named by braces");
  const shadow = shadowOf(plainText(first), walk.context.facts.state);
  if (shadow !== undefined) question(shadow);
}

/** A variable, an array or the arguments, alone or with a path behind. */
const VALUE = /^"?\$(?:\w+|@|\{\w+(?:\[@\])?\})(?:"?\/[\w./-]+)?"?$/;

/** Whether the line tells which program a value stands for; builtins do more than programs. */
function isTold({ context: { programs } }: Walker, { text }: Word, words: Words): boolean {
  const found = programs.find(words);
  return VALUE.test(text) && !found?.program.inert &&
    !/^(?:source|\.|builtin)$/.test(found?.name ?? "");
}

/** The names that a function declares: what they hold after it is not what they hold in it. */
function declaredIn(body: SyntaxNode): readonly string[] {
  const names: string[] = [];
  const visit = (node: SyntaxNode) => {
    if (node.type === "Command" && /\b(?:local|declare|typeset)\b/.test(node.name?.text ?? "")) {
      for (const part of node.suffix) {
        if (part.type === "Assignment") names.push(part.name);
        else if (part.type === "Word") names.push(part.value);
      }
    }
    forEachChild(node, visit);
  };
  visit(body);
  return names;
}

/** Run a function of the line, if the words call one. */
function called(
  walk: Walker,
  words: Words,
  { assigned, vanishes, ...start }: Start & {
    readonly assigned: readonly Assigned[];
    readonly vanishes: boolean;
  },
  after: After,
): After {
  const name = plainText(words[0]);
  const body = walk.functions.get(name);
  if (body === undefined) return after;
  if (walk.calls.includes(name) || walk.calls.length > 8) {
    walk.doubt(`the function "${name}" calls itself`, body);
    return after;
  }
  walk.calls.push(name);
  walk.context.called.add(body);
  const before = walk.left.length;
  const places = vanishes ? undefined : argumentsOf(words.slice(1));
  const given = [[ARGUMENTS, places] as const, ...assigned.flatMap(valuesOf)];
  const { rounds } = walk;
  walk.rounds = 0;
  const { ok, fail } = walk.body(body, { ...start, state: withValues(start.state, given) });
  walk.rounds = rounds;
  walk.calls.pop();
  const left = walk.left.splice(before);
  // It has printed more than its last command did.
  walk.printed = [];
  walk.read += 2;
  const undo = [[ARGUMENTS, start.state.values.get(ARGUMENTS)] as const];
  const own = declaredIn(body).map((each) => [each, undefined] as const);
  const back = (end: State) => {
    const last = withValues(left.reduce(either, end), own);
    return last.ended
      ? { ...start.state, ended: true as const }
      : either(start.state, withValues(last, undo));
  };
  return { ok: back(ok), fail: back(fail) };
}
