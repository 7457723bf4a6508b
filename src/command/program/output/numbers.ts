/** Digits, what stands between them in numbers, and how often. */
const DIGITS =
  /^(?:\[(?:\[:digit:\]|\d-\d|[\d,])+\]|\d|[-:%,]|\\\.(?!\\\.)|[+*?]|\\[+?]|\\?\{\d*,?\d*\\?\}|\\?[()|])+$/;

/** Whether all that fits a part of a regular expression is a number; `\d` is a digit only for Perl. */
export function fitsNumbers(
  expression: string,
  { perl = false }: { readonly perl?: boolean } = {},
): boolean {
  const plain = expression.replace(/^\^|\$$|\\b|\?:/g, "");
  return DIGITS.test(perl ? plain.replaceAll("\\d", "0") : plain);
}

/** The part of a Perl expression that is in its match: behind `\K`, without what is looked at around it. */
export function matchOf(expression: string): string {
  return expression.replace(/^[^]*\\K/, "").replace(/^\(\?<=[^()]*\)/, "")
    .replace(/\(\?=[^()]*\)$/, "");
}
