import { isUnknown, plainText, type Words } from "../words/word-marks.ts";
import { givenAs, valuesOf } from "./parse-options.ts";
import { names, pattern } from "./remembered.ts";
import type { Command, RawUse } from "./taken-apart.ts";
import { used } from "./uses.ts";

/** The file that words start as a program, if they name one. */
export function programFile([word = ""]: Words): readonly RawUse[] {
  return word.includes("/") || isUnknown(word) ? used([word], "run") : [];
}

/** An option with the code that it names, of which what follows are arguments: not with modules that run a script. */
const NAMES_CODE =
  /^-jar |^-m (?!(?:i?pdb|pudb|cProfile|profile|trace|runpy|coverage|pytest|doctest|unittest|debugpy|scalene|kernprof|memory_profiler|IPython|streamlit)(?:\.|$))/;

/** An option that names what a program runs in place of a file with a fixed name. */
const NAMES_FILE = /^(?:-[fcb]|--(?:[\w-]*file|config|manifest-path|project))[ =]([^]+)$/;

/** The files that a program runs by its record. */
export function scriptFiles({ name, program, words, parsed }: Command): readonly RawUse[] {
  const { script, scripts, files, target, escape } = program;
  if ((script ?? scripts ?? files ?? escape) === undefined) return [];
  const there = givenAs(parsed, target)[0]?.value ?? ".";
  const named = (files ?? escape) === undefined
    ? []
    : words.flatMap((word, at) =>
      [word, `${words[at - 1]} ${word}`].flatMap((each) => NAMES_FILE.exec(each)?.[1] ?? [])
    );
  const given = [...valuesOf(parsed, scripts), ...named];
  const own = [...files === undefined ? [] : names(files), ...given];
  const isOption = (word = "") => /^[-+]/.test(word);
  // What stands behind an option can be its value.
  const first = words.findIndex((word, at) =>
    !isOption(word) && word !== "run" &&
    (!isOption(words[at - 1]) || NAMES_CODE.test(`${words[at - 1]} ${word}`))
  );
  const hasCode = script === undefined ||
    pattern(script).test([name, ...words.map(plainText)].join(" "));
  const front = (hasCode ? [] : words.slice(0, first + 1 || undefined))
    .map((word) => word.replace(/^-[^=]*=/, "")).filter((word) => !isOption(word));
  // `python -m a.b` runs `a/b.py`.
  const modules = words.includes("-m") ? front.map((word) => word.replaceAll(".", "/")) : [];
  const all = [...front, ...modules, ...given, ...own.map((each) => `${there}/${each}`)];
  return used(all, "run");
}
