/** Characters that a terminal obeys, hides, or draws elsewhere: a person must see what they agree to. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Show foreign text in a message: a character that cannot be seen is shown by its code point.
 *
 * @param limits What may stay as it is, and how many characters are shown.
 */
export function shown(
  text: string,
  { keep = "", most = 120 }: { readonly keep?: string; readonly most?: number } = {},
): string {
  return cut(text, most).replace(
    UNSEEN,
    (letter) => keep.includes(letter) ? letter : escaped(letter),
  );
}

/** Show the first of many texts, each in quotes. */
export function shownList(texts: readonly string[], most = 10): string {
  const more = texts.length - most;
  const first = texts.slice(0, most).map((text) => JSON.stringify(text)).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}

/** Show any value that a caller gave in a message. */
export function shownValue(value: unknown): string {
  return cut(textOf(value), MOST_OF_A_VALUE);
}

const MOST_OF_A_VALUE = 200;

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half a character is none, and no JSON for many parsers.
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, "")}…`;
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "bigint":
      return `${value}n`;
    case "function":
      return "a function";
    case "object":
      try {
        return JSON.stringify(value);
      } catch {
        return "an object"; // that contains itself, say
      }
    default:
      return String(value);
  }
}

const USUAL: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(letter: string): string {
  const usual = USUAL[letter];
  if (usual !== undefined) return usual;
  const point = letter.codePointAt(0) ?? 0;
  return point < 0x10000
    ? `\\u${point.toString(16).padStart(4, "0")}`
    : `\\u{${point.toString(16)}}`;
}
