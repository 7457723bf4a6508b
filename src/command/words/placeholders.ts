/** Text of one word that is known only at run time. */
export const UNKNOWN = "\ue1ff";
/** Text known only at run time that can be no word or many. */
export const UNKNOWN_WORDS = "\ue1fe";
/** The same for a variable that the line never sets, so that nothing of the line is in it. */
export const OUTSIDE = "\ue1f6";
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
/** One plain part of a path known only at run time: it begins with a letter or a digit, or is empty, and has no slash. */
export const PART = "\ue1f7";
/** The same by what it is for alone, as the name of a branch or what a version file holds: in a script it can be code. */
export const REF = "\ue1f2";
/** A value of JSON as it is written: arithmetic reads no further than to the quote or bracket that it begins with. */
export const JSON_VALUE = "\ue1f3";
/** What a tool prints for `eval` to set it up. */
export const SETUP = "\ue1f5";
/** What is in `PATH`; where the line sets it to what it should not, that is a question already. */
export const OWN_PATH = "\ue1f8";
/** Some files that are not hidden; `*` would be all of them, see `isAll` in `permission/concerns/workspace.ts`. */
export const SOME_FILES = "[!./]*";
/** The first placeholder for one of several texts that the line names, as `NAMED` and otherwise. */
const FIRST_NAMED = 0xe200;
const FIRST_OTHER = 0xe280;
/** How many there are of each. */
const MOST = 0x80;

// Classes of placeholders, for use within brackets of a regular expression.

/** Known only at run time. */
export const RUN_TIME = "\ue1f2-\ue1ff";
/** A plain part of a path, by its shape or by what it is for. */
export const PARTS: string = PART + REF;
/** One of several texts that are known and no options, such as names of files. */
export const NAMED = "\ue200-\ue27f";
/** One of several texts that the line names. */
export const CHOICE = "\ue200-\ue2ff";
/** Every placeholder. */
export const ANY: string = RUN_TIME + CHOICE;
/** Outside quotes: no word, one, or many. */
export const UNQUOTED: string = OUTSIDE + SETUP + UNKNOWN_WORDS;
/** Several words, of which the line sets some. */
export const SEVERAL: string = GIVEN + ARRAY + UNKNOWN_WORDS;
/** Text that the line could have set. */
export const NOT_FOLLOWED: string = UNKNOWN_WORDS + UNKNOWN;

/** Empty, an option, or not known as a whole; `\ue108` is a quoted plus sign. */
const MORE_THAN_NAME = new RegExp(`^(?:$|[-+\\ue108])|[${ANY}]`);
const ONE_OF_SEVERAL = new RegExp(`[${CHOICE}]`);

/** What a name that was found can be behind the first letters of another one. */
function endsOfName(text: string): string | readonly string[] {
  if (text === SOME_FILES) return "*";
  return text.startsWith("**/") ? [text, text.slice("**/".length)] : text;
}

/** The texts for which placeholders stand in the words of one line. */
export class Choices {
  readonly #named: (readonly string[])[] = [];
  readonly #others: (readonly string[])[] = [];

  /** A placeholder for one of several marked texts. */
  placeholder(texts: readonly string[]): string {
    const [all, first] = texts.some((text) => MORE_THAN_NAME.test(text))
      ? [this.#others, FIRST_OTHER]
      : [this.#named, FIRST_NAMED];
    const known = all.indexOf(texts);
    const at = known < 0 ? all.length : known;
    if (at === MOST) return UNKNOWN;
    if (known < 0) all.push(texts);
    return String.fromCharCode(first + at);
  }

  /** Every text that a marked word can have, as far as placeholders tell; at most 64. */
  expand(marked: string): readonly string[] {
    const found = ONE_OF_SEVERAL.exec(marked);
    if (found === null) return [marked];
    const code = found[0].charCodeAt(0);
    const texts = this.#named[code - FIRST_NAMED] ?? this.#others[code - FIRST_OTHER] ?? [UNKNOWN];
    const before = marked.slice(0, found.index);
    const rests = this.expand(marked.slice(found.index + 1));
    if (texts.length * rests.length > 64) return [UNKNOWN];
    const ends = /[^/]$/.test(before) ? texts.flatMap(endsOfName) : texts;
    return ends.flatMap((text) => rests.map((rest) => before + text + rest));
  }
}
