import type { Assignment, Command, Statement, SyntaxNode, Word } from "unbash";
import { nodesIn } from "../../syntax.ts";
import { ARRAY, PIPE_NAME, UNKNOWN, UNKNOWN_WORDS } from "../../words/placeholders.ts";
import { isCount, isUnknown, plainText, quoted, setText } from "../../words/word-marks.ts";
import type { Words } from "../../words/word-marks.ts";
import { either, joined } from "../../words/value.ts";
import { markUnsplit, type Scope } from "../../words/word.ts";
import { onlyPart } from "../../words/only-part.ts";
import { printedNames } from "../output/printed.ts";
import { readWord } from "./known-words.ts";
import type { After, State } from "../walk-state.ts";
import { staying, withValues } from "../walk-state.ts";
import { type Held, held } from "./held.ts";
import { spelledWords } from "./literals.ts";
import type { Setting } from "../../program/starts.ts";
import { DECLARES } from "../shell-options.ts";
import type { Walker } from "../walker.ts";

/** What a declaration sets; outside of a function `local` sets nothing. */
export function declaredBy(
  walk: Walker,
  nodes: readonly (Word | Assignment)[],
  words: Words,
  { state, maps }: { readonly state: State; readonly maps: readonly Held[] },
): readonly Held[] {
  const texts = words.map(plainText);
  const isLocal = texts.some((text) => text === "local");
  if (!texts.some((text) => DECLARES.test(text))) return [];
  // With options they can be about another variable of that name, or about none.
  const isPlain = !texts.some((text) => OF_OTHERS.test(text)) &&
    (!isLocal || walk.calls.length > 0);
  const then = withValues(state, maps);
  const changes = nodes.flatMap((part): readonly Held[] => {
    if (part.type === "Assignment") {
      // Braces are expanded there, and the last one holds.
      const isMore = part.value.type === "Word" &&
        part.value.parts?.some(({ type }) => type === "BraceExpansion");
      const isRead = isPlain && !(isLocal && part.append) && !isMore;
      return [isRead ? readAssignment(walk, part, then) : { name: part.name }];
    }
    const [, set] = /^([A-Za-z_]\w*)\+?=/.exec(part.value) ?? [];
    if (set !== undefined && !isPlain) return [{ name: set }];
    if (!isLocal || !isPlain || !/^[A-Za-z_]\w*$/.test(part.value) || part === nodes[0]) return [];
    return [{ name: part.value }];
  });
  return [...maps, ...changes];
}

/** Options with which a declaration is about another variable of a name, or about none. */
const OF_OTHERS = /^[-+]\w*[gfFpn]/;

/** The names that a declaration makes maps: where it is run here and now, and no array is in the way. */
export function mapsDeclared(walk: Walker, node: Command, { values }: State): readonly Held[] {
  const [builtin = "", ...texts] = spelledWords(node);
  const declares = /^(?:declare|typeset)$/.test(builtin) ||
    (builtin === "local" && walk.calls.length > 0);
  if (!declares || !texts.some((text) => /^-\w*A/.test(text))) return [];
  if (texts.some((text) => OF_OTHERS.test(text))) return [];
  return node.suffix.flatMap((part) => {
    const before = held(values, declaredName(part));
    const { name, items, some, isMap } = before;
    const isNew = walk.variables.maps.has(name) && !items && !some?.length && !isMap;
    return isNew ? [{ ...before, isMap: true, some: [] }] : [];
  });
}

/** The names that a function declares: what they hold after it is not what they hold in it. */
export function declaredIn(body: SyntaxNode): readonly string[] {
  const declarations = nodesIn(body).flatMap((node) =>
    node.type === "Command" && /\b(?:local|declare|typeset)\b/.test(node.name?.text ?? "")
      ? node.suffix
      : []
  );
  return declarations.map(declaredName).filter((name) => name !== "");
}

/** The names that a function makes its own before anything else, so that after it they hold what they held before. */
export function ownNames(body: SyntaxNode): readonly string[] {
  const statements = body.type === "BraceGroup" ? body.body.commands : [];
  const other = statements.findIndex((each) => !isPlainLocal(each));
  const declarations = other < 0 ? statements : statements.slice(0, other);
  return declarations.flatMap(declaredIn);
}

function isPlainLocal({ command, background }: Statement): boolean {
  return command.type === "Command" && command.name?.text === "local" && !background &&
    command.prefix.length + command.redirects.length === 0 &&
    command.args.every((part) =>
      PLAIN_NAME.test(declaredName(part)) && !SETS_OTHERS.test(part.text)
    );
}

const PLAIN_NAME = /^[A-Za-z_]\w*$/;
/** Arithmetic and expansions that can set a variable. */
const SETS_OTHERS = /\$\(\(|\$\[|\{\w+:?=/;

/** The name that a part of a declaration is about. */
function declaredName(part: Command["suffix"][number]): string {
  return part.type === "Assignment" ? part.name : part.type === "Word" ? part.value : "";
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
    return withValues(state, [readAssignment(walk, part, state)]);
  };
  const after = { ok: set(end.ok), fail: set(end.fail) };
  outputs.set(script, end);
  return after;
}

/** What an assignment sets. */
export interface Assigned extends Held, Setting {}

/** Read an assignment whose value has been walked. */
export function readAssignment(walk: Walker, part: Assignment, state: State): Assigned {
  const { name, value, index, append } = part;
  const unknown = { name, value: null, marked: UNKNOWN };
  if (index !== undefined) return { ...unknown, some: elementsSet(walk, part, state) };
  if (value.type === "ArrayValue") {
    const elements = value.elements.flatMap((element) => wordsOf(walk, element, state));
    if (held(state.values, name).isMap) {
      return append ? unknown : { ...unknown, ...entriesOf(elements) };
    }
    if (elements.some((each) => each.startsWith("["))) return unknown;
    const { items: before, some: others } = append ? held(state.values, name) : NO_ELEMENTS;
    const texts = elements.flatMap((each) => walk.context.choices.expand(each));
    const areSome = !texts.some((text) => NO_VALUE.test(text));
    return {
      ...unknown,
      items: before && !elements.some(isUnknown) ? [...before, ...elements] : undefined,
      some: areSome && others ? either(others, texts) : undefined,
    };
  }
  const isText = held(state.values, name).texts !== undefined;
  const before = !append ? [""] : isText ? walk.scope(state).values(name) : undefined;
  if (before === undefined) return unknown;
  const marked = markUnsplit(value, ofValue(walk, state));
  const text = setText(name, marked);
  const printed = printedNames(value, walk.context);
  if (printed !== undefined) return { name, ...text, marked, texts: [...printed, ""] };
  // Nothing is split, and no pattern expanded, where a variable is set.
  const all = walk.context.choices.expand(marked);
  const fixed = all.map((each) =>
    each.startsWith("~") ? `~${quoted(each.slice(1))}` : marked === each ? quoted(each) : each
  );
  const values = joined(before, fixed);
  // Behind a colon bash replaces a tilde, too.
  const followed = !marked.includes(":~") &&
    values?.every((each) => each.length < 500 && !NO_VALUE.test(each));
  return {
    name,
    ...text,
    ...(append && { value: null }),
    marked,
    texts: followed ? values : undefined,
  };
}

/** What the elements of an array, or the values of a map, can be once one of them is set. */
function elementsSet(
  walk: Walker,
  { name, value, append }: Assignment,
  state: State,
): Words | undefined {
  const before = held(state.values, name).some;
  if (value.type !== "Word" || before === undefined) return undefined;
  const texts = walk.context.choices.expand(markUnsplit(value, ofValue(walk, state)));
  const all = either(before, texts);
  const isFollowed = append ? all?.every(isCount) : !all?.some((each) => NO_VALUE.test(each));
  return isFollowed ? all : undefined;
}

/** The keys and the values of a map, where the line spells them all. */
function entriesOf(elements: Words): Pick<Assigned, "some" | "keys"> {
  const entries = elements.map((each) => /^\[([^\]]+)\]=([^]*)$/.exec(plainText(each)));
  const isOther = (each: string) => isUnknown(each) || /[=:]~/.test(each);
  if (elements.some(isOther) || entries.includes(null)) return {};
  const part = (at: number) => [...new Set(entries.map((entry) => quoted(entry?.[at] ?? "")))];
  return { keys: part(1), some: part(2) };
}

const NO_ELEMENTS: Omit<Held, "name"> = { items: [], some: [] };
/** What is followed in no value. */
const NO_VALUE = new RegExp(`[${PIPE_NAME}${UNKNOWN_WORDS}${UNKNOWN}]`);
