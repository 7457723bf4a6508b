import { eastAsianWidth } from "get-east-asian-width";

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const PICTOGRAPH = /^\p{Extended_Pictographic}/u;

/** U+200D, which makes the emoji after it a part of the one before. */
export const ZERO_WIDTH_JOINER = "\u200d";

/** U+FE0F, which asks for the colourful and wide form of a character. */
export const EMOJI_PRESENTATION = "\ufe0f";

/** How many terminal columns a code point takes: 0 when it joins the character before it. */
export function columnsOf(codePoint: number): 0 | 1 | 2 {
  // Soft hyphens are formats by category, yet terminals give them a column.
  if (codePoint < 0x300) return 1;
  if (codePoint >= 0x4e00 && codePoint <= 0x9fff) return 2;
  // Vowels and final consonants of Hangul in parts: drawn onto the consonant before.
  if (codePoint >= 0x1160 && codePoint <= 0x11ff) return 0;
  if (codePoint >= 0xd7b0 && codePoint <= 0xd7ff) return 0;
  if (codePoint > 0x2000 && codePoint < 0x200b) return 1;
  if (ZERO_WIDTH.test(String.fromCodePoint(codePoint))) return 0;
  return eastAsianWidth(codePoint) === 2 ? 2 : 1;
}

/** Whether a code point, though it has a width of its own, becomes a part of the cluster before. */
export function joins(cluster: string, codePoint: number): boolean {
  if (cluster.endsWith(ZERO_WIDTH_JOINER)) return isPictograph(String.fromCodePoint(codePoint));
  if (codePoint >= 0x1f3fb && codePoint <= 0x1f3ff) return isPictograph(cluster);
  return isRegional(codePoint) && cluster.length === 2 && isRegional(cluster.codePointAt(0) ?? 0);
}

/** Whether a cluster begins with a symbol that has a pictorial form. */
export function isPictograph(cluster: string): boolean {
  // The digits and signs below are never drawn as pictures on their own.
  return cluster.charCodeAt(0) >= 0xa9 && PICTOGRAPH.test(cluster);
}

function isRegional(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}
