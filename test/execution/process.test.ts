import assert from "node:assert/strict";
import process from "node:process";
import { after, describe, it } from "node:test";
import { processExecutor } from "../../src/execution/process.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { hostProcesses } from "../../src/platform/process/host-processes.ts";
import { bash, drive } from "./drive.ts";

const processes = hostProcesses("shellflow-test");
const executor = processExecutor({
  processes,
  clock: systemClock,
  runtimeId: `test-process-${process.pid}`,
  graceMs: 300,
});
const run = (command: string, limits = {}) => drive(executor, bash(command, limits));
const living = (mark: string) =>
  processes.table().all.filter(({ pid, state }) =>
    state !== "Z" && processes.commandLine(pid).includes(mark)
  );

after(() => executor.close());

describe("the process executor", () => {
  it("merges both streams in true order, also through /dev/stderr and /dev/stdout", async () => {
    const it = run("echo a; echo b > /dev/stderr; echo c > /dev/stdout; echo d >&2; exit 3");
    assert.deepEqual((await it.exited).outcome, { type: "exited", code: 3 });
    assert.equal(it.text(), "a\nb\nc\nd\n");
  });

  it("tells of start, bytes, exit, end and close in this order", async () => {
    const it = run("echo x");
    await it.completed;
    assert.equal(it.happened[0], "execution.started");
    assert.deepEqual(it.happened.filter((type) => type !== "bytes"), [
      "execution.started",
      "end",
      "execution.exited",
      "execution.closed",
    ]);
    assert.ok(it.happened.indexOf("bytes") < it.happened.indexOf("execution.exited"));
  });

  it("answers although a background child holds the output, names it, and keeps what it writes", async () => {
    const it = run("printf hello; (sleep 0.4; printf late) & exit 0");
    const { outcome, leftovers } = await it.exited;
    assert.deepEqual(outcome, { type: "exited", code: 0 });
    assert.equal(it.text(), "hello");
    assert.ok(leftovers.length > 0 && leftovers.every(({ pid }) => pid > 0));
    await it.completed;
    assert.equal(it.text(), "hellolate");
    assert.deepEqual(it.events.at(-1), {
      type: "execution.closed",
      commandId: it.commandId,
      leftovers: [],
    });
  });

  it("has the bytes of a process substitution that outlives the shell", async () => {
    const it = run("exec > >(tee /dev/null); echo x");
    await it.exited;
    assert.equal(it.text(), "x\n");
  });

  it("tells a signal by its name and never as success", async () => {
    assert.deepEqual((await run("kill -9 $$").exited).outcome, {
      type: "signaled",
      signal: "SIGKILL",
      by: "unknown",
      coreDump: false,
    });
    assert.deepEqual((await run("exit 139").exited).outcome, {
      type: "exited",
      code: 139,
      guessedSignal: "SIGSEGV",
    });
  });

  it("ends what ignores TERM once the grace is over, and says that it was timed out", async () => {
    const it = run("(trap '' TERM; sleep 61.5)", { timeoutMs: 100 });
    assert.deepEqual((await it.exited).outcome, { type: "timedOut", limitMs: 100 });
    await it.completed;
    assert.deepEqual(living("sleep 61.5"), []);
    const signals = it.events.flatMap((e) => e.type === "execution.stopping" ? [e.signal] : []);
    assert.deepEqual(signals, ["SIGTERM", "SIGKILL"]);
  });

  it("ends who left the group by setsid, and who stopped", async () => {
    const it = run("setsid sleep 62.5 & sleep 62.5 & kill -STOP $!; wait", { timeoutMs: 150 });
    assert.deepEqual((await it.exited).outcome, { type: "timedOut", limitMs: 150 });
    await it.completed;
    assert.deepEqual(living("sleep 62.5"), []);
  });

  it("ends a silent command, and lets one live that writes now and then", async () => {
    // Ten times what the lively one rests, as a busy machine lets it rest for longer.
    const limits = { idleTimeoutMs: 1_000 };
    const silent = run("echo a; sleep 30", limits);
    const lively = run("for i in {1..13}; do echo $i; sleep 0.1; done", limits);
    assert.deepEqual((await silent.exited).outcome, { type: "idleTimedOut", limitMs: 1_000 });
    assert.equal(silent.text(), "a\n");
    assert.deepEqual((await lively.exited).outcome, { type: "exited", code: 0 });
  });

  it("makes the process wait while its reader pauses, and loses nothing", async () => {
    const it = run("seq 1 100000");
    it.demand().pause();
    await run("sleep 0.2").exited;
    assert.ok(it.text().length < 200_000, "about what a pipe and a chunk hold");
    it.demand().resume();
    await it.exited;
    assert.equal(it.text(), Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join(""));
  });

  it("ends a command whose reader wants no more", async () => {
    const it = run("yes");
    it.demand().end();
    assert.deepEqual((await it.exited).outcome, { type: "outputLimited" });
  });

  it("tells when the shell cannot be started, and runs nothing", async () => {
    const it = drive(executor, { ...bash("echo x"), file: "no-such-shell" });
    await assert.rejects(it.exited, /^Error: Cannot start "no-such-shell" in "\/": /);
    await it.completed;
    assert.deepEqual(it.happened, ["end", "execution.failed"]);
  });

  it("ends a command without a word when nobody listens any more", async () => {
    const it = run("sleep 63.5");
    it.unsubscribe();
    await run("sleep 0.1").exited;
    assert.deepEqual(living("sleep 63.5"), []);
  });

  it("takes a stop from inside the very first event", async () => {
    const it = drive(executor, bash("sleep 64.5"), (event, id) => {
      if (event.type === "execution.started") executor.send(id, { type: "stop", by: "abort" });
    });
    assert.deepEqual((await it.exited).outcome, { type: "aborted", by: "abort" });
    await it.completed;
    assert.equal(executor.send(it.commandId, { type: "stop", by: "stop" }), false);
  });

  it("ends background children with their command where that is the policy", async () => {
    const mine = processExecutor({
      processes: hostProcesses(),
      clock: systemClock,
      runtimeId: `test-background-${process.pid}`,
      graceMs: 300,
      background: "end",
    });
    const it = drive(mine, bash("sleep 66.7 & setsid sleep 66.7 & echo over; exit 3"));
    const { outcome, leftovers } = await it.exited;
    assert.deepEqual([outcome, leftovers], [{ type: "exited", code: 3 }, []]);
    assert.deepEqual(living("sleep 66.7"), []);
    assert.equal(it.text(), "over\n");
    await mine.close();
  });

  it("ends on request what a command that is over left without a trace", async () => {
    const it = run("(setsid sleep 66.5 >/dev/null 2>&1 </dev/null &); echo over");
    await it.exited; // not its close: a child of Deno's holds a copy of the output that it knows nothing of
    while (living("sleep 66.5").length === 0) await run("sleep 0.02").exited;
    assert.equal(executor.send(it.commandId, { type: "stop", by: "stop" }), true);
    while (living("sleep 66.5").length > 0) await run("sleep 0.02").exited;
    await it.completed;
    assert.equal(executor.send(it.commandId, { type: "stop", by: "stop" }), false);
  });

  it("sends a signal to the group on request", async () => {
    const it = run("trap 'echo caught; exit 7' USR1; echo ready; while :; do sleep 0.05; done");
    while (it.text() !== "ready\n") await run("sleep 0.02").exited;
    assert.equal(executor.send(it.commandId, { type: "signal", signal: "SIGUSR1" }), true);
    assert.deepEqual((await it.exited).outcome, { type: "exited", code: 7 });
    assert.match(it.text(), /^ready\n.*caught\n$/s); // bash itself tells how its sleep ended
  });

  it("runs two hundred at once, each with its own output", async () => {
    const all = await Promise.all(Array.from({ length: 200 }, async (_, i) => {
      const it = run(`sleep 0.2; echo done ${i}`);
      const { outcome } = await it.exited;
      return [outcome.type, it.text()];
    }));
    assert.deepEqual(all, Array.from({ length: 200 }, (_, i) => ["exited", `done ${i}\n`]));
  });

  it("ends what is left when it closes, escaped children included", async () => {
    const mine = processExecutor({
      processes: hostProcesses(),
      clock: systemClock,
      runtimeId: `test-close-${process.pid}`,
      graceMs: 300,
    });
    const it = drive(mine, bash("(setsid sleep 65.5 >/dev/null 2>&1 &); sleep 65.5 & echo left"));
    await it.exited;
    await mine.close();
    await it.completed;
    assert.deepEqual(living("sleep 65.5"), []);
  });
});
