const KEY = ',"check":"';
const HEX_DIGITS = 8;
const SUFFIX = KEY.length + HEX_DIGITS + '"}'.length;

/** Write a JSON object as a line with a check of itself as its last field. */
export function checkedLine(value: object): string {
  const start = JSON.stringify(value).slice(0, -1);
  return `${start}${KEY}${checkOf(start)}"}\n`;
}

/** Whether a line, without its end, is what {@linkcode checkedLine} wrote. */
export function isIntact(line: string): boolean {
  const start = line.slice(0, -SUFFIX);
  return line.slice(-SUFFIX) === `${KEY}${checkOf(start)}"}`;
}

/**
 * FNV-1a over UTF-16 code units. Each step is a bijection, so that damage to one character always
 * changes the result.
 *
 * @see {@link http://www.isthe.com/chongo/tech/comp/fnv/}
 */
function checkOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(HEX_DIGITS, "0");
}
