import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { secretShape } from "../../src/env/secrets.ts";

const letters = (count: number): string => "aB3".repeat(count).slice(0, count);

/** Put together here, so that no text in this file has the shape of a secret. */
const secrets: Readonly<Record<string, string>> = {
  "private key": ["-----BEGIN RSA", "PRIVATE KEY-----"].join(" "),
  "GitHub token": `ghs_${letters(36)}`,
  "GitHub fine-grained token": `github_pat_${letters(40)}`,
  "GitLab token": `glpat-${letters(20)}`,
  "npm token": `npm_${letters(36)}`,
  "PyPI token": `pypi-AgEI${letters(30)}`,
  "model API key": `sk-proj-${letters(40)}`,
  "Stripe key": `rk_live_${letters(24)}`,
  "AWS access key id": `AKIA${"A1".repeat(8)}`,
  "Google API key": `AIza${letters(35)}`,
  "Slack token": `xoxb-${letters(24)}`,
  "Hugging Face token": `hf_${letters(34)}`,
  "JSON Web Token": `eyJ${letters(20)}.eyJ${letters(30)}.${letters(20)}`,
  "URL with a password": "postgres://me:pass@db/main",
};

describe("the shape of a value", () => {
  for (const [shape, value] of Object.entries(secrets)) {
    it(`is known for a ${shape}`, () => {
      assert.equal(secretShape(value), shape);
      assert.equal(secretShape(`before ${value} after`), shape);
    });
  }

  for (
    const value of [
      "",
      "/usr/local/bin:/usr/bin",
      "en_US.UTF-8",
      "https://example.com/a@b",
      "risk-averse-and-quite-long-indeed",
      "ssh://git@example.com/repo",
      "xterm-256color",
    ]
  ) {
    it(`is none of a secret for ${JSON.stringify(value)}`, () => {
      assert.equal(secretShape(value), undefined);
    });
  }

  it("is looked for in linear time: this would take hours otherwise", () => {
    for (const part of ["a://", "eyJ", "-----BEGIN ", "sk-", "a"]) {
      secretShape(part.repeat(400_000));
    }
  });
});
