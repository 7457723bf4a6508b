import { NUMBER, OWN_PATH } from "../../words/placeholders.ts";
import { isPattern } from "../../words/word-marks.ts";
import type { Scope } from "../../words/word.ts";
import { isOwnCount } from "./names-set.ts";
import { outputOf } from "../output/printed.ts";
import { directoriesOf } from "../output/text-printed.ts";
import type { State } from "../walk-state.ts";
import type { Walker } from "../walker.ts";
import { ARGUMENTS, held, SELF } from "./held.ts";
import { isOutside, isTracked } from "./text-variables.ts";

/** What words can refer to at a point of a text. */
export function scopeAt(walk: Walker, state: State): Scope {
  const { facts: { home }, choices } = walk.context;
  return {
    placeholder: (texts) => choices.placeholder(texts),
    values: (name) => {
      if (isOwnCount(name, walk.variables)) return [NUMBER];
      if (name === "PWD") return walk.variables.wild ? undefined : directoriesOf(state);
      if (name === "PATH") return [OWN_PATH];
      if (name === "HOME") {
        return walk.variables.untracked.has(name) || home === undefined ? undefined : [home];
      }
      if (!/^\d/.test(name)) {
        if (!isTracked(name, walk.variables)) return undefined;
        const { texts, elements } = held(state.values, name);
        // An array alone is its first element.
        const [first = ""] = elements ?? [];
        // Of names that are found the next one can be the first, or there is none.
        const firsts = elements && (elements.some(isPattern) ? [...elements, ""] : [first]);
        return texts ?? firsts;
      }
      const all = walk.variables.wild ? undefined : held(state.values, ARGUMENTS).elements;
      const [self] = held(state.values, SELF).texts ?? [];
      const given = name === SELF ? self : all?.[Number(name) - 1];
      if (given !== undefined) return choices.expand(given);
      return all === undefined || name === SELF ? undefined : [""];
    },
    elements: (name) => {
      if (isOwnCount(name, walk.variables)) return [NUMBER];
      const isKnown = held(state.values, name).isMap || isTracked(name, walk.variables);
      return isKnown ? held(state.values, name).some : undefined;
    },
    isOutside: (name) => walk.depth === 0 && isOutside(name, walk.variables),
    spellsMore: (part) => walk.doubt("an option or several words in an expansion", part),
    output: (part, inQuotes) => outputOf(part, walk, inQuotes),
  };
}
