import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { probeTerminal } from "../../src/platform/terminal.ts";

const absent: string = "node-pty-that-nobody-installed";

describe("the probe for terminals", () => {
  it("answers without throwing, whatever is installed here", async () => {
    const probe = await probeTerminal();
    if (!probe.available) assert.match(probe.reason, /^Cannot open a terminal: /);
  });

  it("says that the package is not installed", async () => {
    assert.deepEqual(await probeTerminal(() => import(absent)), {
      available: false,
      reason: "Cannot open a terminal: the optional package node-pty is not installed",
    });
  });

  it("says why an installed package does not load", async () => {
    const load = () =>
      Promise.reject(new Error("Failed to load native module: pty.node\nand so on"));
    assert.deepEqual(await probeTerminal(load), {
      available: false,
      reason:
        "Cannot open a terminal: node-pty cannot be loaded: Failed to load native module: pty.node",
    });
  });

  it("does not take another package for it", async () => {
    assert.deepEqual(await probeTerminal(() => Promise.resolve({ default: {} })), {
      available: false,
      reason: "Cannot open a terminal: what is installed as node-pty has no spawn function",
    });
  });

  it("finds it as a module or as CommonJS", async () => {
    const spawn = () => {};
    assert.deepEqual(await probeTerminal(() => Promise.resolve({ spawn })), { available: true });
    assert.deepEqual(await probeTerminal(() => Promise.resolve({ default: { spawn } })), {
      available: true,
    });
  });
});
