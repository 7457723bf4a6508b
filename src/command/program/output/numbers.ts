/** Digits, what stands between them in numbers, and how often. */
const DIGITS =
  /^(?:\[(?:\[:digit:\]|\d-\d|[\d,])+\]|\d|[-:%,]|\\\.(?!\\\.)|[+*?]|\\[+?]|\\?\{\d*,?\d*\\?\}|\\?[()|])+$/;

/** Digits and dots that have one on either side. */
const DECIMAL =
  /^(?:(?:\[(?:\[:digit:\]|\d-\d)\]|\d)\\?\+?)+(?:\(?\\\.(?:(?:\[(?:\[:digit:\]|\d-\d)\]|\d)\\?\+?)+\)?\??)*$/;

/** Whether all that fits a part of a regular expression is a number; `\d` is a digit only for Perl. */
export function fitsNumbers(
  expression: string,
  { perl = false }: { readonly perl?: boolean } = {},
): boolean {
  const plain = expression.replace(/^\^|\$$|\\b|\?:/g, "");
  const known = perl ? plain.replaceAll("\\d", "0") : plain;
  // Dots without digits between would be a directory.
  return DIGITS.test(known) && (!known.includes("\\.") || DECIMAL.test(known));
}

/** The part of a Perl expression that is in its match: behind `\K`, without what is looked at around it. */
export function matchOf(expression: string): string {
  // Another alternative can have another part.
  if (expression.includes("|")) return expression;
  return expression.replace(/^[^]*\\K/, "").replace(/^\(\?<=[^()]*\)/, "")
    .replace(/\(\?=[^()]*\)$/, "");
}
