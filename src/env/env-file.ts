import type { Variables } from "./build-environment.ts";

/** At most so many lines are read, the last ones: it happens before each command, in the thread of the host. */
const MOST_LINES = 500;
/** At most so many refusals are reported. */
const MOST_REFUSED = 10;
const NOTHING = /^\s*(?:#.*)?$/;
/** A value of plain, quoted and escaped parts, as bash reads them where nothing is expanded. */
const ASSIGNMENT =
  /^\s*(?:(?:export|declare -x)\s+)?([A-Za-z_]\w*)=((?:'[^'\0]*'|"(?:[^"\\$`\0]|\\[^\0])*"|\\[^\0]|[\w\p{L}\p{M}\p{N}./:@%+,=-])*)(?:\s+#.*|\s*)$/u;
const PART = /'([^']*)'|"((?:[^"\\]|\\[^])*)"|\\([^])/g;

/**
 * Read lines such as `export NAME=value`, the last of a name. They are data: a value is plain or
 * quoted, and nothing in it is expanded or run.
 *
 * @param refuse Says of a variable why it is not taken.
 */
export function readEnvFile(
  text: string,
  refuse: (name: string, value: string) => string | undefined,
): {
  readonly variables: Variables;
  /** Lines that are not taken, each with its number and the reason; no value is in them. */
  readonly refused: readonly string[];
} {
  const variables = new Map<string, string>();
  const refused: string[] = [];
  const lines = text.replace(/\n$/, "").split("\n");
  const first = Math.max(0, lines.length - MOST_LINES);
  if (first > 0) refused.push(`lines 1 to ${first}: the file has more than ${MOST_LINES} lines`);
  for (const [index, line] of lines.entries()) {
    if (index < first) continue;
    if (NOTHING.test(line)) continue;
    const [, name, written = ""] = ASSIGNMENT.exec(line) ?? [];
    const value = unquoted(written);
    const why = name === undefined
      ? "it is no assignment of a plain or quoted value"
      : refuse(name, value);
    if (why !== undefined) refused.push(`line ${index + 1}: ${why}`);
    else if (name !== undefined) variables.set(name, value);
  }
  return { variables: Object.fromEntries(variables), refused: refused.slice(0, MOST_REFUSED) };
}

function unquoted(written: string): string {
  return written.replace(
    PART,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\([$`"\\])/g, "$1") ?? escaped ?? "",
  );
}
