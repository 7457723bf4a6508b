import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { processExecutor } from "../../../src/execution/process/process-executor.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { pidNamespace } from "../../../src/platform/process/containment.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import { procTable } from "../../../src/platform/process/table/proc-table.ts";
import { bash, drive } from "../drive.ts";
import { runArgs } from "../../run-args.ts";
import { FULL, sized } from "../../sized.ts";
import { type SteeredClock, steeredClock } from "../../steered-clock.ts";
import { until } from "../../until.ts";
import { living } from "../world.ts";
import { escapee, settled, sweep } from "./escapee.ts";
import { WAYS } from "./ways.ts";

const table = procTable();
let count = 0;
const nextId = () => `escape-${process.pid}-${++count}`;

interface Means {
  readonly executor: ReturnType<typeof processExecutor>;
  readonly driven: ReturnType<typeof drive>;
  readonly clock: SteeredClock;
}

const LIMIT_MS = 600_000;

const ENDS: Readonly<Record<string, (means: Means) => Promise<unknown>>> = {
  stop: async ({ executor, driven }) => {
    executor.send(driven.commandId, { type: "stop", by: "stop" });
    await driven.exited;
  },
  timeout: async ({ driven, clock }) => {
    clock.forward(LIMIT_MS);
    await driven.exited;
  },
  abort: async ({ driven }) => {
    driven.unsubscribe();
    await Promise.resolve();
  },
  close: ({ executor }) => executor.close(),
};

const NAMES = Object.keys(ENDS);

/** One end for each way, in turn: the ends have one search for processes in common. */
const PAIRS = WAYS.flatMap((way, i) => {
  // All ends for what stays in the group, and for what only its output betrays.
  const all = FULL || /^(plain child|setsid env -i, pipe kept)$/.test(way.name);
  return NAMES.filter((_, n) => all || n === i % NAMES.length).map((name) => ({ way, name }));
});

describe("what a command started is gone", { concurrency: 2 }, () => {
  for (const { way, name } of PAIRS) {
    const title = way.outOfReach ? "may survive, as nothing marks it" : "is gone";
    it(`${way.name} ${title} after ${name}`, async () => {
      const what = escapee();
      const runtimeId = nextId();
      const clock = steeredClock();
      const executor = processExecutor({
        processes: hostProcesses(runtimeId),
        clock,
        runtimeId,
        graceMs: 300,
      });
      const limits = name === "timeout" ? { timeoutMs: LIMIT_MS } : {};
      const driven = drive(executor, bash(way.command(what), limits));
      try {
        await until(() => settled(way, what));
        await ENDS[name]?.({ executor, driven, clock });
        if (!way.outOfReach) await until(() => living(what).length === 0);
        await executor.close();
        assert.ok(way.outOfReach || living(what).length === 0);
      } finally {
        await executor.close();
        sweep(what);
      }
    });
  }

  it("by whatever way of these, after the host was killed", async () => {
    const started = WAYS.map((way) => ({ way, what: escapee() }));
    const host = startHost([
      nextId(),
      "marks",
      ...started.map(({ way, what }) => way.command(what)),
    ]);
    const named = (found: typeof started) => found.map(({ way }) => way.name);
    const reachable = started.filter(({ way }) => !way.outOfReach);
    const left = () => reachable.filter(({ what }) => living(what).length > 0);
    try {
      await until(() => started.every(({ way, what }) => settled(way, what)));
      host.kill("SIGKILL");
      await until(() => left().length === 0).catch((cause) => {
        throw new Error(`There is left: ${named(left()).join("; ")}`, { cause });
      });
    } finally {
      host.kill("SIGKILL");
      for (const { what } of started) sweep(what);
    }
  });
});

describe("containment in a pid namespace", () => {
  const probe = () => {
    try {
      return pidNamespace(process.env["PATH"] ?? "");
    } catch (cause) {
      return String(cause);
    }
  };
  const contain = probe();
  const last = WAYS.at(-1);
  assert.ok(last?.outOfReach);

  if (typeof contain === "string") {
    it("says clearly why it is not to be had here", () => {
      assert.match(contain, /^Error: Cannot contain in a "pid-namespace": bubblewrap/);
    });
    return;
  }

  const contained = (graceMs?: number) =>
    processExecutor({
      processes: hostProcesses("shellflow-escape"),
      clock: systemClock,
      runtimeId: nextId(),
      contain,
      ...(graceMs !== undefined && { graceMs }),
    });

  it("keeps output, exit code and true order", async () => {
    const executor = contained();
    const driven = drive(executor, bash("echo a; echo b > /dev/stderr; pwd; exit 3"));
    assert.deepEqual((await driven.exited).outcome, { type: "exited", code: 3 });
    assert.equal(driven.text(), "a\nb\n/\n");
  });

  it("names nobody that the kernel still ends, and a signal by its code", async () => {
    const executor = contained();
    const what = escapee();
    for (let i = 0; i < sized(4, 20); i++) {
      const driven = drive(executor, bash(`${what} & setsid ${what} & kill -TERM $$`));
      const { outcome, leftovers } = await driven.exited;
      assert.deepEqual(leftovers, []);
      assert.deepEqual(outcome, { type: "exited", code: 143, guessedSignal: "SIGTERM" });
      assert.deepEqual(living(what), []);
    }
    await executor.close();
  });

  it("takes polite signals to what is inside, with the grace to follow them", async () => {
    const executor = contained(60_000);
    const strict = contained(100);
    const stay = "echo up; while :; do sleep 0.05; done";
    const stopped = async (line: string, by = executor) => {
      const driven = drive(by, bash(line));
      await until(() => driven.text().includes("up\n"));
      by.send(driven.commandId, { type: "stop", by: "stop" });
      const { outcome } = await driven.exited;
      return { outcome, text: driven.text() };
    };
    const clean = await stopped(`trap 'sleep 0.2; echo cleaned; exit 0' TERM; ${stay}`);
    assert.deepEqual(clean.outcome, { type: "exited", code: 0, by: "stop" });
    assert.match(clean.text, /cleaned\n$/);
    const by = { type: "signaled", by: "stop", coreDump: false };
    assert.deepEqual((await stopped(stay)).outcome, { ...by, signal: "SIGTERM" });
    const { outcome } = await stopped(`trap '' TERM; ${stay}`, strict);
    assert.deepEqual(outcome, { ...by, signal: "SIGKILL" });

    const told = drive(executor, bash(`trap 'echo told; exit 4' INT; ${stay}`));
    await until(() => told.text() === "up\n");
    executor.send(told.commandId, { type: "signal", signal: "SIGINT" });
    assert.deepEqual((await told.exited).outcome, { type: "exited", code: 4 });
    assert.equal(told.text(), "up\ntold\n");
    const what = escapee();
    const ended = drive(executor, bash(`exec ${what}`));
    await until(() => living(what).some(({ pid }) => table.commandLine(pid) === what));
    executor.send(ended.commandId, { type: "signal", signal: "SIGUSR1" });
    assert.deepEqual((await ended.exited).outcome, { ...by, signal: "SIGUSR1", by: "user" });
    const early = drive(strict, bash(stay));
    strict.send(early.commandId, { type: "stop", by: "stop" });
    await early.exited;
    await Promise.all([executor.close(), strict.close()]);
  });

  it("reaches what sheds every mark, after a stop and after the host was killed", async () => {
    const what = escapee();
    const executor = contained(300);
    const inside = (what: string) =>
      living(what).some(({ pid }) => !table.commandLine(pid).includes("bash"));
    const driven = drive(executor, bash(last.command(what)));
    await until(() => inside(what));
    executor.send(driven.commandId, { type: "stop", by: "stop" });
    await driven.exited;
    await until(() => living(what).length === 0);

    const again = escapee();
    const host = startHost([nextId(), "pid-namespace", last.command(again)]);
    await until(() => inside(again));
    host.kill("SIGKILL");
    await until(() => living(again).length === 0);
  });
});

function startHost(args: readonly string[]): ReturnType<typeof spawn> {
  const file = new URL("./host.ts", import.meta.url);
  return spawn(process.execPath, [...runArgs(file), ...args], { stdio: "inherit" });
}
