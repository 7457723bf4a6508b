import { firstPattern } from "./name-pattern.ts";
import { DEFAULT_EXCLUDES, type EnvPolicy } from "./env-policy.ts";

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

/** The shape of a secret, by which a value is known whatever its name. */
interface SecretShape {
  readonly name: string;
  readonly pattern: RegExp;
}

/**
 * Values that are secrets by their own shape, as their issuers document it.
 *
 * Each pattern has a fixed beginning and no nested repetition, so that none takes long.
 */
const SECRET_SHAPES: readonly SecretShape[] = [
  { name: "private key", pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----/ },
  { name: "GitHub token", pattern: /\bgh[pousr]_[A-Za-z0-9]{36,}/ },
  { name: "GitHub fine-grained token", pattern: /\bgithub_pat_[A-Za-z0-9_]{22,}/ },
  { name: "GitLab token", pattern: /\bglpat-[A-Za-z0-9_-]{20,}/ },
  { name: "npm token", pattern: /\bnpm_[A-Za-z0-9]{36}/ },
  { name: "PyPI token", pattern: /\bpypi-AgEI[A-Za-z0-9_-]{16,}/ },
  { name: "model API key", pattern: /\bsk-[A-Za-z0-9_-]{20,}/ },
  { name: "Stripe key", pattern: /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/ },
  { name: "AWS access key id", pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { name: "Google API key", pattern: /\bAIza[A-Za-z0-9_-]{35}/ },
  { name: "Slack token", pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/ },
  { name: "Hugging Face token", pattern: /\bhf_[A-Za-z0-9]{30,}/ },
  {
    name: "JSON Web Token",
    pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/,
  },
  {
    name: "URL with a password",
    pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{1,100}:[^\s/@]{1,200}@/i,
  },
];

/** The shape that a value has, if it is that of a secret. */
export function secretShape(value: string): string | undefined {
  return SECRET_SHAPES.find(({ pattern }) => pattern.test(value))?.name;
}
