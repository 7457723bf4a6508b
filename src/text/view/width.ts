import { eastAsianWidth } from "get-east-asian-width";

/**
 * A character with all that is drawn onto it or together with it: marks, variation selectors, skin
 * colours, vowels of Hangul, further emoji behind a joiner, the second letter of a flag.
 */
const CLUSTER =
  /(?:\p{RI}\p{RI}|.)(?:\u200d\p{Extended_Pictographic}|[\p{Mn}\p{Me}\p{Cf}\u{1f3fb}-\u{1f3ff}\u1160-\u11ff\ud7b0-\ud7ff])*/suy;
const FLAG = /^\p{RI}\p{RI}/u;
const EMOJI_PRESENTATION = "\ufe0f";

/** The cluster that begins at an index. */
export function clusterAt(text: string, at: number): string {
  CLUSTER.lastIndex = at;
  return CLUSTER.exec(text)?.[0] ?? "";
}

/** How many columns of a terminal a cluster takes. */
export function columnsOf(cluster: string): 1 | 2 {
  const first = cluster.codePointAt(0) ?? 0;
  if (first < 0xa9) return 1;
  if (cluster.includes(EMOJI_PRESENTATION) || FLAG.test(cluster)) return 2;
  return eastAsianWidth(first) === 2 ? 2 : 1;
}
