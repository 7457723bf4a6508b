import type { Assignment, SyntaxNode, Word } from "unbash";
import { forEachChild } from "unbash";
import { ARRAY, PIPE_NAME, UNKNOWN, UNKNOWN_WORDS } from "../../words/placeholders.ts";
import { isUnknown, plainText, quoted, setText } from "../../words/word-marks.ts";
import type { Words } from "../../words/word-marks.ts";
import { markUnsplit, type Scope } from "../../words/word.ts";
import { onlyPart } from "../../words/only-part.ts";
import { printedNames } from "../output/printed.ts";
import { readWord } from "./known-words.ts";
import type { After, State } from "../walk-state.ts";
import { ELEMENTS, isMap, KEYS, MAP, SOME, staying, withValues } from "../walk-state.ts";
import { anyCount, isCount } from "./arithmetic.ts";
import { isInteger } from "./names-set.ts";
import { isTracked } from "./text-variables.ts";
import type { Walker } from "../walker.ts";

const DECLARATION = /^(?:local|declare|typeset|export|readonly)$/;

/** What a declaration sets; outside of a function `local` sets nothing. */
export function declaredBy(
  walk: Walker,
  nodes: readonly (Word | Assignment)[],
  words: Words,
  state: State,
): readonly Change[] {
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
  const marks = [...then.values].filter(([name, texts]) => state.values.get(name) !== texts);
  const changes = nodes.flatMap((part) => {
    if (part.type === "Assignment") {
      if (!isPlain || (isLocal && part.append)) {
        return valuesOf({ name: part.name, value: null, values: undefined });
      }
      return valuesOf(readAssignment(walk, part, then));
    }
    const [, set] = /^([A-Za-z_]\w*)\+?=/.exec(part.value) ?? [];
    if (set !== undefined && !isPlain) return [[set, undefined] as const];
    if (!isLocal || !isPlain || !/^[A-Za-z_]\w*$/.test(part.value) || part === nodes[0]) return [];
    // The second time it keeps its value.
    const before = state.values.get(part.value);
    return [[part.value, before && [...new Set([...before, ""])]] as const];
  });
  return [...marks, ...changes];
}

/** The same state, where names are maps. */
export function withMaps(nodes: readonly (Word | Assignment)[], state: State): State {
  const names = nodes.flatMap((part) => part.type === "Assignment" ? part.name : part.value)
    .filter((name) =>
      /^[A-Za-z_]\w*$/.test(name) && !state.values.has(name + ELEMENTS) &&
      !state.values.get(name + SOME)?.length && !state.values.has(name + MAP)
    );
  return withValues(state, names.flatMap((name) => [[name + MAP, [""]], [name + SOME, []]]));
}

/** The names that a function declares: what they hold after it is not what they hold in it. */
export function declaredIn(body: SyntaxNode): readonly string[] {
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

/** What the value of an assignment refers to: it is one word, and no option. */
function ofValue(walk: Walker, state: State): Scope {
  return { ...walk.scope(state), spellsMore: () => {} };
}

/** The values that a declaration sets are followed like those of an assignment. */
export function wordsOf(walk: Walker, part: Word | Assignment, state: State): readonly string[] {
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

/** What the last assignment leaves, by how the substitution ends that is its value. */
export function assignedByEnd(walk: Walker, part: Assignment | undefined, state: State): After {
  const { outputs } = walk.context;
  const only = part?.value.type === "Word" ? onlyPart(part.value).part : undefined;
  const script = only?.type === "CommandExpansion" ? only.script : undefined;
  const end = script && outputs.get(script);
  const areTexts = [end?.ok, end?.fail].every((by) => by?.printed?.texts?.length);
  if (!part || part.append || !script || !end || !areTexts) return staying(state);
  const set = (by: State) => {
    outputs.set(script, staying(by));
    return withValues(state, valuesOf(readAssignment(walk, part, state)));
  };
  const after = { ok: set(end.ok), fail: set(end.fail) };
  outputs.set(script, end);
  return after;
}

/** What an assignment sets. */
export interface Assigned {
  readonly name: string;
  readonly value: string | null;
  readonly values: readonly string[] | undefined;
  /** Those of an array, in their order. */
  readonly elements?: readonly string[] | undefined;
  /** The texts that they, or the values of a map, can be. */
  readonly some?: readonly string[] | undefined;
  /** The keys of a map. */
  readonly keys?: readonly string[] | undefined;
}

/** What a variable holds then, and the parts of an array. */
export function valuesOf(assigned: Assigned): readonly Change[] {
  const { name, values, elements, some, keys } = assigned;
  return [
    [name, values],
    [name + ELEMENTS, elements],
    [name + SOME, some],
    [name + KEYS, keys],
  ];
}

/** The texts that a name can have from here on; `undefined`: any. */
type Change = readonly [name: string, texts: readonly string[] | undefined];

/** Read an assignment whose value has been walked. */
export function readAssignment(walk: Walker, part: Assignment, state: State): Assigned {
  const { name, value, index, append } = part;
  const unknown = { name, value: null, values: undefined };
  if (index !== undefined) return { ...unknown, some: elementsSet(walk, part, state) };
  if (value.type === "ArrayValue") {
    const elements = value.elements.flatMap((element) => wordsOf(walk, element, state));
    const { variables } = walk;
    if (isMap(name, variables.maps, state)) {
      return append ? unknown : { ...unknown, ...entriesOf(elements) };
    }
    if (!isTracked(name, variables) || elements.some((each) => each.startsWith("["))) {
      return unknown;
    }
    const values = (part: string) => append ? state.values.get(name + part) : [];
    const [before, others] = [values(ELEMENTS), values(SOME)];
    const texts = elements.flatMap((each) => walk.context.choices.expand(each));
    const areSome = !texts.some((text) => NO_VALUE.test(text));
    return {
      ...unknown,
      elements: before && !elements.some(isUnknown) ? [...before, ...elements] : undefined,
      some: areSome && others ? [...new Set([...others, ...texts])] : undefined,
    };
  }
  const before = append ? state.values.get(name) : [""];
  if (before === undefined) return unknown;
  const marked = markUnsplit(value, ofValue(walk, state));
  const text = setText(name, marked);
  if (!isTracked(name, walk.variables) && !isInteger(name, walk.variables)) {
    return { name, value: text, values: undefined };
  }
  const printed = printedNames(value, walk.context);
  if (printed !== undefined) return { name, value: text, values: [...printed, ""] };
  // Nothing is split, and no pattern expanded, where a variable is set.
  const all = walk.context.choices.expand(marked);
  const fixed = all.map((each) =>
    each.startsWith("~") ? `~${quoted(each.slice(1))}` : marked === each ? quoted(each) : each
  );
  const values = before.flatMap((start) => fixed.map((each) => start + each));
  // Behind a colon bash replaces a tilde, too.
  const followed = values.length <= MOST_VALUES && !marked.includes(":~") &&
    values.every((each) => each.length < 500 && !NO_VALUE.test(each));
  return {
    name,
    value: append ? null : text,
    values: followed ? anyCount(name, walk.variables, values) : undefined,
  };
}

/** What the elements of an array, or the values of a map, can be once one of them is set. */
function elementsSet(
  walk: Walker,
  { name, value, append }: Assignment,
  state: State,
): Words | undefined {
  const before = state.values.get(name + SOME);
  if (value.type !== "Word" || before === undefined) return undefined;
  const texts = walk.context.choices.expand(markUnsplit(value, ofValue(walk, state)));
  const all = [...new Set([...before, ...texts])];
  const isFollowed = append ? all.every(isCount) : !all.some((each) => NO_VALUE.test(each));
  return isFollowed && all.length <= MOST_VALUES ? all : undefined;
}

/** The keys and the values of a map, where the line spells them all. */
function entriesOf(elements: Words): Pick<Assigned, "some" | "keys"> {
  const entries = elements.map((each) => /^\[([^\]]+)\]=([^]*)$/.exec(plainText(each)));
  if (elements.some(isUnknown) || entries.includes(null)) return {};
  const part = (at: number) => [...new Set(entries.map((entry) => quoted(entry?.[at] ?? "")))];
  return { keys: part(1), some: part(2) };
}

/** More values of one variable than this are not followed. */
const MOST_VALUES = 32;
/** What is followed in no value. */
const NO_VALUE = new RegExp(`[${PIPE_NAME}${UNKNOWN_WORDS}${UNKNOWN}]`);
