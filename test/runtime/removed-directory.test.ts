import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { createRuntime } from "../../src/runtime/create.ts";
import { cleanUp } from "../clean-up.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "shellflow-removed-")));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));

describe("a session whose directory was removed", () => {
  for (const executor of ["shell", "process"] as const) {
    it(`runs nothing, and goes on in the nearest one above, with a ${executor}`, async () => {
      const deep = join(scratch, executor, "a", "b");
      mkdirSync(deep, { recursive: true });
      await using runtime = await createRuntime({ cwd: scratch, mode: "bypass" });
      runtime.openSession("s", { cwd: deep });
      const run = async (line: string) => await runtime.run(line, { sessionId: "s", executor });
      assert.equal((await run("pwd; x=kept")).output, `${deep}\n`);
      rmSync(join(scratch, executor, "a"), { recursive: true });
      const above = join(scratch, executor);
      const { outcome } = await run("touch made-here");
      const reason =
        `Cannot run in "${deep}": no such directory; the session goes on in "${above}"`;
      assert.deepEqual(outcome, { type: "rejected", reason });
      const { output, cwd } = await run("pwd; ls; echo $x");
      assert.equal(output, `${above}\n${executor === "shell" ? "kept" : ""}\n`);
      assert.deepEqual(cwd, { before: above, after: above });
      mkdirSync(deep, { recursive: true });
      assert.equal((await run("pwd")).output, `${above}\n`, "it stays there");
      const gone = await runtime.run("pwd", { sessionId: "s", executor, cwd: "none" });
      assert.equal(gone.outcome.type, "rejected");
    });
  }

  for (const pty of [false, true]) {
    it(`does not go on in the directory of one command, ${pty ? "on a terminal" : "with pipes"}`, async () => {
      const removed = join(scratch, `pty-${pty}`);
      mkdirSync(removed);
      await using runtime = await createRuntime({ cwd: scratch, mode: "bypass" });
      runtime.openSession("s", { cwd: removed });
      const options = { sessionId: "s", executor: "shell", pty } as const;
      const first = await runtime.run("pwd; x=kept", { ...options, cwd: "/" });
      assert.deepEqual([first.output.trim(), first.cwd], ["/", { before: "/", after: removed }]);
      assert.equal((await runtime.run("pwd", options)).output.trim(), removed);
      const second = await runtime.run(`rmdir ${removed}`, { ...options, cwd: "/" });
      assert.deepEqual(second.cwd, { before: "/", after: removed });
      assert.equal((await runtime.run("pwd", options)).outcome.type, "rejected");
      const { output } = await runtime.run("pwd; echo $x", options);
      assert.equal(output.replaceAll("\r", ""), `${scratch}\nkept\n`);
    });
  }

  it("runs nothing of what is asked for at the same time", async () => {
    const removed = join(scratch, "parallel");
    mkdirSync(removed);
    await using runtime = await createRuntime({ cwd: scratch, mode: "bypass" });
    runtime.openSession("s", { cwd: removed });
    rmSync(removed, { recursive: true });
    const run = async () => (await runtime.run("pwd", { sessionId: "s" })).outcome.type;
    assert.deepEqual(await Promise.all([run(), Promise.resolve().then(run), run()]), [
      "rejected",
      "rejected",
      "rejected",
    ]);
    assert.equal(await run(), "exited");
  });
});

describe("a runtime whose directory was removed", () => {
  it("runs no command in another one, whatever the command", async () => {
    const cwd = mkdtempSync(join(scratch, "cwd-"));
    await using runtime = await createRuntime({ cwd, mode: "bypass" });
    rmSync(cwd, { recursive: true });
    for (const options of [{}, { owner: "o" }, {}]) {
      assert.deepEqual((await runtime.run("pwd", options)).outcome, {
        type: "rejected",
        reason: `Cannot run in "${cwd}": no such directory`,
      });
    }
    assert.equal((await runtime.run("pwd", { cwd: scratch })).output, `${scratch}\n`);
  });
});

describe("a program whose own directory was removed", () => {
  /** Use the runtime where nothing relative leads anywhere, also not to programs. */
  const removed = async (use: () => Promise<void>) => {
    const before = process.cwd();
    const own = mkdtempSync(join(scratch, "own-"));
    process.chdir(own);
    rmSync(own, { recursive: true });
    const { PATH = "" } = process.env;
    process.env["PATH"] = `.:${PATH}`;
    try {
      await use();
    } finally {
      process.env["PATH"] = PATH;
      process.chdir(before);
    }
  };

  it("runs commands in every other one", () =>
    removed(async () => {
      const log = join(scratch, "log");
      await using runtime = await createRuntime({ cwd: scratch, log, mode: "bypass" });
      for (const executor of ["shell", "process"] as const) {
        const { output } = await runtime.run("pwd", { sessionId: executor, executor });
        assert.equal(output, `${scratch}\n`);
      }
    }));

  it("is told so when it names none", () =>
    removed(async () => {
      await assert.rejects(createRuntime({ mode: "bypass" }), {
        message: "Cannot use the current directory: it was removed",
      });
    }));
});
