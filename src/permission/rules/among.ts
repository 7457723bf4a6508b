import type { Words } from "../words.ts";
import { ANY, fits } from "./wildcard.ts";

/**
 * Whether a command could mean what the words of a rule mean: its options stand elsewhere or in other
 * clusters, its operands are spelled otherwise, parts of a list, or kinds in front of a slash.
 *
 * @param inAnyOrder Its operands are goals, as those of `make`.
 */
export function couldMean(
  [program = "", ...named]: readonly string[],
  [name, ...given]: Words,
  inAnyOrder: boolean,
): boolean {
  if (named.length === 0 || !name || !fits(program, name)) return false;
  const words = given.filter((word) => word !== null);
  const operands = words.filter((word) => !isOption(word));
  let place = -1;
  // `-rf` is `-r -f`.
  const apart = (word: string) =>
    /^-[A-Za-z]+$/.test(word) ? [...word.slice(1)].map((letter) => `-${letter}`) : word;
  return named.flatMap(apart).every((word) => {
    if (isOption(word)) return words.some((each) => isGiven(each, word));
    place++;
    return operands.some((each, at) =>
      isNamed(at === place || inAnyOrder ? each : each.replace(/\/.*|^[^/]*$/, ""), word)
    );
  });
}

function isOption(word: string): boolean {
  return /^[-+]./.test(word);
}

function isGiven(word: string, option: string): boolean {
  if (/^-\w$/.test(option)) return /^-\w/.test(word) && word.includes(option.slice(1));
  return fits(option, word.replace(/=.*/s, "")) || (word.length > 3 && option.startsWith(word));
}

function isNamed(word: string, operand: string): boolean {
  return [word, ...word.split(/[,./]/)].some((part) => fits(alike(operand), alike(part)));
}

const PLURAL = new RegExp(`(?<=\\w)s(?=${ANY}?$)`);

/** A name, however many there are, in small letters. */
function alike(word: string): string {
  return word.toLowerCase().replace(PLURAL, "");
}
