/**
 * A word is kept as one string in which quoted characters that would mean something unquoted are
 * replaced by private ones, and what is known only at run time by a placeholder. So patterns, braces
 * and tildes are found by looking for the plain character.
 */
const FIRST = 0xe100;
const SPECIAL = "*?[]{},~+@!^";
const TO_MARK = new Map(
  [...SPECIAL].map((char, index) => [char, String.fromCharCode(FIRST + index)]),
);
const FROM_MARK = new Map([...TO_MARK].map(([char, mark]) => [mark, char]));

/** One word's worth of text that is known only at run time. */
export const UNKNOWN = "\ue1ff";
/** Text known only at run time that can be no word or many. */
export const UNKNOWN_WORDS = "\ue1fe";
/** The name of a pipe that a process substitution makes. */
export const PIPE_NAME = "\ue1fd";

const MARKS = /[\ue100-\ue1ff]/;
const MARKED = /[\ue100-\ue1f0]/g;
const QUOTABLE = /[*?[\]{},~+@!^]/g;

/** Whether a text has characters that are used for marking. */
export function hasMarks(text: string): boolean {
  return MARKS.test(text);
}

/** Mark text as quoted. */
export function quoted(text: string): string {
  return text.replace(QUOTABLE, (char) => TO_MARK.get(char) ?? char);
}

/** The text of a marked word, placeholders left as they are. */
export function plainText(marked: string): string {
  return MARKS.test(marked)
    ? marked.replace(MARKED, (mark) => FROM_MARK.get(mark) ?? mark)
    : marked;
}

/** The text of a marked word, or `null` if a part is known only at run time. */
export function knownText(marked: string): string | null {
  return isUnknown(marked) ? null : plainText(marked);
}

/** The texts of marked words with blanks between, or `null` if a part is known only at run time. */
export function joinedText(words: readonly string[]): string | null {
  return words.some(isUnknown) ? null : words.map(plainText).join(" ");
}

/** Whether a part is known only at run time. */
export function isUnknown(marked: string): boolean {
  return /[\ue1fd-\ue1ff]/.test(marked);
}

/** Whether the shell would look for files that match. */
export function isPattern(marked: string): boolean {
  return /[*?[]/.test(marked) || /[@!+]\(/.test(marked);
}
