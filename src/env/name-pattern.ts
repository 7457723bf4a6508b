/**
 * Read patterns of variable names: `*` stands for any characters, `?` for one, and letters match in
 * either case.
 */
export function firstPattern(
  patterns: readonly string[],
): (name: string) => string | undefined {
  const tests = patterns.map((pattern) => ({ pattern, expression: expressionOf(pattern) }));
  return (name) => tests.find(({ expression }) => expression.test(name))?.pattern;
}

/** Between two stars the first place that fits is taken for good: a name of any length is tested in one go. */
function expressionOf(pattern: string): RegExp {
  const literal = pattern.replaceAll(/[\\^$.|+()[\]{}]/g, "\\$&").replaceAll("?", ".");
  const [first = "", ...rest] = literal.split(/\*+/);
  const last = rest.pop();
  const between = rest.map((part, i) => `(?=(.*?${part}))\\${i + 1}`).join("");
  return new RegExp(`^${first}${between}${last === undefined ? "" : `.*${last}`}$`, "is");
}
