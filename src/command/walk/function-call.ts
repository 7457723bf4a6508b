import type { CommandNode } from "unbash";
import { plainText, type Words } from "../words/word-marks.ts";
import { type Assigned, declaredIn, ownNames } from "./values/assignments.ts";
import { ARGUMENTS, type Held, held } from "./values/held.ts";
import { argumentsOf } from "./values/known-words.ts";
import { type After, either, type State, withValues } from "./walk-state.ts";
import type { Start, Walker } from "./walker.ts";

/** Run the function of the line that the words call. */
export function called(
  walk: Walker,
  words: Words,
  { body, assigned, vanishes, ...start }: Start & {
    readonly body: CommandNode;
    readonly assigned: readonly Assigned[];
    readonly vanishes: boolean;
  },
  after: After,
): After {
  const name = plainText(words[0]);
  if (walk.calls.includes(name) || walk.calls.length > 8) {
    walk.doubt(`the function "${name}" calls itself`, body);
    return after;
  }
  walk.calls.push(name);
  walk.context.called.add(body);
  const before = walk.left.length;
  const places = vanishes ? undefined : argumentsOf(words.slice(1));
  const given = [{ name: ARGUMENTS, items: places }, ...assigned];
  const { rounds } = walk;
  walk.rounds = 0;
  const { ok, fail } = walk.body(body, { ...start, state: withValues(start.state, given) });
  walk.rounds = rounds;
  walk.calls.pop();
  const left = walk.left.splice(before);
  const undo = [held(start.state.values, ARGUMENTS)];
  const declared = declaredIn(body);
  const kept = ownNames(body);
  const back = (end: State) => {
    const all = left.reduce(either, end);
    const own = declared.map((name): Held => {
      if (!kept.includes(name)) return { name };
      const { isFunction } = held(all.values, name);
      return { ...held(start.state.values, name), isFunction };
    });
    const last = withValues(all, own);
    if (last.ended) return { ...start.state, ended: true as const };
    // It is certain that it is the function where it is known what it prints.
    const printed = after.ok.printed && last.printed;
    return { ...either(start.state, withValues(last, undo)), printed };
  };
  return { ok: back(ok), fail: back(fail) };
}
