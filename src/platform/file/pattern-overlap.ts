/** What the tokens of two patterns stand for. */
export interface TokenKinds {
  /** Any run of characters, or none. */
  isRun(token: string): boolean;
  /** Any one character. */
  isOne?(token: string): boolean;
  /** Whether two other tokens fit the same text; default: they are the same. */
  both?(one: string, other: string): boolean;
}

/** Whether some text fits both of two patterns, token by token. */
export function overlap(
  one: readonly string[],
  other: readonly string[],
  { isRun, isOne = () => false, both: same = (a, b) => a === b }: TokenKinds,
): boolean {
  // Which ends of `other` are reachable, one token of `one` after the other.
  const spread = (cells: Uint8Array) => {
    for (const [at, token] of other.entries()) if (cells[at] && isRun(token)) cells[at + 1] = 1;
    return cells;
  };
  let row: Uint8Array = new Uint8Array(other.length + 1);
  row[0] = 1;
  row = spread(row);
  for (const token of one) {
    const run = isRun(token);
    const next: Uint8Array = run ? Uint8Array.from(row) : new Uint8Array(row.length);
    for (const [at, against] of other.entries()) {
      if (!row[at] && !(run && next[at])) continue;
      const both = isRun(against);
      if (both) next[at] = 1;
      if (run || both || isOne(token) || isOne(against) || same(token, against)) {
        next[at + 1] = 1;
      }
    }
    row = spread(next);
    // Most patterns differ early.
    if (!row.includes(1)) return false;
  }
  return row[other.length] === 1;
}

/**
 * Whether one name of a file fits both a pattern of the shell and another pattern.
 *
 * A leading dot has to be written out in the first one.
 */
export function overlappingNames(one: string, other: string): boolean {
  if (/^[*?[]/.test(one) && other.startsWith(".")) return false;
  if (one.startsWith("[0-9]") && /^[A-Za-z._-]/.test(other)) return false;
  // Most names differ at once, in their first or last character.
  if (/^[\w.]/.test(one) && /^[\w.]/.test(other) && one[0] !== other[0]) return false;
  if (/\w$/.test(one) && /\w$/.test(other) && one.at(-1) !== other.at(-1)) return false;
  if (!PATTERN.test(one + other)) return one === other && one.length <= LONGEST_NAME;
  return fits(one, tokensOf(other));
}

/** What stands in every pattern. */
const PATTERN = /[*?[(]/;

/** Whether a pattern of the shell fits a name, or more than that. */
export function couldBeNamed(pattern: string, name: string): boolean {
  return pattern.includes("(") || fits(pattern, [...name]);
}

function fits(pattern: string, other: readonly string[]): boolean {
  const tokens = tokensOf(pattern);
  const least = tokens.filter((token) => !NAMES.isRun(token)).length;
  return least <= LONGEST_NAME && overlap(tokens, other, NAMES);
}

/** Most characters in the name of a file, where that is limited in bytes. */
const LONGEST_NAME = 255;

/** A bracket closes a set that it opens only behind another character or a class such as `[:alpha:]`. */
const TOKENS = /\*+|\?|\[[!^]?\]?(?:\[([:.=])[^]*?\1\]|[^\]])*\]|[@!+?*]\([^)]*\)|[^]/g;

function tokensOf(pattern: string): readonly string[] {
  return pattern.match(TOKENS) ?? [];
}

const NAMES: TokenKinds = {
  isRun: (token) => /^(?:\*|[@!+?*]\()/.test(token),
  isOne: (token) => /^(?:\?$|\[.+\]$)/.test(token),
};
