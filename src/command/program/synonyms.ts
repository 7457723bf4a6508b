import { plainText, type Words } from "../words/word-marks.ts";
import { countUntilSure, findLong, optionSpec, type ParsedOptions } from "./parse-options.ts";
import type { Program } from "./program-record.ts";

/** Words with the names by which rules know them; each list is the given one where it has no other names. */
interface InFull {
  /** With the names of subcommands in place of synonyms and short forms. */
  readonly words: Words;
  /** With those of the kinds behind them, too: such a word could also be a path. */
  readonly full: Words;
}

/** Write subcommands, and the kinds that they are about, by their first names. */
export function inFull(
  given: Words,
  { options, places }: Pick<ParsedOptions, "options" | "places">,
  { synonyms, shortens }: Pick<Program, "synonyms" | "shortens">,
): InFull {
  if (synonyms === undefined) return { words: given, full: given };
  const spec = optionSpec(synonyms);
  const text = (place = -1) => plainText(given[place]);
  const found = (key: string) =>
    spec.options.get(key) ?? (shortens ? findLong(key, spec) : undefined);
  const named = (key: string) => found(key)?.name.split("/");
  const end = given.findIndex((_, place) => text(place) === "--");
  const operands = places.filter((place) => !/^[-+]/.test(text(place)) && (end < 0 || place < end));
  const until = (from?: number) => countUntilSure(given, { options, places: operands }, from);
  const verbs = new Map<number, Words>();
  const last = until();
  for (const [at, place] of operands.slice(0, last).entries()) {
    const next = operands[at + 1];
    const both = named(`${text(place)}/${text(next)}`);
    const verb = both ?? named(text(place));
    if (verb !== undefined) verbs.set(place, verb);
    if (both !== undefined && next !== undefined) verbs.set(next, []);
  }
  const nouns = new Map(verbs);
  for (const place of operands.slice(1, until(last))) {
    // What is of a kind can stand behind a slash, as in `pod/web`.
    const [kind = "", ...name] = text(place).split("/");
    const noun = verbs.has(place) ? undefined : named(`*/${kind}`)?.[1];
    if (noun !== undefined) nouns.set(place, [noun, ...name]);
  }
  const words = replaced(given, verbs);
  return { words, full: nouns.size === verbs.size ? words : replaced(given, nouns) };
}

function replaced(words: Words, others: ReadonlyMap<number, Words>): Words {
  if (others.size === 0) return words;
  const all = words.flatMap((word, place) => others.get(place) ?? word);
  return all.join("\0") === words.join("\0") ? words : all;
}
