/**
 * A word is kept as one string in which quoted characters that would mean something unquoted are
 * replaced by private ones, and text known only at run time by a placeholder. So patterns, braces
 * and tildes are found by looking for the plain character.
 */
const FIRST = 0xe100;
const SPECIAL = "*?[]{},~+@!^";

/** Text of one word that is known only at run time. */
export const UNKNOWN = "\ue1ff";
/** Text known only at run time that can be no word or many. */
export const UNKNOWN_WORDS = "\ue1fe";
/** The name of a pipe that a process substitution makes. */
export const PIPE_NAME = "\ue1fd";
/** A number known only at run time. */
export const NUMBER = "\ue1fc";
/** The path of a new temporary file or directory. */
export const TEMPORARY = "\ue1fb";
/** The words of an array. */
export const ARRAY = "\ue1fa";
/** A word that a program puts into the command it starts. */
export const GIVEN = "\ue1f9";
/** The first and the last placeholder for one of several texts that the line names. */
const FIRST_CHOICE = 0xe200;
const LAST_CHOICE = 0xe2ff;

const MARKS = /[\ue100-\ue2ff]/;
const MARKED = /[\ue100-\ue1ef]/g;
const QUOTABLE = /[*?[\]{},~+@!^]/g;
const PLACEHOLDER = /[\ue1f9-\ue2ff]/;

/** Whether a text has characters that are used for marking. */
export function hasMarks(text: string): boolean {
  return MARKS.test(text);
}

/** Mark text as quoted. */
export function quoted(text: string): string {
  return text.replace(QUOTABLE, (char) => String.fromCharCode(FIRST + SPECIAL.indexOf(char)));
}

/** The text of a marked word, placeholders left as they are. */
export function plainText(marked = ""): string {
  return MARKS.test(marked)
    ? marked.replace(MARKED, (mark) => SPECIAL[mark.charCodeAt(0) - FIRST] ?? mark)
    : marked;
}

/** The text of a marked word, or `null` if a part is known only at run time. */
export function knownText(marked = ""): string | null {
  return isUnknown(marked) ? null : plainText(marked);
}

/** The texts of marked words with blanks between, or `null` if a part is known only at run time. */
export function joinedText(words: readonly string[]): string | null {
  return words.some(isUnknown) ? null : words.map(plainText).join(" ");
}

/** The address of another machine; a path below a directory `http:` has no host, or leads upwards. */
const ADDRESS = /[A-Za-z][\w+.-]*:\/\/(?![./])(?!\S*\/\.\.(?:\/|$))\S+/g;

/** The parts of a marked word that could be texts of their own, as in `--file=a`, `-ofile`, `@a` and `host:a,b`. */
export function partsOf(marked: string): readonly string[] {
  const text = marked.replace("file://", "").replaceAll(ADDRESS, "");
  return [text, text.replace(/^-[A-Za-z]{1,2}(?=[./~])/, "")].flatMap((each) =>
    each.split(/[=:,@\ue106\ue109]/)
  );
}

/** Whether a part is known only at run time. */
export function isUnknown(marked = ""): boolean {
  return PLACEHOLDER.test(marked);
}

/** Whether it is a number, known or not. */
export function isNumber(marked: string): boolean {
  return /^[-+]?[\d\ue1fc]+$/.test(marked);
}

/** Whether the shell would look for files that match. */
export function isPattern(marked: string): boolean {
  return /[*?[]/.test(marked) || /[@!+]\(/.test(marked);
}

/** The texts for which placeholders stand in the words of one line. */
export class Choices {
  readonly #texts: (readonly string[])[] = [];

  /** A placeholder for one of several marked texts. */
  placeholder(texts: readonly string[]): string {
    const known = this.#texts.indexOf(texts);
    const code = FIRST_CHOICE + (known < 0 ? this.#texts.length : known);
    if (code > LAST_CHOICE) return UNKNOWN;
    if (known < 0) this.#texts.push(texts);
    return String.fromCharCode(code);
  }

  /** Every text that a marked word can have, as far as placeholders tell; at most 64. */
  expand(marked: string): readonly string[] {
    const found = /[\ue200-\ue2ff]/.exec(marked);
    if (found === null) return [marked];
    const texts = this.#texts[found[0].charCodeAt(0) - FIRST_CHOICE] ?? [UNKNOWN];
    const before = marked.slice(0, found.index);
    const rests = this.expand(marked.slice(found.index + 1));
    if (texts.length * rests.length > 64) return [UNKNOWN];
    return texts.flatMap((text) => rests.map((rest) => before + text + rest));
  }
}
