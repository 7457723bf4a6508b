import type { Part } from "../clip.ts";

/** Words by which compilers, test runners, interpreters, shells and kernels report failure. */
const SIGNS =
  /error|fail|fatal|panic|exception|traceback|abort|denied|not found|no such|cannot|undefined reference|unresolved|segmentation|core dumped|out of memory|killed|timed out|refused|\bERR!|✗|✘|not ok/i;

/** Counts of nothing, and the words as parts of names and flags: they report no failure. */
const NO_SIGNS =
  /\b(?:0|no|without) (?:\w+ )?(?:errors?|failures?|failed|exceptions?)\b|\b(?:errors?|failures?|failed)\s*[:=]\s*(?:0\b|none\b(?!\s+\w))|-{1,2}\w*(?:error|fail)[\w-]*|\b(?:failsafe|fail-?over|fail-?fast|onerror|strerror|perror)\b/gi;

/** Where in a line the first sign of an error stands, if there is one. */
export function errorSign(line: string): Part | undefined {
  if (!SIGNS.test(line)) return undefined;
  const match = SIGNS.exec(line.replace(NO_SIGNS, (text) => " ".repeat(text.length)));
  return match === null ? undefined : { from: match.index, to: match.index + match[0].length };
}
