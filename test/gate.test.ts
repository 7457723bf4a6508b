import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { type Observable, of } from "rxjs";
import type { CommandAdmitted } from "../src/event/command.ts";
import type { RuntimeEvent } from "../src/event/event.ts";
import { type Gate, gate } from "../src/gate.ts";
import { VirtualClock } from "../src/platform/virtual-clock.ts";
import { createRuntime } from "../src/runtime/create.ts";
import type { RuntimeOptions } from "../src/runtime/options/options.ts";
import { cleanUp } from "./clean-up.ts";
import { until } from "./until.ts";

/** What a runtime with a gate records of a line, as the types of its events. */
async function through(
  gates: readonly Gate[],
  line = "echo hi",
  options: RuntimeOptions = {},
): Promise<{ readonly types: string[]; readonly output: string; readonly reason?: string }> {
  await using runtime = await createRuntime({ mode: "bypass", gates, ...options });
  const types: string[] = [];
  runtime.events.subscribe(({ event }) => {
    if ("commandId" in event) types.push(event.type);
  });
  const { outcome, output } = await runtime.run(line);
  return { types, output, ...("reason" in outcome && { reason: outcome.reason }) };
}

const execute = (decide: Extract<Gate, { before: "execute" }>["decide"]): Gate => ({
  name: "g",
  before: "execute",
  decide,
});

describe("a gate", () => {
  it("is asked before the next stage acts, and lets a command pass as it is", async () => {
    const heard: string[] = [];
    const passes = (name: string) => ({
      name,
      decide: ({ type }: { readonly type: string }) => {
        heard.push(`${name} ${type}`);
        return { pass: true } as const;
      },
    });
    const { types, output } = await through([
      { ...passes("one"), before: "permit" },
      { ...passes("two"), before: "construct" },
      { ...passes("three"), before: "execute" },
      { ...passes("four"), before: "execute" },
    ]);
    assert.equal(output, "hi\n");
    assert.deepEqual(heard, [
      "one command.parsed",
      "two permission.granted",
      "three env.built",
      "four env.built",
    ]);
    assert.ok(!types.includes("command.changed"));
  });

  it("is heard to stop a command before anything starts", async () => {
    const directory = mkdtempSync(join(tmpdir(), "shellflow-gate-"));
    cleanUp(() => rmSync(directory, { recursive: true }));
    const file = join(directory, "ran");
    let ranBefore: boolean | undefined;
    const stop = execute(() => {
      ranBefore = existsSync(file);
      return { pass: false, reason: "not today" };
    });
    const { types, reason } = await through([stop], `touch ${file}`);
    assert.equal(reason, 'Cannot pass the gate "g": not today');
    assert.deepEqual(types.slice(-2), ["permission.granted", "command.rejected"]);
    assert.deepEqual([ranBefore, existsSync(file)], [false, false]);
  });

  it("adds variables and limits, of which names and numbers are recorded", async () => {
    const change = execute(() => ({
      pass: true,
      env: { GATED: "secret value" },
      limits: { timeoutMs: 60_000 },
    }));
    await using runtime = await createRuntime({ mode: "bypass", gates: [change] });
    const recorded: RuntimeEvent[] = [];
    runtime.events.subscribe(({ event }) => recorded.push(event));
    const session = { sessionId: "s", executor: "shell" } as const;
    for (const options of [{}, session]) {
      const { output } = await runtime.run('echo "$GATED"', options);
      assert.equal(output, "secret value\n");
    }
    assert.equal((await runtime.run("unset GATED; true", session)).exitCode, 0);
    const changed = recorded.find(({ type }) => type === "command.changed");
    const text = JSON.stringify(changed);
    assert.match(text, /"by":"g","env":\{"names":\["GATED"\]\},"limits":\{"timeoutMs":60000\}/);
  });

  it("replaces all limits of a command, the time until it is promoted included", async () => {
    const options: RuntimeOptions = { mode: "bypass", timeoutMs: 100, onTimeout: "promote" };
    const none = execute(() => ({ pass: true, limits: {} }));
    await using patient = await createRuntime({ ...options, gates: [none] });
    assert.equal((await patient.run("sleep 0.3")).outcome.type, "exited");
    const soon = execute(() => ({ pass: true, limits: { promoteAfterMs: 50 } }));
    await using quick = await createRuntime({ ...options, timeoutMs: 0, gates: [soon] });
    const { outcome } = await quick.run("sleep 1");
    assert.deepEqual(outcome, { type: "promoted", by: "timeout" });
  });

  it("holds a command until it answers; its signal aborts when the command is given up", async () => {
    let ask: (signal: AbortSignal) => void = () => {};
    const asked = new Promise<AbortSignal>((resolve) => (ask = resolve));
    const thinks = execute((_, signal) => {
      ask(signal);
      return new Promise(() => {});
    });
    await using runtime = await createRuntime({ mode: "bypass", gates: [thinks] });
    const running = runtime.start("echo hi");
    const signal = await asked;
    assert.equal(signal.aborted, false);
    running.stop();
    assert.deepEqual((await running.result).outcome, { type: "aborted", by: "stop" });
    assert.equal(signal.aborted, true);
  });

  it("stops a command when it has not answered in its time", async () => {
    const clock = new VirtualClock();
    let given: AbortSignal | undefined;
    const thinks = execute((_, signal) => {
      given = signal;
      return new Promise(() => {});
    });
    const quick: Gate = { ...execute(() => ({ pass: true })), timeoutMs: 1 };
    const gates = [quick, { ...thinks, timeoutMs: 60_000 }];
    await using runtime = await createRuntime({ mode: "bypass", gates, clock });
    const { result } = runtime.start("echo hi", { timeoutMs: 1 });
    await until(() => given !== undefined);
    assert.equal(clock.idle, false);
    clock.advance(59_999);
    assert.equal(given?.aborted, false);
    clock.advance(1);
    const reason = 'Cannot pass the gate "g": it has not answered within 60 s';
    assert.deepEqual((await result).outcome, { type: "rejected", reason });
    assert.equal(given?.aborted, true);
  });

  it("has its time also where that of a replay jumps", async () => {
    const clock = new VirtualClock(0, { automatic: true });
    const decide = async () => {
      for (let turn = 0; turn < 50; turn++) await new Promise((next) => setTimeout(next));
      return { pass: true } as const;
    };
    const gates = [{ ...execute(decide), timeoutMs: 60_000 }];
    await using runtime = await createRuntime({ mode: "bypass", gates, clock });
    const { outcome } = await runtime.run("echo hi");
    assert.deepEqual(outcome, { type: "exited", code: 0 });
  });

  it("stops a command for every answer that it should not give, and for every failure", async () => {
    const answers: readonly (() => unknown)[] = [
      () => undefined,
      () => true,
      () => ({ pass: "yes" }),
      () => ({ pass: true, env: { "A B": "x" } }),
      () => ({ pass: true, command: "rm -rf /" }),
      () => Promise.reject(new Error("no answer")),
      () => {
        throw new Error("broken");
      },
    ];
    for (const answer of answers) {
      const { types, reason } = await through([execute(answer as Gate["decide"] & (() => never))]);
      assert.match(reason ?? "", /^Cannot pass the gate "g": it (answered|failed)/);
      assert.ok(!types.includes("execution.started"));
    }
    const early: Gate = {
      name: "g",
      before: "permit",
      decide: (() => ({ pass: true, env: { A: "b" } })) as Gate["decide"] & (() => never),
    };
    assert.match((await through([early])).reason ?? "", /only a gate before execute can change/);
  });

  it("stands in the order of the stages, which the compiler checks", () => {
    const admitted: Observable<CommandAdmitted> = of();
    const built = gate(execute(() => ({ pass: true })) as Extract<Gate, { before: "execute" }>);
    // @ts-expect-error No stage before this gate emits what it holds.
    admitted.pipe(built);
  });
});
