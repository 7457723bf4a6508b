import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { runArgs } from "../run-args.ts";

const user = new URL("./fixture/shell-user.ts", import.meta.url);

describe("a runtime that was started with SIGCHLD ignored", () => {
  it("hears of the end of its commands and shells all the same", async () => {
    const { stdout, stderr } = await promisify(execFile)("bash", [
      ...["-c", `trap '' CHLD; exec "$@"`, "bash", process.execPath, ...runArgs(user)],
      ...["echo one; kept=1", "echo $kept; exit 3", "echo three >/dev/stderr"],
    ], { timeout: 60_000 });
    assert.deepEqual([JSON.parse(stdout), stderr], [
      { reasons: [], outputs: ["one\n", "1\n", "three\n"] },
      "",
    ]);
  });
});
