import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { processExecutor } from "../../src/execution/process/process-executor.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { hostProcesses } from "../../src/platform/process/host-processes.ts";
import { createRuntime } from "../../src/runtime/create.ts";
import type { Demand } from "../../src/stream/bytes.ts";
import { gate } from "../gate.ts";
import { bash, drive, type Driven } from "./drive.ts";
import { isThere, living, uniqueSeconds } from "./world.ts";
import { until } from "../until.ts";

const executor = processExecutor({
  processes: hostProcesses("shellflow-unusual"),
  clock: systemClock,
  runtimeId: `test-unusual-${process.pid}`,
  graceMs: 300,
});
const run = (command: string, limits = {}) => drive(executor, bash(command, limits));
const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
const runtimeOptions = { mode: "bypass", cwd: scratch, graceMs: 300 } as const;

after(async () => {
  await executor.close();
  rmSync(scratch, { recursive: true, force: true });
});

const pidOf = ({ events }: Driven) =>
  events.flatMap((event) => event.type === "execution.started" ? [event.pid] : [])[0] ?? 0;

/** How often each thing happened that may happen once. */
const once = (happened: readonly string[]) =>
  ["end", "execution.exited", "execution.closed"].map((what) =>
    happened.filter((type) => type === what).length
  );

/** Steer a command from before its first byte. */
function steered(command: string, atOpen: (demand: Demand) => void) {
  const happened: string[] = [];
  let text = "";
  let demand: Demand | undefined;
  const completed = new Promise<void>((complete) =>
    executor.run(`steered_${command}`, bash(command), {
      open: (_, given) => {
        demand = given;
        atOpen(given);
        return {
          write: (chunk) => {
            text += new TextDecoder().decode(chunk);
          },
          end: () => happened.push("end"),
        };
      },
    }).subscribe({
      next: (event) =>
        happened.push(event.type === "execution.exited" ? event.outcome.type : event.type),
      complete,
    })
  );
  return { happened, completed, text: () => text, demand: () => demand };
}

describe("a command whose reader holds it back", () => {
  it("has ended when what it wrote was read, not before", async () => {
    const it = run("echo written; kill -9 $$");
    it.demand().pause();
    await until(() => !isThere(pidOf(it)));
    await run("sleep 0.3").exited;
    // One read may have been under way, and nothing else.
    assert.deepEqual(it.happened.filter((type) => type !== "bytes"), ["execution.started"]);
    it.demand().resume();
    assert.equal((await it.exited).outcome.type, "signaled");
    await it.completed;
    assert.equal(it.text(), "written\n");
    assert.deepEqual(once(it.happened), [1, 1, 1]);
  });

  it("is held from its first byte when that was asked for before it started", async () => {
    const it = steered("echo early", (demand) => demand.pause());
    await run("sleep 0.2").exited;
    assert.deepEqual(it.happened, ["execution.started"]);
    it.demand()?.resume();
    await it.completed;
    assert.equal(it.text(), "early\n");
  });

  it("is ended when nothing was wanted from the start", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const it = steered(`echo much; exec ${what}`, (demand) => demand.end());
    await it.completed;
    assert.ok(it.happened.includes("outputLimited"));
    assert.deepEqual(living(what), []);
  });

  it("is ended although it is held and its background child, too", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const it = run(`${what} & yes`);
    it.demand().pause();
    await until(() => living(what).length > 0);
    executor.send(it.commandId, { type: "stop", by: "stop" });
    assert.equal((await it.exited).outcome.type, "signaled");
    await it.completed;
    assert.deepEqual(living(what), []);
    assert.deepEqual(once(it.happened), [1, 1, 1]);
  });
});

describe("a command that is stopped", () => {
  it("while its output drains keeps its own outcome, and leaves nothing", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const it = run(`${what} & echo done; exit 4`);
    await until(() => it.text() !== "" && living(what).length > 0);
    // Until then it is one that was stopped while it ran.
    await until(() => !isThere(pidOf(it)));
    await new Promise<void>((resolve) => systemClock.after(0, resolve));
    executor.send(it.commandId, { type: "stop", by: "stop" });
    const { outcome } = await it.exited;
    assert.deepEqual(outcome, { type: "exited", code: 4 });
    await it.completed;
    assert.deepEqual(living(what), []);
    assert.deepEqual(once(it.happened), [1, 1, 1]);
  });

  it("by several at once is told of by the first, and asked once", async () => {
    const it = run("exec sleep 61.25");
    for (const by of ["abort", "stop", "close"] as const) {
      executor.send(it.commandId, { type: "stop", by });
    }
    it.demand().end();
    assert.deepEqual((await it.exited).outcome, { type: "aborted", by: "abort" });
    await it.completed;
    // Whatever takes longer than the grace is killed.
    const asked = it.events.filter((event) =>
      event.type === "execution.stopping" && event.signal !== "SIGKILL"
    );
    assert.equal(asked.length, 1);
    assert.deepEqual(once(it.happened), [1, 1, 1]);
  });

  it("in the tick in which it ends has one end", async () => {
    const all = Array.from({ length: 40 }, () => run("echo x"));
    await Promise.all(all.map(async (it) => {
      await until(() => it.happened.includes("end"));
      executor.send(it.commandId, { type: "stop", by: "abort" });
      await it.completed;
    }));
    for (const it of all) assert.deepEqual(once(it.happened), [1, 1, 1]);
  });

  it("has its group watched no longer than it has members, though another holds its output", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const watched = new Set<number>();
    const mine = processExecutor({
      processes: hostProcesses("shellflow-watched"),
      clock: systemClock,
      runtimeId: `test-watched-${process.pid}`,
      graceMs: 300,
      watchdog: {
        start: () => {},
        register: ({ pid }) => void watched.add(pid),
        release: (group) => void watched.delete(group),
        close: () => {},
      },
    });
    const { wait, open } = gate();
    const it = drive(mine, bash(`(${wait}) & setsid ${what} & exit 0`));
    assert.equal((await it.exited).leftovers.length, 2);
    assert.equal(watched.size, 1);
    open();
    await until(() => watched.size === 0);
    assert.ok(living(what).length > 0 && !it.happened.includes("end"));
    await mine.close();
    assert.deepEqual(living(what), []);
  });

  it("does not take another with it that has got its pipe since", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    // Deno gives its children copies of their output under other numbers, too.
    const close = 'for fd in $(ls /proc/$$/fd); do [ $fd -lt 3 ] || eval "exec $fd>&-"; done';
    const child = `sleep 0.2; ${close}; exec ${what} >/dev/null 2>&1`;
    const it = run(`setsid bash -c '${child}' & echo left`);
    assert.ok((await it.exited).leftovers.length > 0);
    await until(() => it.happened.includes("end"));
    const other = run("echo begun; sleep 0.3; echo fine");
    await until(() => other.text() !== "");
    executor.send(it.commandId, { type: "stop", by: "stop" });
    await it.completed;
    assert.deepEqual(living(what), []);
    assert.deepEqual((await other.exited).outcome, { type: "exited", code: 0 });
    assert.equal(other.text(), "begun\nfine\n");
  });
});

describe("the output of a command", () => {
  it("may end long before the command", async () => {
    const it = run("echo a; exec >/dev/null 2>&1 </dev/null; sleep 0.3; exit 5");
    assert.deepEqual((await it.exited).outcome, { type: "exited", code: 5 });
    assert.deepEqual(it.happened, [
      "execution.started",
      "bytes",
      "end",
      "execution.exited",
      ...(it.happened.includes("execution.closed") ? ["execution.closed"] : []),
    ]);
    assert.equal(it.text(), "a\n");
  });

  it("goes on by one stream when the other is closed", async () => {
    const out = run("echo a; exec >&-; sleep 0.05; echo b >&2");
    const err = run("echo a >&2; exec 2>&-; sleep 0.05; echo b");
    await Promise.all([out.exited, err.exited]);
    assert.deepEqual([out.text(), err.text()], ["a\nb\n", "a\nb\n"]);
  });

  it("has all that a background child writes after the end, 64 MiB of it", async () => {
    await using runtime = await createRuntime(runtimeOptions);
    const go = join(scratch, "go");
    const late = `until [ -e ${go} ]; do sleep 0.02; done; head -c 67108864 /dev/zero; echo end`;
    const running = runtime.start(`(${late}) & echo begin`);
    const closed = new Promise<void>((done) =>
      runtime.events.subscribe(({ event }) => {
        if (event.type === "execution.closed") done();
      })
    );
    const result = await running.result;
    assert.deepEqual(result.outcome, { type: "exited", code: 0 });
    assert.equal(result.output, "begin\n");
    assert.ok(result.leftovers.length > 0);
    writeFileSync(go, "");
    await closed;
    const log = runtime.output(running.taskId);
    assert.equal(log?.total, 6 + 67_108_864 + 4);
    const end = log?.peek(log.total - 4, log.total);
    assert.equal(new TextDecoder().decode(end), "end\n");
  });
});

describe("a command that cannot start", () => {
  it("may be 120 KB long, and is told to be too long with 3 MB", async () => {
    const long = run(`echo ${"x".repeat(120_000)} | wc -c`);
    assert.equal((await long.exited).outcome.type, "exited");
    assert.equal(long.text().trim(), "120001");
    const longer = run(`echo ${"x".repeat(3_000_000)}`);
    const why =
      /^Error: Cannot start "bash" in "\/": the command and its environment are longer than the system takes$/;
    await assert.rejects(longer.exited, why);
    await longer.completed;
    assert.deepEqual(longer.happened, ["end", "execution.failed"]);
  });

  it("as its directory was removed meanwhile, says so and not that bash is missing", async () => {
    const cwd = mkdtempSync(join(scratch, "gone-"));
    rmSync(cwd, { recursive: true });
    const it = drive(executor, { ...bash("echo x"), cwd });
    await assert.rejects(it.exited, {
      message: `Cannot start "bash" in "${cwd}": no such directory`,
    });
  });

  it("as its shell may not be run, says so", async () => {
    const it = drive(executor, { ...bash("echo x"), file: "/etc/passwd" });
    await assert.rejects(it.exited, /Cannot start "\/etc\/passwd" in "\/": it may not be run$/);
  });

  it("as the system refuses, fails alone, and holds nobody up", async () => {
    const processes = hostProcesses("shellflow-refused");
    const mine = processExecutor({
      processes: {
        ...processes,
        spawn: () => {
          throw new Error("too many files are open");
        },
      },
      clock: systemClock,
      runtimeId: `test-refused-${process.pid}`,
    });
    const it = drive(mine, bash("echo x"));
    await assert.rejects(it.exited, /Cannot start "bash" in "\/": too many files are open$/);
    await it.completed;
    assert.deepEqual(it.happened, ["end", "execution.failed"]);
    await mine.close();
  });
});

describe("a stopped process", () => {
  it("is ended by a timeout, and its shell with it", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const it = run(`${what} & kill -STOP $!; kill -STOP $$`, { timeoutMs: 150 });
    assert.deepEqual((await it.exited).outcome, { type: "timedOut", limitMs: 150 });
    await it.completed;
    assert.deepEqual(living(what), []);
  });
});
