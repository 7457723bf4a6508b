import { CHOICE, NOT_FOLLOWED, NUMBER, OUTSIDE, PART } from "../../words/placeholders.ts";
import { isUnknown, quoted, type Words } from "../../words/word-marks.ts";
import type { Walker } from "../walker.ts";

/** The words of a command with what could be in those that are not followed, and options that they can be. */
export function otherWords(
  { context, variables: { literals } }: Walker,
  words: Words,
): readonly Words[] {
  const found: Words[] = [];
  const put = (literal: string) => {
    const others = words.map((word, at) =>
      at === 0 ? word : word.replaceAll(UNFOLLOWED, () => quoted(literal))
    );
    found.push(others);
  };
  // What is not followed could be what the line spells elsewhere.
  if (words.slice(1).some((word) => word.search(UNFOLLOWED) >= 0)) literals.forEach(put);
  // What is empty at run time can make an option, a subcommand or a name of the rest.
  if (!words.some(isUnknown)) return found;
  const filled = words.map((word, at) =>
    (at === 1 || word.startsWith("-") ? word.replaceAll(IN_WORD, "") : word).replace(IN_FRONT, "")
  );
  if (words.some((word, at) => at > 0 && word !== filled[at])) found.push(filled);
  for (const [at, word] of words.entries()) {
    if (at === 0 || !CHOSEN.test(word)) continue;
    for (const each of context.choices.expand(word)) {
      if (/^(?:[-+]|:\w)/.test(each)) {
        found.push(words.map((other, place) => place === at ? each : other));
      }
    }
  }
  return found;
}

const UNFOLLOWED = new RegExp(`[${NOT_FOLLOWED}]`, "g");
/** What stands between other characters of a word, and can be empty. */
const IN_WORD = new RegExp(
  `(?<=.)[${NUMBER}${PART}${OUTSIDE}${NOT_FOLLOWED}](?=[\\w-])`,
  "g",
);
const PLUS = quoted("+");
/** The same in front of what git takes for more than a name, of an option or of a setting. */
const IN_FRONT = new RegExp(
  `^[${NUMBER}${PART}]+(?=[+:${PLUS}])|^[${NUMBER}${PART}${OUTSIDE}${NOT_FOLLOWED}]+(?=--?\\w|[A-Z_]+=)`,
);
const CHOSEN = new RegExp(`[${CHOICE}]`);
