/** What stands for a sequence that erases, in cleaned text; the characters themselves are removed from it. */
export const ERASE_RIGHT = "\x00";
/** Erase up to the cursor, and what is under it. */
export const ERASE_LEFT = "\x01";
/** Erase the line. */
export const ERASE_LINE = "\x02";

/** Control characters other than tab and newline. */
// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
/** Sequences that act within a line: for the others, which are most, no call is needed. */
// deno-lint-ignore no-control-regex
const ACTS = /\x1b\[[012]?[GJK]/;
/**
 * Sequences after ECMA-48: CSI with its parameters and final letter, strings (DCS, SOS, OSC, PM, APC),
 * and all others; and single controls. What cuts a sequence short ends it.
 */
export const SEQUENCE: RegExp =
  // deno-lint-ignore no-control-regex
  /\x1b(?:\[([\x20-\x3f]{0,256})([\x40-\x7e])?|[PX\]^_][^\x07\n\x18\x1a\x1b]*|[\x20-\x2f]{0,8}[\x30-\x7e]?)|[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
/** A sequence that the end of the text cuts. */
const OPEN =
  // deno-lint-ignore no-control-regex
  /^\x1b(?:\[[\x20-\x3f]{0,256}|[PX\]^_][^\x07\n\x18\x1a]*|[\x20-\x2f]{0,8})$/;

/**
 * Remove escape sequences and control characters, except what moves the cursor within a line: return,
 * backspace, and sequences that erase, for each of which one character stands.
 */
export function clean(text: string): string {
  if (!CONTROL.test(text)) return text;
  const cleaned = ACTS.test(text)
    ? text.replace(SEQUENCE, cursorEffect)
    : text.replace(SEQUENCE, "");
  return cleaned.replaceAll("\r\n", "\n");
}

function cursorEffect(
  _: string,
  parameters: string | undefined,
  final: string | undefined,
): string {
  switch (final) {
    case "K":
      if (parameters === "1") return ERASE_LEFT;
      if (parameters === "2") return ERASE_LINE;
      return isFirst(parameters) ? ERASE_RIGHT : "";
    case "J":
      // Within a line, to erase to the end of the screen is to erase to its end.
      return isFirst(parameters) ? ERASE_RIGHT : "";
    case "G":
      // The cursor goes to the first column.
      return isFirst(parameters) || parameters === "1" ? "\r" : "";
    default:
      return "";
  }
}

function isFirst(parameters: string | undefined): boolean {
  return parameters === "" || parameters === "0";
}

/** How many of the last characters belong to a sequence that continues beyond the text; 0 where none does. */
export function openSequence(text: string): number {
  const start = text.lastIndexOf("\x1b");
  return start >= 0 && OPEN.test(text.slice(start)) ? text.length - start : 0;
}

/** As much of an open sequence as shows how it continues: the content of a string, such as an image, has no use. */
export function shortened(open: string): string {
  return open.startsWith("\x1b[") ? open : open.slice(0, 2);
}
