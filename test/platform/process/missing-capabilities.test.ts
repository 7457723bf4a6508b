import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createRuntime } from "../../../src/runtime/create.ts";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import { whyOrphansSurvive } from "../../../src/platform/process/missing-capabilities.ts";
import { living, uniqueSeconds } from "../../execution/world.ts";
import { ROOT } from "../../root.ts";

const program = fileURLToPath(new URL("test/platform/process/fixture/limited.ts", ROOT));
const LIMITED = ["run", "read", "write", "env", "sys=uid"].map((name) => `--allow-${name}`);

interface Answer {
  readonly output?: string;
  readonly error?: string;
  readonly persistent?: boolean;
  readonly terminal?: boolean;
}

/** Run a program of Deno with these permissions. */
async function onDeno(permissions: readonly string[], ...args: readonly string[]) {
  const deno = "Deno" in globalThis ? process.execPath : findProgram("node_modules/.bin/deno", "");
  assert.ok(deno !== undefined);
  const form = ["run", "--no-check", "--no-prompt", ...permissions, program, ...args];
  const { stdout } = await promisify(execFile)(deno, form, {
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" },
  });
  const answer: Answer = JSON.parse(stdout);
  return answer;
}

describe("a process that may do everything", () => {
  it("misses nothing", () => {
    assert.equal(whyOrphansSurvive(), undefined);
  });
});

describe("Deno without --allow-all", () => {
  it("gets no runtime, as a process that leaves its group would outlive it", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const { error = "" } = await onDeno(LIMITED, "", `setsid ${what} & echo hi`);
    assert.match(
      error,
      /^Error: Cannot create a runtime: a process that leaves its group, .* outlives/,
    );
    assert.match(
      error,
      /; Deno reads it with --allow-all, or allow that with allowMissing: \["orphans"\]$/,
    );
    assert.deepEqual(living(what), []);
  });

  it("plays recordings with the permissions for files and variables alone", async () => {
    const answer = await onDeno(["--allow-read", "--allow-env"], "playback", "make");
    assert.deepEqual(answer, { output: "made\n", persistent: true, terminal: true });
  });

  it("gets one that accepts this, and neither keeps shells nor has terminals", async () => {
    const answer = await onDeno(LIMITED, "orphans", "echo out; echo err >&2; exit 3");
    assert.deepEqual(answer, { output: "out\nerr\n", persistent: false, terminal: false });
  });

  it("says that bash may be where it may not look", async () => {
    const hidden = `--deny-read=${(process.env["PATH"] ?? "").replaceAll(":", ",")}`;
    const { error = "" } = await onDeno([...LIMITED, hidden], "orphans", "true");
    assert.match(
      error,
      /^Error: Cannot find "bash": .*, as far as that may be read: Requires read/,
    );
  });

  it("gets one with --allow-all, which keeps the promise", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const answer = await onDeno(["--allow-all"], "", `setsid ${what} & echo hi`);
    assert.deepEqual(answer, { output: "hi\n", persistent: true, terminal: true });
    assert.deepEqual(living(what), []);
  });
});

describe("a runtime that accepts nothing by name", () => {
  it("refuses a name that it does not know", async () => {
    // @ts-expect-error: a caller without types.
    await assert.rejects(createRuntime({ allowMissing: ["everything"] }), { name: "TypeError" });
  });
});
