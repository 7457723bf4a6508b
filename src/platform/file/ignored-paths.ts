import { attempt } from "../failure.ts";
import { overlap, overlappingNames } from "./pattern-overlap.ts";

/**
 * Read the lines of an ignore file, as git does: `#` comments, `!` takes back, a slash anchors, a
 * slash at the end names a directory, `*`, `?`, `[…]` and `**`.
 *
 * @param root The directory that the lines are about; absent: any.
 * @returns Whether a path, or a directory above it, is ignored, or a file that fits it as a pattern
 * could be; `undefined` without any line that counts.
 */
export function ignoredPaths(
  lines: readonly string[],
  root?: string,
): ((path: string) => boolean) | undefined {
  const patterns = lines.flatMap((line) => {
    const text = line.replace(/(?<!\\)\s+$/, "");
    return text === "" || text.startsWith("#") ? [] : [readPattern(text)];
  });
  if (patterns.length === 0) return undefined;
  const base = root?.replace(/\/+$/, "");
  return (path) => {
    const relative = base === undefined || !path.startsWith(`${base}/`)
      ? path
      : path.slice(base.length);
    const parts = relative.split("/").filter((part) => part !== "");
    const isPattern = /[*?[(]/.test(relative);
    return parts.some((_, index) => {
      if (isPattern && patterns.some((each) => couldFit(parts.slice(0, index + 1), each))) {
        return true;
      }
      const above = parts.slice(0, index + 1).join("/");
      const last = patterns.findLast(({ expression }) => expression.test(above));
      return last !== undefined && !last.negated;
    });
  };
}

/** Whether some file fits both; of a pattern it is not known what is taken back. */
function couldFit(path: readonly string[], { negated, names }: Pattern): boolean {
  return !negated &&
    overlap(path, names, { isRun: (name) => name === "**", both: overlappingNames });
}

interface Pattern {
  readonly negated: boolean;
  /** The names of the path that it fits. */
  readonly names: readonly string[];
  readonly expression: RegExp;
}

function readPattern(line: string): Pattern {
  const negated = line.startsWith("!");
  const text = (negated ? line.slice(1) : line).replace(/^\\(?=[#!])/, "").replace(/\/$/, "");
  const anchored = text.includes("/");
  const body = text.replace(/^\//, "").replace(TOKENS, (token) => {
    if (token === "**/") return "(?:.*/)?";
    if (token === "**") return ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (/^\[.+\]$/.test(token)) return plainSet(token) ?? (negated ? "(?!)" : "[^/]");
    return token.replace(/^\\/, "").replace(/[.+^${}()|[\]\\*?]/g, "\\$&");
  });
  const names = [...anchored ? [] : ["**"], ...text.split("/").filter((name) => name !== "")];
  return { negated, names, expression: new RegExp(`^${anchored ? "" : "(?:.*/)?"}${body}$`) };
}

const TOKENS = /\*\*\/?|\*|\?|\[[!^]?\]?(?:\[:\w*:\]|\\.|[^\]\\])*\]|\\.|[^]/g;

/**
 * A set of characters and ranges as a regular expression. Any other, with an escape or a class such as
 * `[:alpha:]` in it, is not read: it fits any character, and takes none back.
 */
function plainSet(set: string): string | undefined {
  const text = set.replace(/^\[!(?!\])/, "[^");
  return /^\[[^[\]\\]+\]$/.test(text) && attempt(() => new RegExp(text)) ? text : undefined;
}
