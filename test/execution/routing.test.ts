import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { firstValueFrom, of, toArray } from "rxjs";
import { EnvValues } from "../../src/event/env-values.ts";
import type { Invocation } from "../../src/event/env.ts";
import type { Executor } from "../../src/execution/executor.ts";
import { routingExecutor } from "../../src/execution/routing.ts";

const env = new EnvValues({});
const plain: Invocation = { command: "ls", file: "sh", args: [], cwd: "/", env, limits: {} };
const forShell: Invocation = {
  ...plain,
  shell: { sessionId: "s", dialect: "bash", env, returns: false },
};
const sinks = { open: () => ({ write: () => {}, end: () => {} }) };

/** An executor that writes down what it is asked. */
function fake(name: string, asked: string[], more: Partial<Executor> = {}): Executor {
  return {
    name,
    capabilities: { terminal: false, input: false, persistent: name === "shell", detaches: false },
    run: (commandId, { shell }) => {
      asked.push(`${name} run ${commandId}${shell === undefined ? "" : ` in ${shell.sessionId}`}`);
      return of({ type: "execution.failed", commandId, reason: name });
    },
    send: (commandId, { type }) => {
      asked.push(`${name} ${type} ${commandId}`);
      return name === "process";
    },
    close: () => {
      asked.push(`${name} close`);
      return Promise.resolve();
    },
    ...more,
  };
}

describe("the routing executor", () => {
  const routed = (more: Partial<Executor> = {}) => {
    const asked: string[] = [];
    const executor = routingExecutor({
      process: fake("process", asked),
      shell: fake("shell", asked, more),
    });
    return { asked, executor };
  };

  it("divides commands by whether they are for a shell that lives on", async () => {
    const { asked, executor } = routed();
    await firstValueFrom(executor.run("a", plain, sinks).pipe(toArray()));
    await firstValueFrom(executor.run("b", forShell, sinks).pipe(toArray()));
    assert.deepEqual(asked, ["process run a", "shell run b in s"]);
    assert.equal(executor.capabilities.persistent, true);
  });

  it("tells that the shell cannot serve, and then runs the command in a process alone", async () => {
    const { asked, executor } = routed({ serves: () => "there is no such shell" });
    const events = await firstValueFrom(executor.run("a", forShell, sinks).pipe(toArray()));
    assert.deepEqual(events, [{
      type: "execution.fellBack",
      commandId: "a",
      from: "shell",
      to: "process",
      reason: "there is no such shell",
    }, { type: "execution.failed", commandId: "a", reason: "process" }]);
    assert.deepEqual(asked, ["process run a"]);
  });

  it("runs nothing twice when the shell fails after it said that it serves", async () => {
    const { asked, executor } = routed();
    const [failed] = await firstValueFrom(executor.run("a", forShell, sinks).pipe(toArray()));
    assert.equal(failed?.type, "execution.failed");
    assert.deepEqual(asked, ["shell run a in s"]);
  });

  it("runs nothing for who leaves on hearing of the fallback", async () => {
    const { asked, executor } = routed({ serves: () => "no" });
    const first = await firstValueFrom(executor.run("a", forShell, sinks));
    assert.equal(first.type, "execution.fellBack");
    assert.deepEqual(asked, []);
  });

  it("sends messages to who has the command, and closes the shells first", async () => {
    const released: string[] = [];
    const { asked, executor } = routed({ release: (id, why) => released.push(`${id} ${why}`) });
    assert.equal(executor.send("a", { type: "stop", by: "user" }), true);
    executor.release?.("s", "idle");
    await executor.close();
    assert.deepEqual(released, ["s idle"]);
    assert.deepEqual(asked, ["shell stop a", "process stop a", "shell close", "process close"]);
  });
});
