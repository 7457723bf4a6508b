import { KITTY_ALL_KEYS, KITTY_DISAMBIGUATE, type ScreenModes } from "./modes.ts";

/** The modes on which the encoding of a key depends. */
export type KeyModes = Pick<
  ScreenModes,
  "applicationCursor" | "bracketedPaste" | "kittyKeyboard"
>;

/** The bits of modifiers; reports count them from 1. */
const MODIFIERS: ReadonlyMap<string, number> = new Map([["shift", 1], ["alt", 2], ["ctrl", 4]]);
const SHIFT = 1;
const ALT = 2;
const CTRL = 4;

/** Keys that type a character of their own. */
const CHARACTER_KEYS: ReadonlyMap<string, string> = new Map([
  ["enter", "\r"],
  ["tab", "\t"],
  ["esc", "\x1b"],
  ["backspace", "\x7f"],
  ["space", " "],
]);

/** Keys that end in a letter: ESC [ letter; ESC O letter in application mode and for those of functions. */
const LETTER_KEYS: ReadonlyMap<string, string> = new Map([
  ["up", "A"],
  ["down", "B"],
  ["right", "C"],
  ["left", "D"],
  ["home", "H"],
  ["end", "F"],
  ["f1", "P"],
  ["f2", "Q"],
  ["f3", "R"],
  ["f4", "S"],
]);

/** Keys with a number: ESC [ number ~. */
const NUMBERED_KEYS: ReadonlyMap<string, number> = new Map([
  ["insert", 2],
  ["delete", 3],
  ["pageup", 5],
  ["pagedown", 6],
  ["f5", 15],
  ["f6", 17],
  ["f7", 18],
  ["f8", 19],
  ["f9", 20],
  ["f10", 21],
  ["f11", 23],
  ["f12", 24],
]);

/**
 * Encode text and keys as a terminal sends them in its present modes.
 *
 * Keys stand in braces: `{enter}`, `{up}`, `{ctrl-c}`, `{alt-x}`, `{shift-tab}`, `{f5}`; other braces
 * are text, which is typed or pasted as {@linkcode encodeText} does.
 *
 * @see {@link https://invisible-island.net/xterm/ctlseqs/ctlseqs.html}
 * @see {@link https://sw.kovidgoyal.net/kitty/keyboard-protocol/}
 * @throws {Error} When there is no key for a modifier; then nothing should be sent.
 */
export function encodeKeys(notation: string, modes: KeyModes): string {
  let at = 0;
  const parts: string[] = [];
  for (const { 0: token, 1: name = "", index } of notation.matchAll(/\{([a-z][^{}\s]*)\}/gi)) {
    const encoded = key(token, name, modes);
    if (encoded === undefined) continue;
    parts.push(encodeText(notation.slice(at, index), modes), encoded);
    at = index + token.length;
  }
  return [...parts, encodeText(notation.slice(at), modes)].join("");
}

function plain(text: string, modes: KeyModes): string {
  const lines = text.replaceAll(/\r?\n/g, "\r");
  if ((modes.kittyKeyboard & KITTY_ALL_KEYS) === 0) return lines;
  return Array.from(lines, (letter) => character(letter, 0, modes)).join("");
}

/** Encode text that is to arrive as one piece: between markers where the program has asked for them. */
export function encodePaste(text: string, { bracketedPaste }: KeyModes): string {
  const lines = text.replaceAll(/\r?\n/g, "\r");
  if (!bracketedPaste) return lines;
  // The end marker inside the text, or one that is left of two, would let what follows it be taken for keys.
  // deno-lint-ignore no-control-regex -- a sequence begins with one
  const body = lines.replaceAll("\x1b[201~", "").replaceAll(/\x1b+(?=\[201~)/g, "");
  return `\x1b[200~${body}\x1b[201~`;
}

/**
 * Encode text as it is typed: a newline is the key enter. Several lines are pasted where the program has
 * asked for that, and the newlines at their end are typed.
 */
export function encodeText(text: string, modes: KeyModes): string {
  const body = text.replace(/[\r\n]+$/, "");
  const typed = plain(text.slice(body.length), modes);
  return `${body.includes("\n") ? encodePaste(body, modes) : plain(body, modes)}${typed}`;
}

function key(token: string, name: string, modes: KeyModes): string | undefined {
  const { modifiers, base } = split(name);
  const found = special(base, modifiers, modes);
  if (found !== undefined) return found;
  if (modifiers === 0) return undefined;
  if ([...base].length !== 1) throw new Error(`Cannot type "${token}": there is no key "${base}"`);
  return character(base, modifiers, modes);
}

/** Take the modifiers off a name: `ctrl-shift-left`; a hyphen can be the key itself. */
function split(name: string): { readonly modifiers: number; readonly base: string } {
  const [, modifier = "", rest = ""] = /^([a-z]+)-(.+)$/is.exec(name) ?? [];
  const bit = MODIFIERS.get(modifier.toLowerCase());
  if (bit === undefined) return { modifiers: 0, base: name };
  const { modifiers, base } = split(rest);
  return { modifiers: modifiers | bit, base };
}

/** A key with a name of more than one letter. */
function special(name: string, modifiers: number, modes: KeyModes): string | undefined {
  const base = name.toLowerCase();
  const typed = CHARACTER_KEYS.get(base);
  if (typed !== undefined) return character(typed, modifiers, modes);
  const letter = LETTER_KEYS.get(base);
  if (letter !== undefined) {
    if (modifiers !== 0) return `\x1b[1;${modifiers + 1}${letter}`;
    return modes.applicationCursor || /^f\d/.test(base) ? `\x1bO${letter}` : `\x1b[${letter}`;
  }
  const number = NUMBERED_KEYS.get(base);
  if (number === undefined) return undefined;
  return `\x1b[${number}${modifiers === 0 ? "" : `;${modifiers + 1}`}~`;
}

/** A key that types something, or would without its modifiers. */
function character(text: string, modifiers: number, modes: KeyModes): string {
  if (isEscaped(text, modifiers, modes.kittyKeyboard)) {
    const code = text.toLowerCase().codePointAt(0) ?? 0;
    const shift = text.toLowerCase() === text ? 0 : SHIFT;
    const all = modifiers | shift;
    return `\x1b[${code}${all === 0 ? "" : `;${all + 1}`}u`;
  }
  if (text === "\t" && modifiers === SHIFT) return "\x1b[Z";
  const shifted = (modifiers & SHIFT) !== 0 ? text.toUpperCase() : text;
  const controlled = (modifiers & CTRL) !== 0 ? control(shifted) : shifted;
  return (modifiers & ALT) !== 0 ? `\x1b${controlled}` : controlled;
}

/** Whether the keyboard protocol of kitty has a key sent as its number. */
function isEscaped(text: string, modifiers: number, flags: number): boolean {
  if ((flags & KITTY_ALL_KEYS) !== 0) return true;
  if ((flags & KITTY_DISAMBIGUATE) === 0) return false;
  if (text === "\x1b") return true;
  const usual = ["\r", "\t", "\x7f"].includes(text) ? modifiers === 0 : (modifiers & ~SHIFT) === 0;
  return !usual;
}

/** Ctrl with the characters @ to _ and letters takes off two bits; ? and space are special. */
function control(text: string): string {
  if (text === " ") return "\0";
  if (text === "?") return "\x7f";
  const code = text.toUpperCase().charCodeAt(0);
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : text;
}
