/** Says whether a variable's name matches. */
export type NameTest = (name: string) => boolean;

/**
 * Read a pattern of variable names: `*` stands for any characters, `?` for one, and letters match
 * in either case.
 *
 * Written by hand, in time linear in pattern and name, so that a pattern from a configuration file
 * cannot stall a command.
 */
export function namePattern(pattern: string): NameTest {
  const glob = pattern.toUpperCase();
  return (name) => matches(glob, name.toUpperCase());
}

/** Read several patterns; answers with the first that means the name. */
export function firstPattern(
  patterns: readonly string[],
): (name: string) => string | undefined {
  const tests = patterns.map((pattern) => [pattern, namePattern(pattern)] as const);
  return (name) => tests.find(([, test]) => test(name))?.[0];
}

/** On a mismatch, only the latest star can have been too short: so one place to return to is enough. */
function matches(glob: string, name: string): boolean {
  let at = 0;
  let star = -1;
  let retry = 0;
  for (let i = 0; i < name.length;) {
    if (glob[at] === "*") {
      star = at++;
      retry = i;
    } else if (at < glob.length && (glob[at] === "?" || glob[at] === name[i])) {
      at++;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++retry;
    } else {
      return false;
    }
  }
  while (glob[at] === "*") at++;
  return at === glob.length;
}
