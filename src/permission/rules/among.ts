import { isOption, type Words } from "../words.ts";
import { ANY, fits } from "./wildcard.ts";

/** How a program reads the words of a command. */
export interface Meaning {
  /** Whether its operands are goals, as those of `make`. */
  readonly inAnyOrder: boolean;
  /** All names of an option, with their dashes. */
  namesOf(option: string): readonly string[];
}

/**
 * Say of commands whether they could mean what the words of a rule mean: their options stand elsewhere, in other
 * clusters or under other names, their operands are spelled otherwise, parts of a list, or kinds in front
 * of a slash.
 */
export function couldMean(
  rule: readonly string[],
): (command: Words, meaning: Meaning) => boolean {
  // `*--force*` is an option of any program.
  const [program = "", ...named] = SPELLED.test(rule[0] ?? "") ? [ANY, ...rule] : rule;
  // `-race` is several options, or one that has one dash alone.
  const ways = named.some((word) => CLUSTER.test(word))
    ? [named.flatMap(apart), named.flatMap((word) => CLUSTER.test(word) ? word : apart(word))]
    : [named.flatMap(apart)];
  return ([name, ...given], meaning) => {
    if (named.length === 0 || !name || !fits(program, name)) return false;
    return ways.some((words) => areMeant(words, given, meaning));
  };
}

function areMeant(
  words: readonly string[],
  given: Words,
  { inAnyOrder, namesOf }: Meaning,
): boolean {
  const isThere = (option: string) => given.some((word) => word !== null && isGiven(word, option));
  if (!words.every((word) => !isOption(word) || namesOf(word).some(isThere))) return false;
  const wanted = words.map((word): Wanted => ({
    word,
    names: isOption(word) ? namesOf(word) : [],
  }));
  if (isMeant(wanted, given, inAnyOrder)) return true;
  const valued = withValues(wanted);
  return valued.length < wanted.length && isMeant(valued, given, inAnyOrder);
}

/** A word of a rule. */
interface Wanted {
  readonly word: string;
  /** All names of an option, with their dashes; of an operand none. */
  readonly names: readonly string[];
  /** The value of an option. */
  readonly value?: string;
}

function isMeant(wanted: readonly Wanted[], given: Words, inAnyOrder: boolean): boolean {
  const valued = wanted.filter(({ value }) => value !== undefined).flatMap(({ names }) => names);
  const isValue = (at: number) => valued.includes(given[at - 1] ?? "");
  const operands = given.filter((word, at) => word !== null && !isOption(word) && !isValue(at));
  let place = -1;
  return wanted.every(({ word, names, value }) => {
    if (value !== undefined) return names.some((each) => hasValue(given, each, value));
    // It is given.
    if (names.length > 0) return true;
    place++;
    return operands.some((each, at) => {
      if (each === null) return false;
      if (inAnyOrder) return isNamed(each, word) || isNamed(each.replace(/^.*:/, ""), word);
      return isNamed(at === place ? each : each.replace(/\/.*|^[^/]*$/, ""), word);
    });
  });
}

/** Several options in one word. */
const CLUSTER = /^-[A-Za-z]{2,}$/;

/** A long option between wildcards. */
const SPELLED = new RegExp(`^${ANY}+(--\\w[\\w-]*)${ANY}*$`);

/** `-rf` is `-r -f`, and `--name=prod` is `--name prod`. */
function apart(word: string): readonly string[] {
  if (CLUSTER.test(word)) return [...word.slice(1)].map((letter) => `-${letter}`);
  const [, spelled = word] = SPELLED.exec(word) ?? [];
  if (spelled !== word) return [spelled];
  const [, option, value] = /^(--[\w-]+)=([^]+)$/.exec(word) ?? [];
  return option === undefined || value === undefined ? [word] : [option, value];
}

const END = new RegExp(`${ANY}+$`);

/**
 * All names of an option, with their dashes.
 *
 * @param otherNames Those that a program has for one, without dashes.
 */
export function dashed(
  option: string,
  otherNames: (name: string) => readonly string[],
): readonly string[] {
  const name = option.replace(/^--?/, "").replace(END, "");
  const names = [name, ...otherNames(name)]
    .flatMap((each) => each.length === 1 ? [`-${each}`] : [`--${each}`, `-${each}`]);
  return [...new Set([option, ...names])];
}

/** The same words, where what stands behind an option is its value. */
function withValues(wanted: readonly Wanted[]): readonly Wanted[] {
  return wanted.flatMap((each, at) => {
    const next = wanted[at + 1];
    if (each.names.length > 0) {
      return next === undefined || next.names.length > 0 ? each : { ...each, value: next.word };
    }
    return (wanted[at - 1]?.names.length ?? 0) > 0 ? [] : each;
  });
}

/** Whether an option could be given with a value: glued to it, behind a `=`, or in the next word. */
function hasValue(given: Words, option: string, value: string): boolean {
  return given.some((word, at) => {
    if (word === null || !isGiven(word, option)) return false;
    const next = given[at + 1];
    const glued = /^-\w$/.test(option)
      ? word.slice(word.indexOf(option.slice(1), 1) + 1).replace(/^=/, "")
      : word.replace(/^[^=]*=?/, "");
    if (glued !== "") return fits(value, glued);
    return next === null || (next !== undefined && fits(value, next));
  });
}

function isGiven(word: string, option: string): boolean {
  if (/^-\w$/.test(option)) return /^-\w/.test(word) && word.includes(option.slice(1));
  return fits(option, word.replace(/=.*/s, "")) || (word.length > 3 && option.startsWith(word));
}

function isNamed(word: string, operand: string): boolean {
  // Of `pods/a` and `secrets.v1` the kind alone: `origin/main` is not `main`.
  return [word, ...word.split(",").map((part) => part.replace(/[./].*$/s, ""))]
    .some((part) => fits(alike(operand), alike(part)));
}

const PLURAL = new RegExp(`(?<=\\w)s(?=${ANY}?$)`);

/** A name, however many there are, in small letters. */
function alike(word: string): string {
  return word.toLowerCase().replace(PLURAL, "");
}
