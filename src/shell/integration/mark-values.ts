/**
 * Write a value so that it can stand in a mark: `\` doubled, `;` and what is not above a blank as
 * `\xHH`.
 */
export function escapeValue(value: string): string {
  return value.replaceAll(
    /[\\;\0-\x20]/g,
    (character) =>
      character === "\\" ? "\\\\" : `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** Read a value as {@linkcode escapeValue} writes it. */
export function unescapeValue(escaped: string): string {
  return escaped.replaceAll(
    /\\(?:(\\)|x([0-9a-f]{2}))/gi,
    (_, backslash, code) => backslash ?? String.fromCharCode(Number.parseInt(code, 16)),
  );
}
