import { PROTECTED_NAMES } from "../../../platform/file/protected-names.ts";

/** A pattern of paths as regular expression; a class of characters can be any that is printed. */
export function asExpression(pattern: string): string {
  const plain = pattern.replace(/\\([^])/g, "$1").replace(/[.+$()|\\]|(?<!\[)\^/g, "\\$&")
    .replaceAll("?", ".").replace(/\*+/g, ".*").replace(/\[!/g, "[^").replace(/\[:\w+:\]/g, "!-~");
  const either = (_: string, all: string) => `(?:${all.replaceAll(",", "|")})`;
  return `^${plain.replace(/\{([^{}]*)\}/g, either)}$`;
}

/** Names of every kind that is protected, with which regular expressions are tried. */
const HIDDEN: readonly string[] = [
  ...".env.local .env.dev .env.development .env.test .env.stag .env.staging .env.prod .env.production .git/hooks/pre-commit"
    .split(" "),
  ...PROTECTED_NAMES.secrets,
  ...PROTECTED_NAMES.keys,
  ...PROTECTED_NAMES.code,
  ...[...PROTECTED_NAMES.secretDirectories, ...PROTECTED_NAMES.codeDirectories].flatMap((name) => [
    name,
    `${name}/x`,
  ]),
];

/** Names with the endings of many others. */
const ORDINARY = /^.*\.(json|ya?ml|toml|cjs|key)$/;

/** The end of a regular expression that says nothing of a name. */
const ANY = /^(?:\.\*)?\$?$/;

/** The hidden names that a regular expression means; none for one that fits any name. */
export function hiddenLike(expression: string): readonly string[] {
  const plain = expression.replaceAll("\\|", "|");
  // What could take long is not tried.
  if ((plain.match(/[*+?{]/g)?.length ?? 0) > 6 || /\)[*+?{]/.test(plain)) return HIDDEN;
  try {
    const [, name] = /\/([^/]+)$/.exec(plain) ?? [];
    const all = new RegExp(
      name === undefined || ANY.test(name) ? plain : `${plain}|^(?:${name})`,
      "i",
    );
    const fits = (each: string) => all.test(each) || all.test(`./${each}`);
    // `*.json` means no `.mcp.json`.
    const isMeant = (each: string) => !ORDINARY.test(each) || !fits(each.replace(ORDINARY, "q.$1"));
    return fits("q") ? [] : HIDDEN.filter((each) => fits(each) && isMeant(each));
  } catch {
    return HIDDEN;
  }
}

/** A pattern whose `*` fits slashes, too; one that was made so stays. */
export function acrossNames(pattern: string): readonly string[] {
  if (pattern.includes("*/**/*")) return withDots(pattern);
  const below = `**/${pattern.replace(/^(?:\.\/|\*\*\/)/, "")}`;
  const star = /(?<!\*)\*(?!\*)/g;
  return [...withDots(below), ...star.test(pattern) ? withDots(below.replace(star, "*/**/*")) : []];
}

/** A pattern, and the hidden names that it fits where it stands for a leading dot, too. */
export function withDots(pattern: string): readonly string[] {
  const name = pattern.replace(/^(?:\*\*\/)+/, "");
  return [pattern, ...hiddenLike(asExpression(name)).map((each) => `**/${each}`)];
}
