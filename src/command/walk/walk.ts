import type * as bash from "unbash";
import { arithmetic, expansions } from "./expansions.ts";
import { cases, choice, eachValue, loop } from "./branches.ts";
import { inputOf, readRedirects } from "./redirects.ts";
import { inputFrom, printedBy } from "./output/printed.ts";
import { eitherLines, NOTHING } from "../program/output/output-lines.ts";
import { NUMBER } from "../words/placeholders.ts";
import { led } from "./output/streams.ts";
import { scopeAt } from "./values/scope.ts";
import { ARGUMENTS, held } from "./values/held.ts";
import { withTested } from "./values/tested.ts";
import { sharingInput } from "./shared-input.ts";
import { simple, unlessOpened } from "./simple.ts";
import { FALLBACK } from "./command/shadows.ts";
import {
  type After,
  either,
  elsewhere,
  PassedStates,
  type State,
  staying,
  withoutValues,
  withValues,
} from "./walk-state.ts";
import { MOST_COMMANDS } from "./findings.ts";
import type { Inherited, Start, Walker, WalkOptions } from "./walker.ts";

/** Go through a text in the order of execution, and gather what it could run. */
export function walkText(script: bash.ParsedScript, start: Start, options: WalkOptions): After {
  // Field by field: what is spread has another shape each time, and is slow to read for ever.
  const walk: Walker = {
    context: options.context,
    variables: options.variables,
    functions: options.functions,
    left: options.left,
    within: options.within,
    startedBy: options.startedBy,
    depth: options.depth,
    calls: [...options.calls],
    traps: [],
    passed: new PassedStates(),
    rounds: 0,
    sequence: (statements, from) => sequence(walk, statements, from),
    subshell: (inner, from) => subshell(walk, inner, from),
    nested: (inner, from, changes) => walkText(inner, from, { ...walk, ...changes }),
    body: (body, from) => statement(walk, body, from),
    span: ({ pos, end }) => walk.within ?? { start: pos, end },
    doubt: (reason, node) =>
      void walk.context.findings.doubts.push({ reason, span: { ...walk.span(node) } }),
    scope: (state) => scopeAt(walk, state),
  };
  const after = sequence(walk, script.commands, start);
  noteEnd(walk, after);
  for (let trap; (trap = walk.traps.shift()) !== undefined;) {
    trap.run(walk.passed.since(trap.from));
  }
  return after;
}

function sequence(
  walk: Walker,
  statements: readonly bash.Statement[],
  around: Start,
): After {
  const start = statements.length > 1 ? sharingInput(around) : around;
  let after = staying(start.state);
  for (const { command, background } of statements) {
    const state = either(after.ok, after.fail);
    const { rounds } = walk;
    if (background) walk.rounds = 0;
    if (background) walk.context.repeats++;
    after = statement(walk, command, { ...start, state });
    if (background) walk.context.repeats--;
    walk.rounds = rounds;
    if (!background) continue;
    noteEnd(walk, after);
    // A job in the background is a process of its own, and prints at any time.
    after = staying(state);
    walk.context.early = undefined;
  }
  return after;
}

function subshell(walk: Walker, script: bash.ParsedScript, { state, inherited }: Start): void {
  const { context } = walk;
  const { source, commands } = script;
  if (source !== undefined) context.findings.texts.add(source);
  const within = walk.span(script);
  const start = { state: { ...state, printed: NOTHING }, inherited };
  const after = apart(
    walk,
    start.state,
    () =>
      source === undefined
        ? sequence(walk, commands, start)
        : walk.nested(script, start, { within }),
  );
  context.outputs.set(script, after);
}

/** A process of its own has ended, where its traps are run. */
function noteEnd(walk: Walker, { ok, fail }: After): void {
  if (walk.traps.length === 0) return;
  walk.passed.push(ok);
  walk.passed.push(fail);
}

/** Walk what is a process of its own: of it only what it prints matters to what follows. */
function apart(walk: Walker, state: State, walked: () => After): After {
  const { moves, idle } = walk.context;
  const before = new Set(moves);
  const { rounds, traps: { length: trapped } } = walk;
  // It leaves no loop around it.
  walk.rounds = 0;
  const after = printedBy(walk.context, state, () => {
    const end = walked();
    noteEnd(walk, end);
    return end;
  });
  walk.rounds = rounds;
  for (const use of moves) {
    if (before.has(use) || !moves.delete(use)) continue;
    // A trap of its own runs where it ends.
    if (walk.traps.length === trapped) idle.add(use);
  }
  return after;
}

/** Where more names are known than this, a statement counts as several: what they hold is compared at its end. */
const NAMES_OF_ONE = 64;

function statement(
  walk: Walker,
  node: bash.PipelineNode | bash.AndOr,
  start: Start,
  isTested = false,
): After {
  const { context } = walk;
  context.count += Math.ceil((start.state.values.size + 1) / NAMES_OF_ONE);
  if (context.count > MOST_COMMANDS) return staying(start.state);
  if (walk.traps.length > 0) walk.passed.push(start.state);
  const { streams } = start.inherited;
  // Errors can be among what reaches the output.
  if (streams === null || streams?.errors) context.early = undefined;
  switch (node.type) {
    case "AndOr":
      return list(walk, node, start);
    case "Pipeline": {
      const [only, ...others] = node.commands;
      if (only === undefined) return staying(start.state);
      if (others.length > 0) return pipeline(walk, node, start);
      const { ok, fail } = statement(walk, only, start, isTested);
      const negations = node.prefixes.filter(({ type }) => type === "Negation").length;
      return negations % 2 === 1 ? { ok: fail, fail: ok } : { ok, fail };
    }
    default: {
      const after = command(walk, node, start);
      // What stands in front of `&&` and `||` may fail.
      if (context.breaksOff && !isTested) {
        context.early = eitherLines(context.early, after.fail.printed);
      }
      return after;
    }
  }
}

function command(walk: Walker, node: bash.CommandNode, start: Start): After {
  const { state } = start;
  switch (node.type) {
    case "Command":
      return simple(walk, node, start);
    case "Redirected": {
      const opened = readRedirects(walk, node.redirects, state);
      const input = inputOf(walk, node.redirects, state) ??
        sharingInput(start, node.redirects).inherited;
      const streams = led(node.redirects, start.inherited.streams);
      const inherited = {
        ...input,
        opened: [...start.inherited.opened ?? [], ...opened],
        streams,
      };
      const after = statement(walk, node.command, { state, inherited });
      return unlessOpened(state, node.redirects, after);
    }
    case "Subshell":
      return apart(walk, state, () => sequence(walk, node.body.commands, start));
    case "BraceGroup":
      return sequence(walk, node.body.commands, start);
    case "If":
      return choice(walk, node, start);
    case "Case":
      return cases(walk, node, start);
    case "While":
      return loop(walk, [node.clause, node.body], start, node.kind === "until" ? "fail" : "ok");
    case "For":
    case "Select":
      return eachValue(walk, node, start);
    case "ArithmeticFor": {
      if (node.initialize !== undefined) arithmetic(walk, node.initialize, state);
      const name = counterOf(node.initialize);
      const inside = name ? withValues(state, [{ name, texts: [NUMBER] }]) : state;
      const after = loop(walk, [node.body], { ...start, state: inside });
      // These find what a round has left, too.
      for (const part of [node.test, node.update]) {
        if (part !== undefined) arithmetic(walk, part, either(inside, after.ok));
      }
      // An error ends it before the first round.
      return staying(either(state, after.ok));
    }
    case "ArithmeticCommand":
      if (node.expression !== undefined) arithmetic(walk, node.expression, state);
      else if (node.body.trim() !== "") walk.doubt("arithmetic that cannot be read", node);
      return staying(state);
    case "TestCommand": {
      expansions(walk, [node.expression], state);
      return { ok: withTested(walk, state, node.expression), fail: state };
    }
    case "Function":
      return define(walk, node, start);
    case "Coproc":
      walk.doubt("a coprocess", node);
      if (node.body.type !== "CompoundList") statement(walk, node.body, start);
      return staying(state);
  }
}

/** The variable that a loop counts with. */
function counterOf(node?: bash.ArithmeticExpression): string | undefined {
  const isSet = node?.type === "ArithmeticBinary" && node.operator === "=" &&
    node.left.type === "ArithmeticWord" && /^[A-Za-z_]\w*$/.test(node.left.value);
  return isSet ? node.left.value : undefined;
}

/** For more functions than this it is not followed what they can find. */
const MOST_FUNCTIONS = 64;

/** A function that the line does not call, or that others can call, counts as run with any arguments. */
function define(walk: Walker, node: bash.Function, { state, inherited }: Start): After {
  const { context, functions } = walk;
  const { name: { value: name }, body } = node;
  // There is an error, so the text is searched for what is denied.
  if (body.type === "CompoundList") return staying(state);
  const takesName = () => walk.doubt(`a function takes the name of "${name}"`, node);
  if (context.programs.isReserved(name)) takesName();
  if ((functions.get(name) ?? body) !== body) walk.doubt(`a second function "${name}"`, node);
  functions.set(name, body);
  const run = (then: State) => {
    // A shell that the line starts has it, where it counts as the program.
    if (context.exports && context.programs.find([name])) takesName();
    if (context.called.has(body) && !context.exports && name !== FALLBACK) return;
    walk.calls.push(name);
    statement(walk, body, { state: withValues(then, [{ name: ARGUMENTS }]), inherited });
    walk.calls.pop();
  };
  if (walk.traps.length < MOST_FUNCTIONS) {
    walk.traps.push({ from: walk.passed.size, run });
    walk.passed.push(state);
  } else {
    walk.doubt("more functions than are followed", node);
    run(elsewhere(withoutValues(state)));
  }
  return staying(withValues(state, [{ ...held(state.values, name), isFunction: true }]));
}

function list(walk: Walker, { commands, operators }: bash.AndOr, around: Start): After {
  const start = sharingInput(around);
  const [first, ...rest] = commands;
  let after = first === undefined ? staying(start.state) : statement(walk, first, start, true);
  for (const [index, command] of rest.entries()) {
    const or = operators[index] === "||";
    const from = { ...start, state: or ? after.fail : after.ok };
    const next = statement(walk, command, from, index < rest.length - 1);
    after = or
      ? { ok: either(after.ok, next.ok), fail: next.fail }
      : { ok: next.ok, fail: either(after.fail, next.fail) };
  }
  return after;
}

/** Each member of a pipeline is a process of its own. */
function pipeline(
  walk: Walker,
  { commands: members, operators }: bash.Pipeline,
  start: Start,
): After {
  const { state } = start;
  let { streams, ...inherited }: Inherited = start.inherited;
  const { opened } = inherited;
  let last = state;
  for (const [index, member] of members.entries()) {
    const isLast = index === members.length - 1;
    const to = isLast ? streams : { output: true, errors: operators[index] === "|&" };
    const from = {
      state: isLast ? state : { ...state, printed: NOTHING },
      inherited: { streams: to, ...inherited },
    };
    const { ok, fail } = apart(walk, from.state, () => statement(walk, member, from));
    last = either(ok, fail);
    inherited = { opened, ...inputFrom(last.printed) };
  }
  return staying(last);
}
