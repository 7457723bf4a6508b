import { isUnknown, plainText, type Words } from "../../words/word-marks.ts";
import { hiddenLike, withDots } from "./name-patterns.ts";

/** It chooses lines by one expression. */
const CHOOSES = /^[ef]?grep(?:\0-[viwxEFP]+)*\0(?!-)[^\0]+$/;

/** The names that `grep` chooses from those that come in; `undefined` where it does more. */
export function chosenNames(name: string, marked: Words, found?: Words): Words | undefined {
  const words = marked.map(plainText);
  if (marked.some(isUnknown) || !CHOOSES.test([name, ...words].join("\0"))) return undefined;
  const options = words.filter((word) => word.startsWith("-")).join("");
  if (found === undefined || options.includes("v")) return found;
  // What it looks for is named, where anything comes in.
  const expression = words.at(-1) ?? "";
  const named = hiddenLike(options.includes("F") ? expression.replace(/\W/g, "\\$&") : expression);
  const wide = found.filter((each) => each.endsWith("**/*"));
  // What ends in `.ts` or `.(js|ts)` is no other file, and no settings.
  const [, ends = ""] = /^[^|]*\\\.\(?([a-z\d|?]+)\)?\$$/.exec(expression) ?? [];
  const keepsAll = ends === "" || /json|toml|ml|sample|md|sh/.test(ends) || options.includes("F") ||
    (/[(|?]/.test(expression) && !/^eg|E|P/.test(name + options));
  const kept = found.flatMap((each) => {
    if (keepsAll || !wide.includes(each)) return each;
    return ends.split("|").flatMap((end) => withDots(`${each}.${end.replace(/.\?/g, "*")}`));
  });
  return [...kept, ...wide.flatMap((each) => named.map((like) => each.slice(0, -1) + like))];
}
