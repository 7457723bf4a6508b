import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { processExecutor } from "../../../src/execution/process/process.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { pidNamespace } from "../../../src/platform/process/containment.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import { bash, drive } from "../drive.ts";
import { type Way, WAYS } from "./ways.ts";
import { until } from "../../until.ts";

const processes = hostProcesses("shellflow-escape");
let count = 0;

/** A process that stays long enough, and that its arguments tell from all others. */
const marked = () => `sleep 36${process.pid}.${++count}`;
const living = (what: string) =>
  processes.table().all.filter(({ pid, state }) =>
    state !== "Z" && processes.commandLine(pid).endsWith(what)
  );

/** Whether the process that would stay has got to where it stays. */
const settled = (way: Way, what: string) => {
  const found = living(what);
  if (way.name.startsWith("fork storm")) return found.length >= 200;
  // The host's own command line ends with it, too.
  return found.some(({ pid }) => /^(\S*\/)?sleep /.test(processes.commandLine(pid))) &&
    (!way.outOfReach || found.every(({ parent }) => parent === 1));
};

interface Means {
  readonly executor: ReturnType<typeof processExecutor>;
  readonly driven: ReturnType<typeof drive>;
}

const ENDS: Readonly<Record<string, (means: Means) => Promise<unknown>>> = {
  stop: async ({ executor, driven }) => {
    executor.send(driven.commandId, { type: "stop", by: "stop" });
    await driven.exited;
  },
  timeout: ({ driven }) => driven.exited,
  abort: async ({ driven }) => {
    driven.unsubscribe();
    await Promise.resolve();
  },
  close: ({ executor }) => executor.close(),
};

/** End whatever a test left, by pid. */
const sweep = (what: string) => {
  for (const found of living(what)) processes.signal(found, "SIGKILL");
};

describe("what a command started is gone", { concurrency: 2 }, () => {
  for (const way of WAYS) {
    for (const [name, end] of Object.entries(ENDS)) {
      const title = way.outOfReach ? "may survive, as nothing marks it" : "is gone";
      it(`${way.name} ${title} after ${name}`, async () => {
        const what = marked();
        const executor = processExecutor({
          processes: hostProcesses(`shellflow-escape-${count}`),
          clock: systemClock,
          runtimeId: `escape-${process.pid}-${count}`,
          graceMs: 300,
        });
        const limits = name === "timeout" ? { timeoutMs: 1_500 } : {};
        const driven = drive(executor, bash(way.command(what), limits));
        try {
          await until(() => settled(way, what));
          await end({ executor, driven });
          if (!way.outOfReach) await until(() => living(what).length === 0);
          await executor.close();
          assert.ok(way.outOfReach || living(what).length === 0);
        } finally {
          await executor.close();
          sweep(what);
        }
      });
    }

    it(`${way.name} ${way.outOfReach ? "may survive" : "is gone"} after the host was killed`, async () => {
      const what = marked();
      const host = startHost([`escape-host-${process.pid}-${count}`, way.command(what)]);
      try {
        await until(() => settled(way, what));
        host.kill("SIGKILL");
        if (!way.outOfReach) await until(() => living(what).length === 0);
      } finally {
        host.kill("SIGKILL");
        sweep(what);
      }
    });
  }
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

  it("keeps output, exit code and true order", async () => {
    const executor = processExecutor({
      processes,
      clock: systemClock,
      runtimeId: `escape-contained-${process.pid}`,
      contain,
    });
    const driven = drive(executor, bash("echo a; echo b > /dev/stderr; pwd; exit 3"));
    assert.deepEqual((await driven.exited).outcome, { type: "exited", code: 3 });
    assert.equal(driven.text(), "a\nb\n/\n");
  });

  it("names nobody that the kernel still ends, and a signal by its code", async () => {
    const executor = processExecutor({
      processes,
      clock: systemClock,
      runtimeId: `escape-contained-4-${process.pid}`,
      contain,
    });
    const what = marked();
    for (let i = 0; i < 20; i++) {
      const driven = drive(executor, bash(`${what} & setsid ${what} & kill -TERM $$`));
      const { outcome, leftovers } = await driven.exited;
      assert.deepEqual(leftovers, []);
      assert.deepEqual(outcome, { type: "exited", code: 143, guessedSignal: "SIGTERM" });
      assert.deepEqual(living(what), []);
    }
    await executor.close();
  });

  it("takes polite signals to what is inside, with the grace to follow them", async () => {
    const executor = processExecutor({
      processes,
      clock: systemClock,
      runtimeId: `escape-contained-5-${process.pid}`,
      graceMs: 1_000,
      contain,
    });
    const stay = "echo up; while :; do sleep 0.05; done";
    const stopped = async (line: string) => {
      const driven = drive(executor, bash(line));
      await until(() => driven.text().includes("up\n"));
      executor.send(driven.commandId, { type: "stop", by: "stop" });
      const { outcome } = await driven.exited;
      return { outcome, text: driven.text() };
    };
    const clean = await stopped(`trap 'sleep 0.2; echo cleaned; exit 0' TERM; ${stay}`);
    assert.deepEqual(clean.outcome, { type: "exited", code: 0, by: "stop" });
    assert.match(clean.text, /cleaned\n$/);
    const by = { type: "signaled", by: "stop", coreDump: false };
    assert.deepEqual((await stopped(stay)).outcome, { ...by, signal: "SIGTERM" });
    const { outcome } = await stopped(`trap '' TERM; ${stay}`);
    assert.deepEqual(outcome, { ...by, signal: "SIGKILL" });

    const told = drive(executor, bash(`trap 'echo told; exit 4' INT; ${stay}`));
    await until(() => told.text() === "up\n");
    executor.send(told.commandId, { type: "signal", signal: "SIGINT" });
    assert.deepEqual((await told.exited).outcome, { type: "exited", code: 4 });
    assert.equal(told.text(), "up\ntold\n");
    const what = marked();
    const ended = drive(executor, bash(`exec ${what}`));
    await until(() => living(what).some(({ pid }) => processes.commandLine(pid) === what));
    executor.send(ended.commandId, { type: "signal", signal: "SIGUSR1" });
    assert.deepEqual((await ended.exited).outcome, { ...by, signal: "SIGUSR1", by: "user" });
    const early = drive(executor, bash(stay));
    executor.send(early.commandId, { type: "stop", by: "stop" });
    await early.exited;
    await executor.close();
  });

  it("reaches what sheds every mark, after a stop and after the host was killed", async () => {
    const what = marked();
    const executor = processExecutor({
      processes,
      clock: systemClock,
      runtimeId: `escape-contained-2-${process.pid}`,
      graceMs: 300,
      contain,
    });
    const inside = () =>
      living(what).some(({ pid }) => !processes.commandLine(pid).includes("bash"));
    const driven = drive(executor, bash(last.command(what)));
    await until(inside);
    executor.send(driven.commandId, { type: "stop", by: "stop" });
    await driven.exited;
    await until(() => living(what).length === 0);

    const again = marked();
    const host = startHost([
      `escape-contained-3-${process.pid}`,
      last.command(again),
      "pid-namespace",
    ]);
    await until(() =>
      living(again).some(({ pid }) => !processes.commandLine(pid).includes("bash"))
    );
    host.kill("SIGKILL");
    await until(() => living(again).length === 0);
  });
});

function startHost(args: readonly string[]): ReturnType<typeof spawn> {
  const runtime = "Deno" in globalThis ? ["run", "-A", "--no-check"] : ["--import", "tsx"];
  const file = fileURLToPath(new URL("./host.ts", import.meta.url));
  return spawn(process.execPath, [...runtime, file, ...args], { stdio: "inherit" });
}
