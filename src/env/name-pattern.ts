/**
 * Read patterns of variable names: `*` stands for any characters, `?` for one, and letters match in
 * either case.
 *
 * @returns Answers with the first pattern that means a name.
 */
export function firstPattern(
  patterns: readonly string[],
): (name: string) => string | undefined {
  const tests = patterns.map((pattern) => ({ pattern, expression: expressionOf(pattern) }));
  return (name) => tests.find(({ expression }) => expression.test(name))?.pattern;
}

function expressionOf(pattern: string): RegExp {
  const literal = pattern.replaceAll(/[\\^$.|+()[\]{}]/g, "\\$&");
  return new RegExp(`^${literal.replaceAll(/\*+/g, ".*").replaceAll("?", ".")}$`, "is");
}
