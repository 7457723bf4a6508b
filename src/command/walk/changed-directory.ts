import { optionSpec, parseOptions } from "../program/parse-options.ts";
import { UNKNOWN } from "../words/placeholders.ts";
import { isUnknown, plainText, quoted, type Words } from "../words/word-marks.ts";
import type { Context } from "./findings.ts";
import { type Resolved, resolveDirectory, resolveWord } from "./command/resolve.ts";
import { held } from "./values/held.ts";
import { ANYWHERE, elsewhere, isLost, type State } from "./walk-state.ts";
import type { Reading } from "./walker.ts";

const CD = optionSpec("L P e @");

/** Where a builtin leads the shell. */
export interface Move {
  readonly to: State;
  readonly uses: readonly Resolved[];
}

/** What `moved` is about. */
export const MOVES: RegExp = /^(?:cd|chdir|pushd|popd)$/;

/** Where `cd`, `pushd` and `popd` lead the shell when they succeed. */
export function moved(
  context: Context,
  [name, ...words]: Words,
  { state, cdpath }: { readonly state: State; readonly cdpath: boolean },
): Move {
  const { home } = context.facts;
  const lost = { ...state, dirs: ANYWHERE };
  const unknown: Move = { to: lost, uses: [{}] };
  if (name === "popd") {
    const [dirs, ...stack] = words.length === 0 ? state.stack ?? [] : [];
    if (words.length > 0) return { ...unknown, to: { ...lost, stack: undefined } };
    return dirs === undefined ? unknown : { to: { ...state, dirs, stack }, uses: [] };
  }
  const { operands, options, unknown: misread } = parseOptions(words, { spec: CD });
  const [operand] = operands;
  if (misread || operands.length > 1) return unknown;
  if (operand === undefined) {
    if (name === "pushd" || home === undefined) return unknown;
    return { to: { ...state, dirs: [quoted(home)] }, uses: [{ path: home }] };
  }
  const before = held(state.values, "OLDPWD").texts;
  if (operand === "-" && before && name !== "pushd" && !before.includes(UNKNOWN)) {
    // Where it is empty, the shell has not moved yet: this fails, and leaves it there.
    const dirs = before.filter((dir) => dir !== "");
    return { to: dirs.length === 0 ? state : { ...state, dirs }, uses: [] };
  }
  if (/^[-+]/.test(plainText(operand))) return unknown;
  const physical = options.some((option) => option.name === "P");
  const there = resolveDirectory(context, operand, { state, physical });
  const left = isLost(state) || state.stack === undefined
    ? undefined
    : [state.dirs, ...state.stack];
  const to = name === "pushd" ? { ...there, stack: left } : there;
  const uses = resolveWord(context, operand, { state, reads: true }).filter(({ fresh }) => !fresh);
  // With CDPATH set, only a word that starts with a dot or a slash is sure to be taken from here.
  const byPath = cdpath && !/^(?:\/|\.\.?(?:\/|$)|~)/.test(operand);
  return {
    to: byPath ? elsewhere(to) : to,
    uses: isLost(to) && uses.length === 0 ? [{}] : uses,
  };
}

/** Whether `cd` prints where it goes. */
export function printsDirectory(reading: Reading, [word = ""]: Words): boolean {
  const texts = reading.walk.context.choices.expand(word);
  return hasCdpath(reading) || texts.some((each) => each.startsWith("-") || isUnknown(each));
}

/** Whether `CDPATH` can be set, by which `cd` goes elsewhere than from here. */
export function hasCdpath(
  { walk: { context: { findings, facts } }, assignments }: Reading,
): boolean {
  return [...findings.sets, ...assignments].some(({ name }) => name === "CDPATH") ||
    facts.state?.variables?.includes("CDPATH") === true || facts.env?.includes("CDPATH") === true;
}
