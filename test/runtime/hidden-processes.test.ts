import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { scratch } from "../event/scratch.ts";
import { runArgs } from "../run-args.ts";

const user = new URL("./fixture/shell-user.ts", import.meta.url);

/** Run commands in a runtime of its own that is started in this way. */
async function runtimeBy(
  way: readonly string[],
  commands: readonly string[],
  program: string = process.execPath,
) {
  const [file = program, ...args] = [...way, program, ...runArgs(user), ...commands];
  const { stdout, stderr } = await promisify(execFile)(file, args, { timeout: 60_000 });
  const told: { reasons: readonly string[]; outputs: readonly string[] } = JSON.parse(stdout);
  return { ...told, stderr };
}

function works(way: readonly string[], test: string): boolean {
  const [file = "", ...args] = [...way, "sh", "-c", test];
  try {
    execFileSync(file, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("a runtime whose /proc is that of another pid namespace", () => {
  const inside = ["unshare", "--user", "--map-root-user", "--pid", "--fork"];
  const possible = works(inside, 'read -r self _ </proc/self/stat; test "$self" != "$$"');

  it("runs each command in a process of its own, and takes no stranger for one of them", async (test) => {
    if (!possible) return test.skip("no such namespace can be made here");
    const { reasons, outputs, stderr } = await runtimeBy(inside, [
      "echo out; echo err >/dev/stderr",
      "sleep 0.1 & echo hi",
    ]);
    const reason = "persistent shells need /proc, which is that of another pid namespace here";
    assert.deepEqual({ reasons, outputs, stderr }, {
      reasons: [reason, reason],
      outputs: ["out\nerr\n", "hi\n"],
      stderr: "",
    });
  });
});

describe("a runtime whose open files are hidden from its own user", () => {
  it("runs each command in a process of its own", async (test) => {
    // The system hides a process so that runs what its user may not read, or has changed its user.
    const program = join(scratch(), "runtime");
    copyFileSync(process.execPath, program);
    chmodSync(program, 0o111);
    const isHidden = "! test -O /proc/self/fd";
    const shell = join(scratch(), "sh");
    copyFileSync("/bin/sh", shell);
    chmodSync(shell, 0o111);
    if (!works([shell, "-c", isHidden], "")) return test.skip("it hides nothing from this user");
    const { reasons, outputs } = await runtimeBy([], ["echo out; echo err >/dev/stderr"], program);
    assert.deepEqual({ reasons, outputs }, {
      reasons: [
        "persistent shells need /proc, where the system hides the files of this process",
      ],
      outputs: ["out\nerr\n"],
    });
  });
});
