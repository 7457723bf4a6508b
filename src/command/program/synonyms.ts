import { plainText, type Words } from "../words/word-marks.ts";
import { findLong, optionSpec } from "./parse-options.ts";
import type { Program } from "./program-record.ts";

/** Words with the names of subcommands in place of synonyms and short forms; the same words where there are none. */
export function inFull(
  words: Words,
  operands: Words,
  { subcommands, synonyms = "" }: Pick<Program, "subcommands" | "synonyms">,
): Words {
  if (subcommands === undefined && synonyms === "") return words;
  const [first = "", ...others] = operands.filter((word) => !/^[-+]/.test(plainText(word)));
  const named = (key: string) => optionSpec(synonyms).options.get(plainText(key))?.name.split("/");
  const both = named(`${first}/${others[0]}`);
  const verb = subcommand(first, subcommands) ?? named(first) ?? [first];
  // What is of a kind can stand behind a slash, as in `pod/web`.
  const kindOf = (word = "") => named(`*/${word.split("/", 1).join()}`)?.[1];
  const second = both === undefined ? others.find((word) => kindOf(word) !== undefined) : others[0];
  const noun = both === undefined
    ? [kindOf(second) ?? "", ...second?.split("/").slice(1) ?? []]
    : [];
  const at = words.indexOf(first);
  const next = second === undefined ? -1 : words.indexOf(second, at + 1);
  const full = words.flatMap((word, place) =>
    place === at ? both ?? verb : place === next ? noun : word
  );
  return full.join("\0") === words.join("\0") ? words : full;
}

/** The subcommand that a word stands for. */
function subcommand(word: string, list: string | undefined): Words | undefined {
  if (list === undefined) return undefined;
  const spec = optionSpec(list);
  const found = spec.options.get(word) ?? findLong(plainText(word), spec);
  return found && [found.name];
}
