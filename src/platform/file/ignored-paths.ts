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
      const isDirectory = index < parts.length - 1;
      const last = patterns.findLast(({ expression, negated, directories }) =>
        // Of what the path itself is nothing is known.
        expression.test(above) && (isDirectory || !negated || !directories)
      );
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
  /** It fits directories alone. */
  readonly directories: boolean;
  /** The names of the path that it fits. */
  readonly names: readonly string[];
  readonly expression: RegExp;
}

function readPattern(line: string): Pattern {
  const negated = line.startsWith("!");
  const directories = line.endsWith("/");
  const text = (negated ? line.slice(1) : line).replace(/^\\(?=[#!])/, "").replace(/\/$/, "");
  const anchored = text.includes("/");
  const body = text.replace(/^\//, "").replace(TOKENS, (token, at: number, whole: string) => {
    // Beside other characters it is one asterisk, which takes less back.
    const isBeside = negated && at > 0 && whole[at - 1] !== "/";
    if (token === "**/") return isBeside ? "[^/]*/" : "(?:.*/)?";
    if (token === "**") return isBeside || (negated && at + 2 < whole.length) ? "[^/]*" : ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (/^\[.+\]$/.test(token)) return plainSet(token) ?? (negated ? "(?!)" : "[^/]");
    return token.replace(/^\\/, "").replace(/[.+^${}()|[\]\\*?]/g, "\\$&");
  });
  const names = [...anchored ? [] : ["**"], ...text.split("/").filter((name) => name !== "")];
  const expression = new RegExp(`^${anchored ? "" : "(?:.*/)?"}${body}$`);
  return { negated, directories, names, expression };
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
