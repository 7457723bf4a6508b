import { isUnknown, plainText, type Words } from "../../words/word-marks.ts";
import { hiddenLike, withDots } from "./name-patterns.ts";

/** It chooses lines by one expression. */
const CHOOSES = /^[ef]?grep(?:\0-[viwxEFP]+)*\0(?!-)[^\0]+$/;

/** The names that `grep` chooses from those that come in; `undefined` where it does more. */
export function chosenNames(name: string, marked: Words, found: Words): Words | undefined {
  const words = marked.map(plainText);
  if (marked.some(isUnknown) || !CHOOSES.test([name, ...words].join("\0"))) return undefined;
  const options = words.filter((word) => word.startsWith("-")).join("");
  if (options.includes("v")) return found;
  const isFixed = options.includes("F");
  const isExtended = isFixed || /^eg|E|P/.test(name + options);
  const expression = words.at(-1) ?? "";
  // Of any names, what it looks for is named.
  const named = hiddenLike(isFixed ? expression.replace(/\W/g, "\\$&") : expression);
  // What ends in `.ts` or `.(js|ts)` is no other file, and no settings.
  const [, ends = ""] = /^[^|]*\\\.\(?([a-z\d|?]+)\)?\$$/.exec(expression) ?? [];
  const keepsAll = ends === "" || /json|toml|ml|sample|md|sh/.test(ends) || isFixed ||
    (/[(|?]/.test(expression) && !isExtended);
  return found.flatMap((each) => {
    const [, before, isWide] = ANY_NAME.exec(each) ?? [];
    if (before === undefined) return each;
    const likes = named.filter((like) => isWide || !like.startsWith("."))
      .map((like) => before + (isWide ?? "") + like);
    if (keepsAll || !isWide) return [each, ...likes];
    const ending = ends.split("|").flatMap((end) => [end.replace("?", ""), end.replace(/.\?/, "")])
      .flatMap((end) => withDots(`${each}.${end.replace(/.\?/g, "*")}`));
    return [...ending, ...likes];
  });
}

/** Any name, or that of any file that is not hidden. */
const ANY_NAME = /^((?:[^*?[]*\/)?)(?:(\*\*\/)|\[!\.\/\])?\*$/;
