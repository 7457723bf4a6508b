import type { Danger } from "../../event/analysis.ts";
import { plainText, type Words } from "../words/word-marks.ts";
import { STARTS_PROGRAMS } from "./code.ts";
import { LINE_DANGERS } from "./records/lines.ts";
import { remembered } from "./remembered.ts";

/** What is dangerous about a command by its name and its words as a whole. */
export function lineDangers(name: string, words: Words): readonly Danger[] {
  if (!NAMES.test(name)) return [];
  const texts = words.map(plainText);
  const line = [name, ...texts.map((text) => text.replace(/\s/g, IN_WORD))].join(" ");
  const fits = (each: string) => whole(each).exec(line)?.[0];
  return startingWith(name).flatMap(({ name, reason, lines, without, code }) => {
    if (without !== undefined && fits(without) !== undefined) return [];
    if (code && !texts.some((text) => STARTS_PROGRAMS.test(text.replace(EVAL, "")))) return [];
    const found = lines.flatMap((each) => fits(each) ?? [])[0];
    const spelled = found?.split(" ").map((word) => word.replaceAll(IN_WORD, " "));
    return spelled === undefined ? [] : [{ name, reason, words: spelled }];
  });
}

/** What only says that there is code. */
const EVAL = /^[\w:-]*eval(?:=|$)/;
/** What stands for a blank in a word. */
const IN_WORD = "\x1f";
/** The names that some line begins with. */
const NAMES = new RegExp(
  `^(?:${LINE_DANGERS.flatMap(({ lines }) => lines.map((line) => line.split(" ", 1))).join("|")})$`,
);

/** The dangers of lines that start with a name. */
const startingWith = remembered((name: string) =>
  LINE_DANGERS.flatMap((danger) => {
    const begins = (line: string) => new RegExp(`^${line.split(" ", 1)}$`).test(name);
    const lines = danger.lines.filter(begins);
    return lines.length === 0 ? [] : [{ ...danger, lines }];
  })
);

const whole = remembered((line: string) => {
  const [first = "", ...parts] = line.replaceAll(" -…", "(?: -\\S+)*?").split(" … ");
  // Where a part is found first is where it is looked for the next one, so that this takes no long time.
  const found = parts.map((part, at) => `(?=(?<p${at}>(?: \\S+)*? ${part}(?= |$)))\\k<p${at}>`);
  return new RegExp(`^${first}(?= |$)${found.join("")}`);
});
