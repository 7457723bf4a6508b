import type { Case, CompoundList, For, If, Select } from "unbash";
import { NUMBER, TEMPORARY, UNKNOWN } from "../words/placeholders.ts";
import { isCount, isNumber, isUnknown, type Words } from "../words/word-marks.ts";
import { joinedLines, NO_LINES } from "../program/output/output-lines.ts";
import { PLAIN_PARTS } from "./command/resolve.ts";
import { namesOf, readWord } from "./values/known-words.ts";
import type { After, State } from "./walk-state.ts";
import { either, staying, union, widened, withValues } from "./walk-state.ts";
import type { Held } from "./values/held.ts";
import { ARITHMETIC } from "./values/names.ts";
import { isInteger } from "./values/names-set.ts";
import { expansions } from "./expansions.ts";
import { sharingInput } from "./shared-input.ts";
import type { Start, Walker } from "./walker.ts";

/** Walk `if`: its conditions, then what either end of them leads to. */
export function choice(walk: Walker, node: If, start: Start): After {
  const { state, inherited } = sharingInput(start);
  let from = state;
  const ends = [node, ...node.elif].map(({ clause, then }) => {
    const condition = walk.sequence(clause.commands, { state: from, inherited });
    from = condition.fail;
    return walk.sequence(then.commands, { state: condition.ok, inherited });
  });
  const otherwise = node.else?.commands ?? [];
  return [...ends, walk.sequence(otherwise, { state: from, inherited })].reduce(union);
}

/** Walk `case`: every item can be the one, or none where no item fits everything. */
export function cases(walk: Walker, node: Case, start: Start): After {
  const { state, inherited } = sharingInput(start);
  expansions(walk, [node.word], state);
  const isSure = node.items.some(({ pattern }) => pattern.some(({ text }) => text === "*"));
  let after = staying(isSure ? { ...state, ended: true } : state);
  for (const [at, { pattern, body }] of node.items.entries()) {
    expansions(walk, pattern, state);
    // `;&` goes on with the next item, whatever this one did.
    const goesOn = /&$/.test(node.items[at - 1]?.terminator ?? "");
    const from = goesOn ? either(state, either(after.ok, after.fail)) : state;
    after = union(after, walk.sequence(body.commands, { state: from, inherited }));
  }
  return after;
}

/** Most rounds of a loop until nothing new comes of another one. */
const MOST_ROUNDS = 4;

/** Walk what a loop repeats, with what each round sets first, until its state holds for any number of rounds. */
export function loop(
  walk: Walker,
  parts: readonly CompoundList[],
  around: Start,
  goesOnBy: keyof After = "ok",
  sets: readonly Held[] = [],
): After {
  const start = sharingInput(around);
  // What it repeats are lines, however often they are printed.
  let entry = { ...start.state, printed: joinedLines(NO_LINES, start.state.printed) };
  walk.rounds++;
  walk.context.repeats++;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let at = withValues(entry, sets);
    let tested: State | undefined;
    const { context: { breaksOff, leastPrinted }, functions: { size: defined } } = walk;
    const left = walk.left.length;
    for (const { commands } of parts) {
      const after = walk.sequence(commands, { ...start, state: at });
      at = either(after.ok, after.fail);
      if (parts.length > 1 && tested === undefined) {
        tested = at;
        at = after[goesOnBy];
      }
    }
    const merged = walk.left.slice(left).reduce(either, either(entry, at));
    // What a round has defined, the next one can call; the options that it sets hold for that, too.
    const same = merged === entry && walk.functions.size === defined &&
      walk.context.breaksOff === breaksOff && walk.context.leastPrinted === leastPrinted;
    if (same) {
      walk.rounds--;
      walk.context.repeats--;
      // What the condition has done stays when it ends the loop.
      return staying(tested === undefined ? entry : either(entry, tested));
    }
    entry = round === 0 ? merged : widened(entry, merged);
  }
  walk.rounds--;
  walk.context.repeats--;
  const [first] = parts.flatMap(({ commands }) => commands);
  if (first !== undefined) walk.doubt("a loop of more rounds than are followed", first);
  return staying(entry);
}

/** Walk `for name in values` or `select`. */
export function eachValue(walk: Walker, node: For | Select, { state, inherited }: Start): After {
  const { name: { value: name }, wordlist = [], body } = node;
  expansions(walk, wordlist, state);
  walk.context.findings.sets.push({ name, value: null, span: walk.span(node.name) });
  const texts = node.type === "For" ? valuesOf(walk, node, state) : undefined;
  if (isInteger(name, walk.variables) && !texts?.every(isCount)) walk.doubt(ARITHMETIC, node.name);
  const sets = [{ name, texts }];
  const inside = withValues(state, sets);
  const { ok } = loop(walk, [body], { state: inside, inherited }, "ok", sets);
  const rounds = node.wordlist === undefined ? ok : either(inside, ok);
  // There can be no round.
  return staying(either(state, rounds));
}

/** Of at most so many numbers each is followed, as it can be the name of a directory; more are any number. */
const FEW = 8;
/** Braces that stand for more numbers than are followed. */
const MANY_NUMBERS = /^\{\d+\.\.\d+(?:\.\.\d+)?\}$/;

function valuesOf(walk: Walker, { wordlist: words }: For, state: State): Words | undefined {
  const read = words?.flatMap((word) =>
    namesOf(walk, word, state) ?? readWord(walk, word, state) ??
      [MANY_NUMBERS.test(word.text) ? NUMBER : UNKNOWN]
  );
  const marked = (read ?? walk.scope(state).items("@") ?? [])
    .flatMap((word) => walk.context.choices.expand(word));
  if (marked.length > FEW && marked.every(isNumber)) return [NUMBER];
  const known = marked.map((word) =>
    isUnknown(word.replace(TEMPORARY, "").replaceAll(PLAIN_PARTS, "")) ? UNKNOWN : word
  );
  return known.length > 0 ? [...new Set(known)] : undefined;
}
