import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { secretsOf } from "../../src/env/secrets.ts";

describe("secrets of the host", () => {
  it("are what no command gets, by name or by shape", () => {
    const github = `ghp_${"a1".repeat(18)}`;
    const base = { API_KEY: "abc123def", OTHER: github, PASSWORD: "correct horse battery" };
    assert.deepEqual(secretsOf(base, {}), ["abc123def", github, "correct horse battery"]);
    assert.deepEqual(secretsOf(base, { keepSecrets: true }), []);
  });

  it("are the lines of a key, too", () => {
    const lines = ["MIIEpAIBAAKCAQEA7bq0", "b2xkIGtleSBoZXJlIDEy"];
    const PRIVATE_KEY = ["-----BEGIN KEY-----", ...lines, "-----END KEY-----", ""].join("\n");
    assert.deepEqual(secretsOf({ PRIVATE_KEY }, {}), [PRIVATE_KEY.trim(), ...lines]);
  });

  it("are no words, paths, numbers or addresses, and nothing that commands have anyway", () => {
    const base = {
      KEYBOARD: "english",
      KEY_ENV: "production",
      TOKEN_LIMIT: "200000000",
      SSH_KEY_PATH: "/home/user/.ssh/id_ed25519",
      KEY_FILE: "~/.keys/a1b2c3d4",
      TOKEN_URL: "https://login.example/oauth2/token",
      SHORT_TOKEN: "a1",
      USER_KEY: "user-name-01",
      USER: "user-name-01",
    };
    assert.deepEqual(secretsOf(base, {}), []);
  });
});
