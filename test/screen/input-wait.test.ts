import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type InputEvidence, type InputWait, inputWait } from "../../src/screen/input-wait.ts";

const lines = { echo: true, canonical: true };
const keys = { echo: false, canonical: false };
const hidden = { echo: false, canonical: true };

/** What is known, and what is decided. */
const CASES: Readonly<Record<string, readonly [InputEvidence, InputWait | undefined]>> = {
  "cat, which reads": [
    { wait: "read", settings: lines, quietMs: 100, line: "" },
    { password: false },
  ],
  "a question, read by lines": [
    { wait: "read", settings: lines, quietMs: 100, line: "name? " },
    { prompt: "name?", password: false },
  ],
  "a password, which is not shown": [
    { wait: "read", settings: hidden, quietMs: 100, line: "Enter it now" },
    { prompt: "Enter it now", password: true },
  ],
  "a password of a program that waits for a connection as well": [
    { wait: "poll", settings: hidden, quietMs: 100, line: "you@host's password: " },
    { prompt: "you@host's password:", password: true },
  ],
  "a password of a program that reads keys": [
    { wait: "poll", settings: keys, quietMs: 500, line: "? Token for npm: " },
    { prompt: "? Token for npm:", password: true },
  ],
  "a line editor": [
    { wait: "poll", settings: keys, quietMs: 500, line: ">>> " },
    { prompt: ">>>", password: false },
  ],
  "a program that draws, and takes keys": [
    { wait: "poll", settings: keys, quietMs: 500, line: " 4711 root  20  0.3 kworker" },
    { password: false, keys: true },
  ],
  "a line editor that says that it is at its prompt": [
    { wait: "poll", settings: keys, quietMs: 100, line: "$ ", atPrompt: true },
    { prompt: "$", password: false },
  ],
  "a line editor with another prompt that says the same": [
    { wait: "poll", settings: keys, quietMs: 100, line: "➜  ~ ", atPrompt: true },
    { prompt: "➜  ~", password: false },
  ],
  "a server that says the same": [
    { wait: "poll", settings: lines, quietMs: 60_000, line: "", atPrompt: true },
    undefined,
  ],
  "a compiler that says the same": [
    { wait: "neither", settings: keys, quietMs: 60_000, line: "$ ", atPrompt: true },
    undefined,
  ],
  "a server that waits for connections": [
    { wait: "poll", settings: lines, quietMs: 60_000, line: "" },
    undefined,
  ],
  "a server with its address before the cursor": [
    { wait: "poll", settings: lines, quietMs: 60_000, line: "listening on http://localhost:3000" },
    undefined,
  ],
  "a question of a program that waits for other things as well": [
    { wait: "poll", settings: lines, quietMs: 500, line: "Continue? [y/N] " },
    { prompt: "Continue? [y/N]", password: false },
  ],
  "a compiler": [
    { wait: "neither", settings: lines, quietMs: 60_000, line: "what now? " },
    undefined,
  ],
  "a program that has just written": [
    { wait: "read", settings: lines, quietMs: 50, line: "name? " },
    undefined,
  ],
  "a program that may write more": [
    { wait: "poll", settings: keys, quietMs: 200, line: "name? " },
    undefined,
  ],
  "a question, where the system shows nothing": [
    { wait: "unknown", quietMs: 500, line: "name: " },
    { prompt: "name:", password: false },
  ],
  "silence, where the system shows nothing": [
    { wait: "unknown", quietMs: 60_000, line: "compiling" },
    undefined,
  ],
};

describe("whether a program waits for input", () => {
  for (const [name, [evidence, expected]] of Object.entries(CASES)) {
    it(`is decided for ${name}`, () => assert.deepEqual(inputWait(evidence), expected));
  }
});
