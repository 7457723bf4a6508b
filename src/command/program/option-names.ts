import { plainText, type Words } from "../words/word-marks.ts";
import type { Programs } from "./programs.ts";
import { anyOf, names, remembered } from "./remembered.ts";

/** The other names of an option of a command, all without dashes: `no-verify` for the `n` of `git commit`. */
export function otherNames(words: Words, option: string, programs: Programs): readonly string[] {
  const found = programs.find(words);
  if (found === undefined) return [];
  const verb = plainText(found.words[0]);
  const record = found.program.commands?.find(({ names: own }) => anyOf(own).test(verb)) ??
    found.program;
  return [record.options, record.sameOptions]
    .flatMap((table) => groups(table ?? ""))
    .filter((group) => group.includes(option))
    .flatMap((group) => group.filter((each) => each !== option));
}

/** Whether the operands of a command are goals, in any order, as those of `make`: of a program that is not known they could be. */
export function takesGoals(words: Words, programs: Programs): boolean {
  const found = programs.find(words);
  if (found === undefined) return true;
  const { goals = "", runs, arity } = found.program;
  const called = plainText(words[0]).replace(/^.*[\\/]/, "");
  return (runs === true && arity === undefined) || names(goals).includes(called);
}

/** The names of each option of a table that has several. */
const groups = remembered((table) =>
  names(table).map((entry) =>
    entry.replace(/[:=?]+$/, "").split(",").map((name) => name.replace(/^-/, ""))
  ).filter((group) => group.length > 1)
);
