import type { SyntaxNode } from "unbash";
import type { StartedBy } from "../../event/analysis.ts";
import type { ShellText } from "../program/starts.ts";
import { type Doubt, nodesIn, readText } from "../syntax.ts";
import { MOVES } from "./changed-directory.ts";
import { NAME_TAKERS } from "./shell-options.ts";
import { ARGUMENTS, SELF } from "./values/held.ts";
import { spelledWords } from "./values/literals.ts";
import { ARITHMETIC, UNKNOWN_NAME } from "./values/names.ts";
import { argumentsOf } from "./values/known-words.ts";
import type { After, State } from "./walk-state.ts";
import { staying, withoutValues, withValues } from "./walk-state.ts";
import { type Variables, variablesOf } from "./values/text-variables.ts";
import type { Inherited, Place, Walker } from "./walker.ts";

/** Texts in texts: `sh -c "sh -c '…'"`. */
const DEEPEST = 4;

/** Words and operators that every shell reads alike; in zsh, `=rm` is a path, and modules bring builtins. */
const ANY_SHELL = /^(?![^]*(?:^|\s)(?:=|zmodload\b))[\w\s./:@,+%="'&|;-]*$/;

/** A part of a path that is a number in bash, and empty in other shells. */
const BASH_ALONE = /\/["']?\$\{?(?:S?RANDOM|SECONDS|E?UID|EPOCH\w+|BASHPID|SHLVL)\b/;

interface TextOptions {
  readonly by: StartedBy;
  readonly node: Place;
  readonly state: State;
  /** What its commands read. */
  readonly input: Inherited;
}

/** What the line around a text sets, and what attributes it gives, is not seen from the text alone. */
function seenFromAround(own: Variables, around: Variables, wild: boolean): Variables {
  const integers = new Set([...own.integers, ...around.integers]);
  const counters = new Set([...own.counters, ...around.counters]);
  return { ...own, integers, counters, wild };
}

/** The bodies of the functions that a script calls by its words, and of those that they call. */
function calls(script: SyntaxNode, { functions }: Walker): ReadonlySet<SyntaxNode> {
  const found = new Set([script]);
  for (const body of found) {
    for (const node of nodesIn(body)) {
      const called = node.type === "Command" && functions.get(node.name?.value ?? "");
      if (called) found.add(called);
    }
  }
  found.delete(script);
  return found;
}

/** Whether a function goes elsewhere, or sets variables or functions. */
function changes(body: SyntaxNode): boolean {
  return nodesIn(body).some(({ type }) => /^(?:For|Select|Assignment|Function)$/.test(type)) ||
    commandsIn(body).some((name) => MOVES.test(name) || NAME_TAKERS.has(name));
}

/** The names of the commands in a text, those behind `builtin` and `command` included. */
function commandsIn(root: SyntaxNode): readonly string[] {
  return nodesIn(root).flatMap((node) =>
    node.type === "Command"
      ? spelledWords(node).find((word) => !/^(?:builtin|command|-.*)$/.test(word)) ?? ""
      : []
  );
}

/** Walk text that a command hands to a shell. */
export function runText(
  walk: Walker,
  { text, here, early, given }: ShellText,
  { by, node, state, input }: TextOptions,
): After | undefined {
  const { context } = walk;
  if (text === null) {
    walk.doubt(`what "${by.name}" runs is known only at run time`, node);
    return undefined;
  }
  if (walk.depth >= DEEPEST) {
    walk.doubt(`text for "${by.name}" in too many texts`, node);
    return undefined;
  }
  context.findings.texts.add(text);
  const { script, doubts } = readText(text);
  const question = ({ reason }: Doubt) => walk.doubt(`text for "${by.name}": ${reason}`, node);
  doubts.forEach(question);
  if (/^(?:zsh|fish|t?csh|yash|\w*ksh|ksh93)$/.test(by.name) && !ANY_SHELL.test(text)) {
    walk.doubt(`text for "${by.name}", which reads it in its own way`, node);
  }
  if (/^(?:da|a)?sh$/.test(by.name) && BASH_ALONE.test(text)) {
    walk.doubt(`text for "${by.name}", which may not know a variable of bash`, node);
  }
  if (script === undefined) return undefined;
  // Its options are not looked at here.
  context.breaksOff ||= !here;
  // What the line around it exports comes with it.
  const variables = variablesOf(
    script,
    text,
    context,
    here ? [] : walk.variables.set,
  );
  variables.errors.forEach(question);
  // The line around it does not show that they are evaluated from then on.
  if (here && variables.integers.size > 0) walk.doubt(ARITHMETIC, node);
  const options = {
    variables: here ? seenFromAround(variables, walk.variables, by.name === "eval") : variables,
    functions: here ? walk.functions : new Map(),
    left: here ? walk.left : [],
    within: walk.span(node),
    startedBy: by,
    depth: walk.depth + 1,
  };
  if (by.name === "trap") {
    const names = commandsIn(script);
    if (names.some((name) => MOVES.test(name))) walk.doubt("a trap that leads elsewhere", node);
    // It outlives that text.
    if (walk.startedBy?.name === "eval") walk.doubt("a trap in a text that is run", node);
    // It can be a function, of which nothing is known here.
    if (names.some((name) => /[$`]/.test(name))) walk.doubt(UNKNOWN_NAME, node);
    // Before the functions, which it can call.
    const run = (then: State) => {
      if (early && [...calls(script, walk)].some(changes)) {
        walk.doubt("a trap that calls a function, which changes where commands work", node);
      }
      if (early && nodesIn(script).some(({ type }) => type === "Function")) {
        walk.doubt("a trap that defines a function", node);
      }
      walk.nested(script, { state: then, inherited: {} }, options);
    };
    walk.traps.unshift({ from: walk.passed.size, run });
    walk.passed.push(state);
    return undefined;
  }
  const [self, ...others] = given ?? [];
  const places = [
    { name: ARGUMENTS, items: given && argumentsOf(others) },
    { name: SELF, texts: self === undefined ? undefined : argumentsOf([self]) },
  ];
  const inside = withValues(withoutValues(state), places);
  const after = walk.nested(script, { state: inside, inherited: input }, options);
  return here ? { ok: withoutValues(after.ok), fail: withoutValues(after.fail) } : staying(state);
}
