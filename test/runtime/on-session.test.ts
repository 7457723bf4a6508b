import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  createRuntime,
  type OnSession,
  type RuntimeEvent,
  type SessionPrepared,
} from "../../src/mod.ts";
import { cleanUp } from "../clean-up.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-on-session-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));

/** What a hook comes to, and what the first command prints. */
async function prepared(onSession: OnSession): Promise<{
  readonly event: SessionPrepared | undefined;
  readonly output: string;
}> {
  await using runtime = await createRuntime({ mode: "bypass", onSession, onSessionMs: 100 });
  const events: RuntimeEvent[] = [];
  runtime.events.subscribe(({ event }) => events.push(event));
  const { output } = await runtime.run("echo first $A", { sessionId: "s" });
  return { event: events.find((event) => event.type === "session.prepared"), output };
}

describe("a hook of sessions", () => {
  it("runs commands before those that wait, and gives all of them variables", async () => {
    const order: string[] = [];
    await using runtime = await createRuntime({
      mode: "bypass",
      onSession: async ({ sessionId, cwd, owner }, { reason, run }) => {
        order.push([sessionId, cwd, owner ?? "-", reason].join(" "));
        const { output } = await run("cd /usr; echo prepared");
        order.push(output.trim());
        return { A: "1" };
      },
      cwd: "/tmp",
      defaultExecutor: "auto",
    });
    const lines = ["echo one $A", "echo two $A; pwd"].map((line) =>
      runtime.run(line, { sessionId: "s" })
    );
    for (const { output } of await Promise.all(lines)) order.push(output);
    assert.deepEqual(order, ["s /tmp - start", "prepared", "one 1\n", "two 1\n/usr\n"]);
    // A command that is alone in its session has none to prepare.
    assert.equal((await runtime.run("echo alone $A")).output, "alone\n");
    assert.equal((await runtime.run("echo $A", { owner: "agent" })).output, "1\n");
    assert.match(order.at(-2) ?? "", / agent start$/);
    // One that stands in for a busy session has its variables.
    const busy = runtime.start("sleep 0.3", { sessionId: "s" });
    const stead = await runtime.run("echo $A", { sessionId: "s", overlap: "isolate" });
    assert.equal(stead.output, "1\n");
    await busy.result;
  });

  it("knows a session of an earlier runtime", async () => {
    const reasons: string[] = [];
    for (let i = 0; i < 2; i++) {
      await using runtime = await createRuntime({
        mode: "bypass",
        log: join(scratch, "log"),
        onSession: (_, { reason }) => void reasons.push(reason),
      });
      await runtime.run("true", { sessionId: "s" });
      await runtime.run("true", { sessionId: `new-${i}` });
    }
    assert.deepEqual(reasons, ["start", "start", "resume", "start"]);
  });

  it("is judged as any other command, unless it says otherwise", async () => {
    const outcomes: string[] = [];
    await using runtime = await createRuntime({
      rules: { deny: ["Bash(rm *)"] },
      onSession: async (_, { run }) => {
        const permission = { mode: "bypass" } as const;
        for (const how of [{}, { permission }]) {
          outcomes.push((await run("touch /nosuch/x", how)).outcome.type);
          outcomes.push((await run("rm /nosuch/x", how)).outcome.type);
        }
      },
    });
    await runtime.run("pwd", { sessionId: "s" });
    assert.deepEqual(outcomes, ["denied", "denied", "exited", "denied"]);
  });

  it("reports what goes wrong, and the first command runs all the same", async () => {
    const hooks: readonly (readonly [RegExp, OnSession])[] = [
      [/^broken$/, () => Promise.reject(new Error("broken"))],
      [/took longer than 100 ms$/, () => new Promise(() => {})],
      [/took longer than 100 ms$/, async (_, { run }) => void await run("sleep 60")],
      [/^Cannot set variable "BASH_ENV": it changes/, () => ({ BASH_ENV: "x" })],
      [/^Cannot set variable "a b": a name has/, () => ({ "a b": "x" })],
      [/^Cannot use the answer of onSession, 3/, () => 3 as never],
      [
        /^Cannot run a command with command "": it is empty$/,
        async (_, { run }) => void await run(""),
      ],
    ];
    for (const [problem, hook] of hooks) {
      const { event, output } = await prepared(hook);
      assert.match(event?.problem ?? "", problem);
      assert.equal(output, "first\n");
    }
    const { event, output } = await prepared(() => ({ A: "1" }));
    assert.deepEqual([event?.env?.names, event?.problem, output], [["A"], undefined, "first 1\n"]);
    assert.ok(!JSON.stringify(event).includes('"1"'));
  });

  it("is over with its session: nothing waits for it, and it can run nothing more", async () => {
    let late: Promise<unknown> | undefined;
    const types: string[] = [];
    {
      await using runtime = await createRuntime({
        mode: "bypass",
        onSession: (_, { signal, run }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              late = run("echo late");
              late.catch(() => {});
              resolve();
            });
          }),
      });
      runtime.events.subscribe(({ event }) => types.push(event.type));
      const first = runtime.start("echo 1", { sessionId: "s" });
      const second = runtime.start("echo 2", { sessionId: "s" });
      first.stop();
      assert.equal((await first.result).outcome.type, "aborted");
      void runtime.close();
      assert.equal((await second.result).outcome.type, "aborted");
    }
    await assert.rejects(late ?? Promise.resolve(), /the preparation of the session is over/);
    assert.ok(!types.includes("session.prepared"));
  });
});
