import {
  isPattern,
  isUnknown,
  knownText,
  plainText,
  quoted,
  type Words,
} from "../../words/word-marks.ts";
import type { Value } from "../../words/value.ts";
import { NUMBER, OWN_PATH, TEMPORARY, UNKNOWN } from "../../words/placeholders.ts";
import type { Lines } from "../../program/output/output-lines.ts";
import type { State } from "../walk-state.ts";
import type { Reading } from "../walker.ts";
import { withHome } from "../command/resolve.ts";
import { textSpelled } from "./spelled.ts";

/** The text that a command prints, where the line tells it. */
export function textPrinted(reading: Reading, words: Words): Lines | undefined {
  const [name = "", ...rest] = words;
  if (/^(?:cat|echo|printf)$/.test(name)) {
    const given = rest.map((word) => withHome(reading.walk.context, word));
    const text = !given.some(isPattern)
      ? textSpelled([name, ...given.map(textWithNumbers)], reading.input)
      : null;
    if (text === null) return undefined;
    // What comes through a pipe may also be nothing.
    const isSure = name !== "cat" || reading.input.from === "text";
    return { fields: [], texts: isSure ? [quoted(text)] : [quoted(text), ""] };
  }
  const texts = namesPrinted(reading, words);
  return texts && { fields: [], texts: texts.map((each) => `${each}\n`) };
}

/** A text in which numbers can stand that are known only at run time. */
function textWithNumbers(marked: string): string | null {
  return knownText(marked.replaceAll(NUMBER, "")) === null ? null : plainText(marked);
}

/** Variables that decide where Go and npm keep what they install. */
const SETS_PLACES = /^(?:GO(?:PATH|MODCACHE|ENV)|HOME|npm_\w+)$/i;

/** The names that such a text can be. */
function namesPrinted(
  { state, walk: { context, variables } }: Reading,
  [name, ...words]: Words,
): Words | undefined {
  const expanded = (word: string) => withHome(context, word);
  const [here, ...others] = directoriesOf(state) ?? [];
  const isHere = others.length === 0 && plainText(here) === context.facts.cwd;
  const line = [name, ...words].join(" ");
  switch (name) {
    case "pwd":
      return words.every((word) => /^-[LP]$/.test(word)) ? directoriesOf(state) : undefined;
    case "git": {
      const top = isHere && line === "git rev-parse --show-toplevel"
        ? context.facts.workTree?.()
        : undefined;
      return top === undefined ? undefined : [quoted(top)];
    }
    case "go":
    case "npm": {
      const { home, cwd } = context.facts;
      const below = /^go env GO(?:PATH|(MODCACHE))$/.exec(line);
      const inHome = below && home && `${home}/go${below[1] ? "/pkg/mod" : ""}`;
      const place = isHere && line === "npm root" ? `${cwd}/node_modules` : inHome;
      const isSet = [...variables.set].some((each) => SETS_PLACES.test(each));
      return isSet || !place ? undefined : [quoted(place)];
    }
    case "command":
    case "which": {
      // What that name stands for when it is run.
      const [tool = "", ...others] = name === "command" && words[0] === "-v"
        ? words.slice(1)
        : name === "which"
        ? words
        : [];
      return others.length === 0 && /^\w[\w.+-]*$/.test(tool) ? [`${OWN_PATH}/${tool}`] : undefined;
    }
    case "dirname":
    case "basename":
      return partsOfName(
        name,
        (words[0] === "--" ? words.slice(1) : words).map((word) =>
          context.choices.expand(word).map(expanded)
        ),
      );
    default:
      return undefined;
  }
}

/** Where the shell may stand, where that is known. */
export function directoriesOf({ dirs }: State): Value {
  return dirs.some((dir) => dir === UNKNOWN || isPattern(dir)) ? undefined : dirs;
}

/** What stands in front of the last name of a path, and that name; slashes at its end mean nothing. */
const LAST_NAME = /^(?:([^]*?)(?<!\/)\/+)?([^/]+)\/*$/;

const IN_NEW_DIRECTORY = new RegExp(`^${TEMPORARY}(?=/+[^/])`);

/** What `dirname` or `basename` makes of words that the line tells. */
export function partsOfName(tool: string, words: readonly Words[]): Words | undefined {
  const [texts = [], suffixes, ...others] = words;
  const [suffix = "", ...more] = suffixes ?? [];
  if (others.length + more.length > 0 || (tool === "dirname" && suffixes !== undefined)) {
    return undefined;
  }
  const ending = plainText(suffix);
  // What is above a new directory is not looked at.
  const isKnown = (text: string) => !isUnknown(text.replace(IN_NEW_DIRECTORY, ""));
  if (![...texts, suffix].every(isKnown) || !/^[\w.-]*$/.test(ending)) return undefined;
  if (texts.length === 0 || texts.some((text) => text.startsWith("-"))) return undefined;
  return texts.map((text) => {
    const [, dir = "", name = ""] = LAST_NAME.exec(text) ?? [];
    const root = text.startsWith("/") ? "/" : "";
    if (tool === "dirname") return dir || root || ".";
    // A name that is the suffix stays.
    const ends = ending !== "" && name.length > ending.length && plainText(name).endsWith(ending);
    return ends ? name.slice(0, -ending.length) : name || root;
  });
}
