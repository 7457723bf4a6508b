import { firstPattern } from "./name-pattern.ts";
import { DEFAULT_EXCLUDES, type EnvPolicy } from "./env-policy.ts";
import { secretShape } from "./secret-value.ts";

const secretName = firstPattern(DEFAULT_EXCLUDES);
/** A line of a key in base64. */
const CODE_LINE = /^[\w+/=-]{16,}$/;
const proxy = firstPattern(["*_PROXY"]);

/** Why a variable of the host counts as a secret; `undefined` when it does not. */
export function secretRule(name: string, value: string): string | undefined {
  const pattern = secretName(name);
  if (pattern !== undefined) return `default exclude ${pattern}`;
  const shape = secretShape(value);
  // A proxy that asks for a password is of no use without it.
  if (shape === undefined || (shape === "URL with a password" && proxy(name))) return undefined;
  return `value of the shape "${shape}"`;
}

/** The values that no command gets, as far as they can be told from ordinary words in an output. */
export function secretsOf(
  base: Readonly<Record<string, string>>,
  { keepSecrets = false }: Pick<EnvPolicy, "keepSecrets">,
): readonly string[] {
  if (keepSecrets) return [];
  const [dropped, kept] = [new Set<string>(), new Set<string>()];
  for (const [name, value] of Object.entries(base)) {
    (secretRule(name, value) === undefined ? kept : dropped).add(value.trim());
  }
  return [...dropped].flatMap(withLines).filter((value) => isTelling(value) && !kept.has(value));
}

/** A value with the lines of its code: a terminal ends each of them with a carriage return. */
function withLines(value: string): readonly string[] {
  const lines = value.split(/\r?\n/);
  return [value, ...lines.length > 1 ? lines.filter((line) => CODE_LINE.test(line)) : []];
}

/** `KEYBOARD=english`, `KEY_FILE=/home/a/key` and `TOKEN_LIMIT=8192` are no texts to hide. */
function isTelling(value: string): boolean {
  const isWord = value.length < 16 && !(/[A-Za-z]/.test(value) && /\d/.test(value));
  return value.length >= 8 && !isWord && !/^(?:[.~]{0,2}\/|\d+$|[a-z]+:\/\/[^@]*$)/.test(value);
}
