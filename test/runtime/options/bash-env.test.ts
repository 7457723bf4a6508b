import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { filter, firstValueFrom, map } from "rxjs";
import type { SnapshotFailed, SnapshotTaken } from "../../../src/event/env.ts";
import { createRuntime } from "../../../src/mod.ts";
import { cleanUp } from "../../clean-up.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-bash-env-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
const file = (name: string, text: string) => {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
};
/** A promise, and what fulfils it: Node 20 has none with both. */
function deferred(): {
  readonly promise: Promise<string>;
  readonly resolve: (path: string) => void;
} {
  let resolve = (_: string) => {};
  const promise = new Promise<string>((fulfil) => resolve = fulfil);
  return { promise, resolve };
}

const SHELL = { sessionId: "kept", executor: "shell" } as const;
const BYPASS = { permission: { mode: "bypass" } } as const;

describe("a file of BASH_ENV", () => {
  it("is refused when bash would run what is in its name", async () => {
    const bashEnv = file("$(touch made)", "hello() { :; }\n");
    await assert.rejects(createRuntime({ bashEnv, cwd: scratch }), {
      name: "TypeError",
      message: `Cannot take what bashEnv "${bashEnv}" defines: bash would expand its name`,
    });
    assert.equal(existsSync(join(scratch, "made")), false);
  });

  it("is run before each line, and what it defines is a fact of the analysis", async () => {
    const bashEnv = file(
      "defines",
      "git() { echo mine; }; shopt -s expand_aliases; alias l='echo alias'\n" +
        "export FROM_FILE=1 PATH=$PATH:/more; echo noise >&2\n",
    );
    const rules = { allow: ["Bash(*)"] };
    await using runtime = await createRuntime({ bashEnv, rules });
    for (const how of [{}, SHELL]) {
      const run = (line: string, more = {}) => runtime.run(line, { ...how, ...more });
      const [asked, alias] = [await run("git status"), await run("l x")];
      assert.match(JSON.stringify(asked.outcome), /\\"git\\" is a function of the shell/);
      assert.match(JSON.stringify(alias.outcome), /\\"l\\" is an alias of the shell/);
      assert.match((await run("git", BYPASS)).output, /mine\n$/);
      assert.match((await run("echo $FROM_FILE ${PATH##*:}")).output, /1 \/more\n$/);
    }
    // What is typed into a bash is judged with them.
    const typed = runtime.start("bash", { input: true });
    await assert.rejects(runtime.input(typed.taskId, "git status\n"), /is a function of the shell/);
    typed.stop();
    await typed.result;
    // Another shell of the session has them as well.
    await runtime.run("exit", { ...SHELL, ...BYPASS });
    const { outcome } = await runtime.run("git status", SHELL);
    assert.equal(outcome.type, "denied");
  });

  it("makes every line a question when it changes shells, or was changed", async () => {
    const trap = file("trap", "trap 'echo x' DEBUG\n");
    const ifs = file("ifs", "IFS=,\n");
    const changed = file("changed", ":\n");
    const rules = { allow: ["Bash(*)"] };
    for (const bashEnv of [trap, ifs, changed]) {
      await using runtime = await createRuntime({ bashEnv, rules });
      if (bashEnv === changed) {
        assert.equal((await runtime.run("echo hi")).outcome.type, "exited");
        writeFileSync(changed, "git() { :; }\n");
      }
      assert.equal((await runtime.run("echo hi")).outcome.type, "denied", bashEnv);
    }
  });

  it("that was promised is waited for by no command, and reported", async () => {
    const { promise, resolve } = deferred();
    await using runtime = await createRuntime({ bashEnv: promise, rules: { allow: ["Bash(*)"] } });
    const news = firstValueFrom(runtime.events.pipe(
      map(({ event }) => event),
      filter(({ type }) => type.startsWith("env.snapshot")),
    ));
    assert.equal((await runtime.run("hello || echo before")).output.endsWith("before\n"), true);
    await runtime.run("true", SHELL);
    const path = file("promised", "hello() { echo hello; }\n");
    resolve(path);
    const { type, ...taken } = await news as SnapshotTaken;
    assert.equal(type, "env.snapshotTaken");
    assert.deepEqual([taken.path, taken.state.functions], [path, ["hello"]]);
    assert.equal((await runtime.run("hello")).outcome.type, "denied");
    assert.equal((await runtime.run("hello", BYPASS)).output, "hello\n");
    // A shell that was there before stays without it; one that takes its place has it.
    assert.match((await runtime.run("hello", { ...SHELL, ...BYPASS })).output, /not found/);
    await runtime.run("exit", { ...SHELL, ...BYPASS });
    assert.equal((await runtime.run("hello", { ...SHELL, ...BYPASS })).output, "hello\n");
  });

  it("that was promised and does not come leaves everything as it is", async () => {
    const cases: readonly (readonly [() => Promise<unknown>, RegExp])[] = [
      [() => Promise.reject(new Error("no bash")), /^no bash$/],
      [() => Promise.resolve(5), /^Cannot take what bashEnv promises, 5: it is no path$/],
      [() => Promise.resolve(join(scratch, "none")), /there is no regular file of this name$/],
    ];
    for (const [promise, why] of cases) {
      const bashEnv = promise() as Promise<string>;
      await using runtime = await createRuntime({ bashEnv, mode: "bypass" });
      const { event } = await firstValueFrom(
        runtime.events.pipe(filter(({ event }) => event.type === "env.snapshotFailed")),
      );
      assert.match((event as SnapshotFailed).reason, why);
      assert.equal((await runtime.run("echo on")).output, "on\n");
    }
  });

  it("is refused where bash does not get through it", async () => {
    const bad = {
      "there is no regular file of this name": join(scratch, "none"),
      "it ended without it (code 3)": file("exits", "exit 3\n"),
    };
    for (const [why, bashEnv] of Object.entries(bad)) {
      await assert.rejects(createRuntime({ bashEnv }), {
        name: "TypeError",
        message: `Cannot take what bashEnv "${bashEnv}" defines: ${why}`,
      });
    }
  });
});
