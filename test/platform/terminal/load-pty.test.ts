import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { loadPty } from "../../../src/platform/terminal/load-pty.ts";
import { runArgs } from "../../run-args.ts";

const absent: string = "node-pty-that-is-not-installed";

describe("node-pty", () => {
  it("is loaded as a module or as CommonJS", async () => {
    const native = { fork: () => {}, resize: () => {} };
    assert.equal(await loadPty({ load: () => Promise.resolve({ native }) }), native);
    assert.equal(await loadPty({ load: () => Promise.resolve({ default: { native } }) }), native);
  });

  it("is missed with an error that says how to get it", async () => {
    await assert.rejects(loadPty({ load: () => import(absent) }), {
      message: "Cannot open a terminal: the optional package node-pty is not installed; " +
        '"npm install node-pty" adds it',
    });
  });

  it("is refused when it does not load, or is another package", async () => {
    const load = () => Promise.reject(new Error("Failed to load native module: pty.node\nand so"));
    await assert.rejects(
      loadPty({ load }),
      /^Error: Cannot open a terminal: node-pty cannot be loaded: Failed to load native module: pty\.node; /,
    );
    await assert.rejects(loadPty({ load: () => Promise.resolve({ native: null }) }), {
      message: "Cannot open a terminal: what is installed as node-pty has other functions",
    });
  });

  it("is not asked for on a system without support", async () => {
    await assert.rejects(loadPty({ platform: "win32" }), {
      message: "Cannot open a terminal: they are for Linux, and this is win32",
    });
  });
});

describe("terminals without end", () => {
  it("are refused with an error that says what to do, and the open ones go on", async () => {
    const program = new URL("fixture/too-many.ts", import.meta.url);
    const { stdout } = await promisify(execFile)("sh", [
      "-c",
      'ulimit -n 64; exec "$0" "$@"',
      process.execPath,
      ...runArgs(program),
    ]);
    assert.match(
      stdout,
      /^no pseudo-terminal can be opened: .*close some, or raise .*\nstill works\n$/,
    );
  });
});
