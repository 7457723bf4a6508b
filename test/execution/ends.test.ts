import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { mergeMap, Observable } from "rxjs";
import type { CommandAdmitted } from "../../src/event/command.ts";
import { endsCommand, type RuntimeEvent } from "../../src/event/event.ts";
import type { ExecutionEvent } from "../../src/event/execution.ts";
import { processExecutor } from "../../src/execution/process/process-executor.ts";
import type { Processes } from "../../src/platform/process/processes.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";
import { openSession } from "../../src/session/actor.ts";
import { sized } from "../sized.ts";
import { bash } from "./drive.ts";

/** When what happens to a command, in milliseconds. */
interface Script {
  /** From its turn to its start. */
  readonly judged: number;
  readonly exit: number;
  readonly end: number;
  /** From a signal to the exit. */
  readonly dies: number;
  readonly stops: readonly number[];
}

/** A system with one process at a time, which writes, ends and dies as the script says. */
function scripted(clock: VirtualClock, { exit, end, dies }: Script): Processes {
  let alive = false;
  let die = () => {};
  return {
    spawning: { kind: "runtime" },
    spawn: (_, events) => {
      alive = true;
      let exited = false;
      let ended = false;
      const finish = (signal: string | null) => {
        if (exited) return;
        exited = true;
        alive = false;
        events.exit({ code: signal === null ? 0 : null, signal });
      };
      const close = () => {
        if (ended) return;
        ended = true;
        events.end();
      };
      clock.after(0, () => events.data(new Uint8Array(1)));
      clock.after(exit, () => finish(null));
      clock.after(end, close);
      die = () => {
        clock.after(dies, () => finish("SIGTERM"));
        clock.after(dies + 1, close);
      };
      return { pid: 70, startTime: "1", pause: () => {}, resume: () => {}, release: close };
    },
    signalGroup: (_, signal) => {
      if (alive && signal !== "0") die();
      return alive;
    },
    signal: () => alive,
    table: () => ({
      all: alive
        ? [{ pid: 70, startTime: "1", parent: 1, group: 70, session: 70, state: "S" }]
        : [],
      variable: () => undefined,
      openFiles: () => [],
    }),
    argv: () => ["it"],
    commandLine: () => "it",
    lastTable: () => undefined,
    mayHaveFollowers: () => false,
    close: () => {},
  };
}

/** What happened to a command that is run and stopped as the script says, by the time that all is over. */
async function play(script: Script): Promise<string[]> {
  const clock = new VirtualClock();
  const executor = processExecutor({
    processes: scripted(clock, script),
    clock,
    runtimeId: "r",
    graceMs: 20,
  });
  const sink = { write: () => {}, end: () => {} };
  const judgedThenRun = (event: CommandAdmitted) =>
    new Observable<RuntimeEvent>((subscriber) => {
      subscriber.next(event);
      const cancel = clock.after(script.judged, () => {
        const run: Observable<ExecutionEvent> = executor.run("c", bash(""), { open: () => sink });
        subscriber.add(run.subscribe(subscriber));
      });
      subscriber.add(cancel);
    });
  const seen: RuntimeEvent[] = [];
  const session = openSession({
    id: "s",
    cwd: "/",
    clock,
    executor,
    checkDirectory: () => undefined,
    record: (event) => void seen.push(event),
    pipeline: (events) => events.pipe(mergeMap(judgedThenRun)),
  });
  for (const at of script.stops) {
    clock.after(at, () => session.send({ type: "cancel", commandId: "c", by: "abort" }));
  }
  const request = {
    type: "command.requested",
    commandId: "c",
    sessionId: "s",
    command: "",
    origin: "model",
    limits: {},
  } as const;
  session.send({ type: "run", request });
  // What follows from a promise has its turn between two moments.
  for (let ms = 0; ms < 250 || (!clock.idle && ms < 1_000); ms++) {
    clock.advance(1);
    for (let turn = 0; turn < 4; turn++) await Promise.resolve();
  }
  assert.ok(session.state.current === undefined, "its turn is over");
  return seen.map((event) => `${endsCommand(event) ? "END " : ""}${event.type}`);
}

describe("a command that is aborted at any moment", () => {
  it("has one end, and nothing but its closing after it", async () => {
    const ms = fc.integer({ min: 0, max: 30 });
    const script = fc.record({
      judged: ms,
      exit: ms,
      end: ms,
      dies: ms,
      stops: fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 1, maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(script, async (script) => {
        const happened = await play(script);
        assert.equal(happened.filter((type) => type.startsWith("END ")).length, 1);
        const started = happened.includes("execution.started");
        assert.equal(
          happened.filter((type) => type === "execution.closed").length,
          Number(started),
        );
        if (started) assert.equal(happened.at(-1), "execution.closed");
      }),
      { numRuns: sized(150, 500) },
    );
  });
});
