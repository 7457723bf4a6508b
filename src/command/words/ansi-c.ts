const SIMPLE: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\x07"],
  ["b", "\b"],
  ["e", "\x1b"],
  ["E", "\x1b"],
  ["f", "\f"],
  ["v", "\v"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["?", "?"],
]);

const ESCAPE =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([^])|([^]))/g;

/**
 * Decode the inside of `$'…'`.
 *
 * @returns The text, or `null` when its bytes are no UTF-8.
 */
export function decodeAnsiC(text: string): string | null {
  let broken = false;
  // Bytes are collected as characters of a private block, then decoded together: `\xc3\xa9` is one é.
  const decoded = text.replace(ESCAPE, (whole, hex, short, long, octal, control, other) => {
    if (hex !== undefined) return byte(parseInt(hex, 16));
    if (octal !== undefined) return byte(parseInt(octal, 8) & 255);
    if (short !== undefined) return String.fromCharCode(parseInt(short, 16));
    if (long !== undefined) {
      const point = parseInt(long, 16);
      if (point <= 0x10ffff) return String.fromCodePoint(point);
      broken = true;
      return "";
    }
    if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 31);
    return SIMPLE.get(other) ?? whole;
  });
  if (broken) return null;
  const zero = decoded.indexOf("\0");
  const known = zero === -1 ? decoded : decoded.slice(0, zero);
  return joinBytes(known);
}

const BYTE = 0xe200;

function byte(value: number): string {
  return String.fromCharCode(value < 128 ? value : BYTE + value);
}

function joinBytes(text: string): string | null {
  let broken = false;
  const joined = text.replace(/[\ue280-\ue2ff]+/g, (run) => {
    const bytes = Uint8Array.from(run, (char) => char.charCodeAt(0) - BYTE);
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      broken = true;
      return "";
    }
  });
  return broken ? null : joined;
}
