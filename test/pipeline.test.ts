import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { from, lastValueFrom, map, type Observable, of, toArray } from "rxjs";
import type { CommandAdmitted } from "../src/event/command.ts";
import type { ExecutionEvent } from "../src/event/execution.ts";
import {
  buffer,
  ByteLogs,
  construct,
  execute,
  type Executor,
  parse,
  permit,
  type PermitOptions,
  pipeline,
  type PipelineOptions,
  systemClock,
} from "../src/mod.ts";
import { createPolicy } from "../src/permission/policy.ts";
import { countingIds } from "../src/platform/ids.ts";
import { bash } from "../src/shell/bash.ts";

const admitted = (commandId: string, command: string): CommandAdmitted => ({
  type: "command.admitted",
  commandId,
  sessionId: "s",
  order: { sessionId: "s", command, cwd: "/", dialect: "bash", origin: "model", limits: {} },
});

/** Writes the command back, as `cat` would. */
const echo: Executor = {
  name: "echo",
  capabilities: { terminal: false, input: false, persistent: false, detaches: false },
  run: (commandId, { command }, sinks) => {
    const sink = sinks.open(commandId, { pause: () => {}, resume: () => {}, end: () => {} });
    const events: ExecutionEvent[] = [
      { type: "execution.started", commandId, executor: "echo", pid: 0 },
      {
        type: "execution.exited",
        commandId,
        outcome: { type: "exited", code: 0 },
        durationMs: 0,
        leftovers: [],
      },
      { type: "execution.closed", commandId, leftovers: [] },
    ];
    return from(events).pipe(map((event) => {
      if (event.type === "execution.exited") sink.write(new TextEncoder().encode(command));
      if (event.type === "execution.closed") sink.end();
      return event;
    }));
  },
  send: () => false,
  close: () => Promise.resolve(),
};

const options = (): PipelineOptions & { readonly permit: PermitOptions } => ({
  parse: {},
  permit: {
    policy: createPolicy({ rules: { allow: ["Bash(echo *)"], deny: ["Bash(rm *)"] } }),
    ids: countingIds(),
  },
  construct: {
    policy: () => ({ inherit: "core" }),
    base: { PATH: "/bin" },
    shell: { dialect: bash, file: "/bin/bash" },
  },
  executor: echo,
  buffer: { logs: new ByteLogs({ clock: systemClock }), clock: systemClock },
});

const history = async (source: Observable<CommandAdmitted>) =>
  (await lastValueFrom(source.pipe(pipeline(options()), toArray()))).map((event) =>
    "commandId" in event ? `${event.commandId} ${event.type}` : event.type
  );

describe("pipeline()", () => {
  it("emits the whole life of a command, its bytes before its end", async () => {
    assert.deepEqual(await history(of(admitted("a", "echo hi"))), [
      "a command.admitted",
      "a command.parsed",
      "a permission.granted",
      "a env.built",
      "a execution.started",
      "a output.appended",
      "a execution.exited",
      "a execution.closed",
    ]);
  });

  it("passes env.built on before an executor acts, also one that acts when it is called", async () => {
    const order: string[] = [];
    const { executor, ...rest } = options();
    const eager: Executor = {
      ...executor,
      run: (...args) => {
        order.push("run");
        return executor.run(...args);
      },
    };
    const events = of(admitted("a", "echo hi")).pipe(pipeline({ ...rest, executor: eager }));
    await lastValueFrom(events.pipe(map(({ type }) => void order.push(type))));
    assert.deepEqual(order.slice(3, 6), ["env.built", "run", "execution.started"]);
  });

  it("ends a denied command, and carries many commands at once", async () => {
    const events = await history(from([admitted("a", "rm x"), admitted("b", "echo hi")]));
    assert.deepEqual(events.filter((line) => line.startsWith("a")), [
      "a command.admitted",
      "a command.parsed",
      "a permission.denied",
    ]);
    assert.equal(events.at(-1), "b execution.closed");
  });

  it("does not compile when a stage is left out, or two are swapped", () => {
    const { parse: p, permit: q, construct: c, executor, buffer: b } = options();
    const commands = of(admitted("a", "echo hi"));
    const run = execute({ executor, sinks: b.logs });
    const ways: readonly (() => unknown)[] = [
      () => commands.pipe(parse(p), permit(q), construct(c), run, buffer(b)),
      // @ts-expect-error: without parse there is no analysis for permit to judge
      () => commands.pipe(permit(q), construct(c), run, buffer(b)),
      // @ts-expect-error: without permit nothing is granted that construct could build for
      () => commands.pipe(parse(p), construct(c), run, buffer(b)),
      // @ts-expect-error: without construct there is nothing to execute
      () => commands.pipe(parse(p), permit(q), run, buffer(b)),
      // @ts-expect-error: without execute there are no bytes to buffer
      () => commands.pipe(parse(p), permit(q), construct(c), buffer(b)),
      // @ts-expect-error: what is built before it is permitted would run without permission
      () => commands.pipe(parse(p), construct(c), permit(q), run, buffer(b)),
    ];
    assert.equal(ways.length, 6); // the compilers do the rest
  });
});
