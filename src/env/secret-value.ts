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
