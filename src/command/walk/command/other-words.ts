import { CHOICE, NOT_FOLLOWED, NUMBER, OUTSIDE, PARTS } from "../../words/placeholders.ts";
import { isPattern, isUnknown, plainText, quoted, type Words } from "../../words/word-marks.ts";
import type { Context } from "../findings.ts";
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
  return [...found, ...chosenWords(words, context)];
}

/** The words with each of the texts that some of them can be. */
function chosenWords(words: Words, { choices }: Context): readonly Words[] {
  let combined: readonly Words[] = [words];
  for (const [at, word] of words.entries()) {
    if (at === 0 || !CHOSEN.test(word)) continue;
    const texts = choices.expand(word);
    const chosen = texts.filter((each) =>
      texts.length > MOST_TEXTS ? /^(?:[-+]|:\w)/.test(plainText(each)) : !isPattern(each)
    );
    const put = (others: Words, text: string) =>
      others.map((other, place) => place === at ? text : other);
    const more = (from: readonly Words[]) =>
      from.flatMap((others) => chosen.map((text) => put(others, text)));
    combined = combined.length * chosen.length > MOST_COMBINED
      ? [...combined, ...more([words])]
      : [...combined, ...more(combined)];
  }
  return combined.slice(1);
}

/** Of more texts than this only options and refs are looked at: they are names that something prints. */
const MOST_TEXTS = 8;
/** So many combinations are looked at; of more, one text at a time. */
const MOST_COMBINED = 16;
const UNFOLLOWED = new RegExp(`[${NOT_FOLLOWED}]`, "g");
/** What stands between other characters of a word, and can be empty. */
const IN_WORD = new RegExp(
  `(?<=.)[${NUMBER}${PARTS}${OUTSIDE}${NOT_FOLLOWED}](?=[\\w-])`,
  "g",
);
const PLUS = quoted("+");
/** The same in front of what git takes for more than a name, of an option or of a setting. */
const IN_FRONT = new RegExp(
  `^[${NUMBER}${PARTS}${OUTSIDE}${NOT_FOLLOWED}]+(?=[+:${PLUS}])|^[${NUMBER}${PARTS}${OUTSIDE}${NOT_FOLLOWED}]+(?=--?\\w|[A-Z_]+=)`,
);
const CHOSEN = new RegExp(`[${CHOICE}]`);
