import type { Assignment, Command, Redirection, SyntaxNode, Word } from "unbash";
import { forEachChild } from "unbash";
import { defined } from "../../value/defined.ts";
import { NUMBER, OWN_PATH, UNKNOWN_WORDS } from "../words/placeholders.ts";
import { isCount, isPattern, plainText } from "../words/word-marks.ts";
import type { Value } from "../words/value.ts";
import type { Words } from "../words/word-marks.ts";
import { linesOfWord, printedNames } from "./output/printed.ts";
import { led } from "./output/streams.ts";
import { type Held, held } from "./values/held.ts";
import { ARITHMETIC } from "./values/names.ts";
import { isInteger } from "./values/names-set.ts";
import { withTested } from "./values/tested.ts";
import { onlyPart } from "../words/only-part.ts";
import { inputOf, readRedirects } from "./redirects.ts";
import { expansions } from "./expansions.ts";
import {
  type Assigned,
  assignedByEnd,
  declaredBy,
  mapsDeclared,
  readAssignment,
  wordsOf,
} from "./values/assignments.ts";
import { sharingInput } from "./shared-input.ts";
import { called } from "./function-call.ts";
import { nameDoubts } from "./command/program-names.ts";
import { DECLARES } from "./shell-options.ts";
import { MOST_COMMANDS } from "./findings.ts";
import { noteTexts, readCommand } from "./command/reader.ts";
import type { After, State } from "./walk-state.ts";
import { either, staying, union, withValues } from "./walk-state.ts";
import type { Start, Walker } from "./walker.ts";

/** More combinations of values than this are not followed. */
const MOST_COMBINED = 32;

/** Walk a simple command, once for each combination of the values that its variables can have. */
export function simple(walk: Walker, node: Command, { state, inherited }: Start): After {
  const split = new Set<Held>();
  const visit = (part: SyntaxNode) => {
    if (part.type === "ParameterExpansion" || part.type === "SimpleExpansion") {
      const name = part.type === "SimpleExpansion" ? part.text.slice(1) : part.parameter;
      const variable = held(state.values, name);
      const texts = variable.texts && walk.scope(state).values(name);
      if (texts && texts.length > 1 && !texts.every(isPattern)) split.add({ ...variable, texts });
    }
    forEachChild(part, visit);
  };
  visit(node);
  if (split.size === 0) return once(walk, node, { state, inherited });
  let states = [state];
  for (const { texts = [], ...more } of split) {
    const put = (each: State) =>
      texts.map((text) => withValues(each, [{ ...more, texts: [text] }]));
    states = states.flatMap(put);
    if (states.length > MOST_COMBINED) {
      if ([...split].some(({ texts }) => texts?.some((text) => text.startsWith("-")))) {
        walk.doubt("more options than are followed", node);
      }
      return once(walk, node, { state, inherited });
    }
  }
  return states.map((each) => once(walk, node, { state: each, inherited })).reduce(union);
}

/** Walk a simple command: what it sets, opens, runs and starts, and where it leads the shell. */
function once(walk: Walker, node: Command, { state, inherited }: Start): After {
  // Its words can be many, and it can be there once for each of their values.
  if (walk.context.count > MOST_COMMANDS) return staying(state);
  const { name, args, redirects: opened } = node;
  const nodes = name === undefined ? args : [name, ...args];
  const sets = node.prefix.filter((part) => part.type === "Assignment");

  const maps = mapsDeclared(walk, node, state);
  expansions(walk, nodes, withValues(state, maps));
  const streams = led(opened, inherited.streams);
  const redirects = [...readRedirects(walk, opened, state), ...inherited.opened ?? []];
  const assigned = assignedInFront(walk, sets, state);
  const each = nodes.map((part) => wordsOfPart(walk, part, { node, state }));
  const words = withFoundName(walk, each.flat());
  const own = inputOf(walk, opened, state);
  const input = own ?? sharingInput({ state, inherited }, [node]).inherited;
  shellDoubts(walk, node, { nodes, words, hasInput: own !== undefined });
  if (words.length > 0 && name !== undefined) nameDoubts(walk, name, { words, state });
  const { vanishes, left } = withoutVanishing(walk, nodes, { each, state });
  const declared = declaredBy(walk, nodes, words, { state, maps });
  const { ok, fail } = readCommand({
    walk,
    node,
    span: walk.span(node),
    state,
    input,
    assignments: assigned,
    redirects,
    vanishes,
    left: left ?? words,
    streams,
    after: staying(state),
  }, words);
  if (words.length === 0) {
    noteSets(walk, node, assigned);
    const { variables: { exported }, context: { exports } } = walk;
    const given = assigned.filter(({ name }) => exports || exported.has(name));
    const texts = given.flatMap((each) => each.texts ?? []);
    noteTexts({ walk, node, span: walk.span(node) }, texts, state);
    const set = withValues(ok, assigned);
    return unlessOpened(state, opened, assignedByEnd(walk, sets.at(-1), set));
  }
  // `x=a export x` keeps what is set in front of it.
  const isKept = assigned.length > 0 && words.some((word) => DECLARES.test(plainText(word)));
  const kept = isKept ? assigned.map(({ name }) => ({ name })) : [];
  const changes = [...declared, ...kept];
  const ended = {
    ok: withTested(walk, withValues(ok, changes), node),
    fail: withValues(fail, changes),
  };
  const body = walk.functions.get(plainText(words[0]));
  if (body === undefined) return unlessOpened(state, opened, ended);
  const within = { ...input, opened: redirects, streams };
  const given = { state, inherited: within, assigned, vanishes: left !== undefined };
  return unlessOpened(state, opened, called(walk, words, { ...given, body }, ended));
}

/** What is set in front of a command; each one sees those before it. */
function assignedInFront(
  walk: Walker,
  sets: readonly Assignment[],
  state: State,
): readonly Assigned[] {
  let then = state;
  return sets.map((part) => {
    expansions(walk, [part], then);
    const each = readAssignment(walk, part, then);
    then = withValues(then, [each]);
    return each;
  });
}

/** The words that a part of a command becomes. */
function wordsOfPart(
  walk: Walker,
  part: Word | Assignment,
  { node, state }: { readonly node: Command; readonly state: State },
): Words {
  const names = part.type === "Word" ? namesIn(walk, part, node) : undefined;
  if (names !== undefined) return [walk.context.choices.placeholder(names)];
  const own = wordsOf(walk, part, state);
  // What stands behind a name that is empty is asked about as a name.
  return own.length === 0 && part === node.name && !/^"/.test(part.text) ? [UNKNOWN_WORDS] : own;
}

/** The same words with what a name stands for that a shell has found, but for functions. */
function withFoundName(walk: Walker, words: Words): Words {
  const [, tool = ""] = FOUND.exec(words[0] ?? "") ?? [];
  return tool === "" || walk.functions.has(tool) ? words : [tool, ...words.slice(1)];
}

/** Doubt what changes or ends the shell that reads the line. */
function shellDoubts(
  walk: Walker,
  node: Command,
  { nodes, words, hasInput }: {
    readonly nodes: readonly (Word | Assignment)[];
    readonly words: Words;
    readonly hasInput: boolean;
  },
): void {
  if (hasInput && /^(?:command |builtin )*exec$/.test(words.map(plainText).join(" "))) {
    walk.doubt("what later commands read", node);
  }
  if (/^p?kill$/.test(words[0] ?? "") && nodes.some(({ text }) => /\$\{?PPID\b/.test(text))) {
    walk.doubt("the process that started the shell is ended", node);
  }
  const ownGroup = nodes.some(({ text }) => /^"?-"?\$(?:\$|\{?BASHPID\b)/.test(text));
  if (words[0] === "kill" && ownGroup && words.some((word) => /^-?(?:SIG)?KILL$|^-9$/.test(word))) {
    walk.doubt("the group of the shell is ended at once", node);
  }
}

/** Whether some words can be none, and those that are left then, where that moves others. */
function withoutVanishing(
  walk: Walker,
  nodes: readonly (Word | Assignment)[],
  { each, state }: { readonly each: readonly Words[]; readonly state: State },
): { readonly vanishes: boolean; readonly left?: Words } {
  const vanishing = nodes.map((part) => part.type === "Word" && canVanish(walk, part, state));
  const vanishes = vanishing.includes(true);
  // What vanishes at the end moves no other word.
  const moves = vanishes && vanishing.lastIndexOf(false) > vanishing.indexOf(true);
  if (!moves) return { vanishes };
  return { vanishes, left: each.filter((_, at) => at === 0 || !vanishing[at]).flat() };
}

/** Note what a line sets for all that follows. */
function noteSets(walk: Walker, node: Command, assigned: readonly Assigned[]): void {
  const span = walk.span(node);
  for (const { name, value, known, texts } of assigned) {
    walk.context.findings.sets.push({ name, value, ...defined({ known }), span });
    if (isInteger(name, walk.variables) && !texts?.every(isCount)) walk.doubt(ARITHMETIC, node);
  }
}

/** What `command -v` prints. */
const FOUND = new RegExp(`^${OWN_PATH}/([\\w.+-]+)$`);
/** Whether a word can be none: what is empty outside of quotes is no word. */
function canVanish(walk: Walker, word: Word, state: State): boolean {
  const { part, inQuotes } = onlyPart(word);
  if (inQuotes) return false;
  if (part?.type === "CommandExpansion") return true;
  if (part?.type !== "SimpleExpansion" && part?.type !== "ParameterExpansion") return false;
  if (part.type === "ParameterExpansion" && part.prefix !== undefined) return false;
  const operation = part.type === "ParameterExpansion" ? part.operation : undefined;
  if (operation !== undefined) return operation.type !== "Default";
  const name = part.type === "ParameterExpansion" ? part.parameter : part.text.slice(1);
  // A number that is known only at run time can be nothing.
  return name === "!" ||
    walk.scope(state).values(name)?.some((value) => value === "" || value === NUMBER) === true;
}

/** The names that a word alone stands for, where a program has found them. */
function namesIn(walk: Walker, word: Word, { name }: Command): Value {
  const { part, inQuotes } = onlyPart(word);
  if (part?.type !== "CommandExpansion") return undefined;
  const [path = "", ...others] = linesOfWord(word, walk.context)?.texts ?? [];
  const [tool = ""] = inQuotes || others.join() !== "" ? [] : FOUND.exec(path.trim()) ?? [];
  const { program: by } = walk.context.programs.find([name?.value ?? ""]) ?? {};
  // Where a program only reads, it changes nothing for what follows that nothing may be found.
  const onlyReads = !by?.inert && !by?.starts && (by?.readsWith ?? by?.readOnly) !== undefined;
  return tool && onlyReads ? [tool] : printedNames(word, walk.context);
}

/** What a redirection that fails leaves: nothing is run then. */
export function unlessOpened(state: State, opened: readonly Redirection[], after: After): After {
  const canFail = opened.some((each) =>
    each.type === "Redirect" && each.target?.value !== "/dev/null" &&
    !(/&$/.test(each.operator) && /^[012-]$/.test(each.target?.value ?? "")) &&
    !each.target?.parts?.some(({ type }) => type === "ProcessSubstitution")
  );
  return canFail ? { ok: after.ok, fail: either(state, after.fail) } : after;
}
