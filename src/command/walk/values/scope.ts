import { NUMBER, OWN_PATH } from "../../words/placeholders.ts";
import { isNumber, type Words } from "../../words/word-marks.ts";
import type { Scope } from "../../words/word.ts";
import { isOwnCount } from "./names-set.ts";
import { outputOf } from "../output/printed.ts";
import { directoriesOf } from "../output/text-printed.ts";
import type { State } from "../walk-state.ts";
import type { Walker } from "../walker.ts";
import { ARGUMENTS, type Held, held, SELF } from "./held.ts";
import { isOutside, isTracked } from "./text-variables.ts";

/** What words can refer to at a point of a text. Variables are read here alone: what the line can change unseen is any text. */
export function scopeAt(walk: Walker, state: State): Scope {
  const { variables, context: { facts: { home }, choices } } = walk;
  const { counters, untracked, wild } = variables;
  const followed = (name: string): Held =>
    isTracked(name, variables) ? held(state.values, name) : { name };
  // What arithmetic sets can be any number.
  const counted = (name: string, texts: Words | undefined) =>
    texts && counters.has(name) ? [...texts.filter((each) => !isNumber(each)), NUMBER] : texts;
  const values = (name: string): Words | undefined => {
    if (isOwnCount(name, variables)) return [NUMBER];
    if (name === "PWD") return wild ? undefined : directoriesOf(state);
    if (name === "IFS") return wild ? undefined : held(state.values, name).texts;
    if (name === "PATH") return [OWN_PATH];
    if (name === "HOME") return untracked.has(name) || home === undefined ? undefined : [home];
    if (/^[1-9]/.test(name)) {
      const given = followed(ARGUMENTS).items;
      return given && choices.expand(given[Number(name) - 1] ?? "");
    }
    if (name === SELF) {
      return held(state.values, SELF).texts?.flatMap((each) => choices.expand(each));
    }
    return counted(name, followed(name).texts);
  };
  return {
    placeholder: (texts) => choices.placeholder(texts),
    values,
    items: (name) => followed(name).items,
    elements: (name) => {
      if (isOwnCount(name, variables)) return [NUMBER];
      const { isMap, some } = held(state.values, name);
      return isMap || isTracked(name, variables) ? some : undefined;
    },
    keys: (name) =>
      held(state.values, name).keys ??
        (variables.possibleMaps.has(name) || wild ? undefined : [NUMBER]),
    isOutside: (name) => walk.depth === 0 && isOutside(name, variables),
    spellsMore: (part) => walk.doubt("an option or several words in an expansion", part),
    output: (part, inQuotes) => outputOf(part, walk, inQuotes),
  };
}
