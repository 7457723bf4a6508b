import type { VariableSet } from "../../event/analysis.ts";
import {
  ANY,
  NAMED,
  NUMBER,
  OWN_PATH,
  PARTS,
  PIPE_NAME,
  SEVERAL,
  TEMPORARY,
  UNQUOTED,
} from "./placeholders.ts";

/**
 * A word is kept as one string in which quoted characters that would mean something unquoted are
 * replaced by private ones, and text known only at run time by a placeholder. So patterns, braces
 * and tildes are found by looking for the plain character.
 */
const FIRST = 0xe100;
const SPECIAL = "*?[]{},~+@!^*";
/** The second star of a `**` that a shell expands; that of a search has two plain ones. */
export const SECOND_STAR: string = String.fromCharCode(FIRST + SPECIAL.lastIndexOf("*"));

/** The characters that are used for marking. */
export const MARKS: RegExp = /[\ue100-\ue2ff]/;
const MARKED = /[\ue100-\ue1ef]/g;
const QUOTABLE = /[*?[\]{},~+@!^]/g;
/** Stands for the path of any new file: the template that `mktemp` fills in. */
export const SOME_NEW_FILE = "/tmp/tmp.XXXXXXXXXX";
const NEW_FILE = new RegExp(`(?<=^|[\\s"'])${TEMPORARY}(?=$|[\\s"';])`, "g");
/** All text for which a placeholder stands. */
export const PLACEHOLDERS: RegExp = new RegExp(`[${ANY}]`, "g");
const PLACEHOLDER = new RegExp(`[${ANY}]`);
/** Placeholders for text with which no option begins. */
const NO_OPTION = NAMED + NUMBER + PARTS + TEMPORARY + OWN_PATH + PIPE_NAME;
const MAY_BE_OPTION = new RegExp(
  `[${UNQUOTED}${SEVERAL}]|^(?![${NO_OPTION}])[${ANY}]|^[${NUMBER}${PARTS}]+(?:-|(?![${NO_OPTION}])[${ANY}])|^-[^=]*(?!${NUMBER})[${ANY}]`,
);
const SEVERAL_WORDS = new RegExp(`[${SEVERAL}]`);
const INTEGER = new RegExp(`^[-+]?[\\d${NUMBER}]+$`);
const NUMBER_ALONE = new RegExp(
  `(?<=^|[\\s"]|(?:localhost|127\\.0\\.0\\.1):)${NUMBER}(?=$|[\\s";/])`,
  "g",
);
/** What parts of a word stand between; two of them are quoted. */
const BETWEEN = new RegExp(`[=:,@#${quoted(",@")}]`);

/** Words that are marked. */
export type Words = readonly string[];

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

/** The same for a shell, for which a number that is a word is as good as another, and so is a new file. */
export function shellText(marked = ""): string | null {
  return knownText(marked.replace(NUMBER_ALONE, "1").replace(NEW_FILE, SOME_NEW_FILE));
}

/**
 * Read what a variable is set to. `$PATH` in a new `PATH` counts as a directory of the system: programs
 * are found there already.
 */
export function setText(name: string, marked: string): Pick<VariableSet, "value" | "known"> {
  const value = knownText(marked);
  if (value !== null) return { value };
  const own = name === "PATH" ? marked.replaceAll(OWN_PATH, "/usr/bin") : marked;
  const text = plainText(own.replaceAll(NUMBER, "1").replace(NEW_FILE, SOME_NEW_FILE))
    .replace(PLACEHOLDERS, "…");
  return { value, ...(/[^…]/.test(text) && { known: text }) };
}

/** The texts of marked words with blanks between, or `null` if a part is known only at run time. */
export function joinedText(words: readonly string[]): string | null {
  return words.some(isUnknown) ? null : words.map(plainText).join(" ");
}

/** What stands for a blank in a word. */
export const IN_WORD = "\x1f";

/** Words with blanks between, for a regular expression of a record. */
export function lineOf(words: readonly string[]): string {
  return words.map((word) => plainText(word).replace(/\s/g, IN_WORD)).join(" ");
}

/** The address of another machine; a path below a directory `http:` has no host, or leads upwards. */
const ADDRESS = /[A-Za-z][\w+.-]*:\/\/(?![./])(?!\S*\/\.\.(?:\/|$))\S+/g;

/** Options in front of a path. A longer word in front of `/` is a directory, as is one behind `-I`, `-L` or `-C`; long options of compilers are none. */
const CLUSTER =
  /^-[ILC](?=[a-z]{2,}\/)|^-(?:[\w#]{1,5}|i(?:nclude|macros|system|dirafter|quote))(?=[/~])|^-(?:[A-Za-z]{1,2}(?=\.)|[\w#]+?(?=\.[\w.-]*\/))/;

/** The parts of a marked word that could be texts of their own, as in `--file=a`, `-ofile`, `@a` and `host:a,b`. */
export function partsOf(marked: string): readonly string[] {
  const text = marked.replace("file://", "").replaceAll(ADDRESS, "");
  return text.split(BETWEEN).flatMap((part) => {
    // Behind a cluster of options, as in `-rqO../x`.
    if (!part.startsWith("-")) return part;
    const value = part.replace(CLUSTER, "");
    return value === part ? part : [part, value];
  });
}

/** Whether a part is known only at run time. */
export function isUnknown(marked = ""): boolean {
  return PLACEHOLDER.test(marked);
}

/** Whether it can be an option that the line does not spell, or several words. */
export function mayBeOption(marked: string): boolean {
  return MAY_BE_OPTION.test(marked);
}

/** Whether it can be several words, of which the line sets some. */
export function isMany(marked = ""): boolean {
  return SEVERAL_WORDS.test(marked);
}

/** Whether it is a number, known or not. */
export function isNumber(marked: string): boolean {
  return INTEGER.test(marked);
}

/** Whether it is a number in arithmetic, where no text is one, too; a dash alone is an error there. */
export function isCount(marked: string): boolean {
  return marked === "" || marked === "-" || isNumber(marked);
}

/** Whether the shell would look for files that match. */
export function isPattern(marked: string): boolean {
  return /[*?[]/.test(marked) || /[@!+]\(/.test(marked);
}
