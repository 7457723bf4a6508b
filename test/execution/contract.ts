import assert from "node:assert/strict";
import { constants } from "node:os";
import { describe, it } from "node:test";
import type { Limits } from "../../src/event/command.ts";
import type { ExecutionEvent } from "../../src/event/execution.ts";
import type { Executor } from "../../src/execution/executor.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { cleanUp } from "../clean-up.ts";
import { gate } from "../gate.ts";
import { steeredClock } from "../steered-clock.ts";
import type { Driven } from "./drive.ts";
import { hasStarted, living, uniqueSeconds } from "./world.ts";
import { until } from "../until.ts";

/** An executor of some kind, and how to give it a command. */
export interface Subject {
  readonly executor: Executor;
  readonly run: (
    command: string,
    limits?: Limits,
    options?: {
      readonly file?: string;
      readonly input?: true;
      readonly onEvent?: (event: ExecutionEvent, commandId: string) => void;
    },
  ) => Driven;
}

/** What of an executor is not as usual. */
export interface SubjectOptions {
  readonly background?: "keep" | "end";
  readonly clock?: Clock;
}

/** Makes executors with a grace of 300 ms. */
export type StartSubject = (options?: SubjectOptions) => Subject;

/** In what kinds of executors differ. */
export interface ContractOptions {
  /** How many commands are to run at once. */
  readonly atOnce: number;
  /** Commands take what is typed on a terminal: a line at a time, also unasked. */
  readonly terminal?: boolean;
  /** Commands run where their processes cannot be seen, signalled or slowed down, and their output is text. */
  readonly elsewhere?: boolean;
  /** How many bytes may come once a reader has paused; default 200 000. */
  readonly mostAhead?: number;
  /** The signals that ask a command to end; default TERM, and for a terminal HUP after it. */
  readonly ending?: readonly string[];
}

/** What every executor does that runs commands on this machine. */
export function contract(
  name: string,
  start: StartSubject,
  {
    atOnce,
    terminal = false,
    elsewhere = false,
    mostAhead = 200_000,
    ending = terminal ? ["SIGTERM", "SIGHUP"] : ["SIGTERM"],
  }: ContractOptions,
): void {
  const fresh: StartSubject = (options) => {
    const subject = start(options);
    cleanUp(() => subject.executor.close());
    return subject;
  };
  const { executor, run } = fresh();
  const signals = ({ events }: Driven) =>
    events.flatMap((event) => event.type === "execution.stopping" ? [event.signal] : []);

  const here = { skip: elsewhere && "its processes are elsewhere" };

  describe(`as every executor, ${name}`, () => {
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

    it(
      "answers although a background child holds the output, names it, and keeps what it writes",
      here,
      async () => {
        const { wait, open } = gate();
        const it = run(`printf hello; (${wait}; printf late) & exit 0`);
        const { outcome, leftovers } = await it.exited;
        assert.deepEqual(outcome, { type: "exited", code: 0 });
        assert.equal(it.text(), "hello");
        assert.ok(leftovers.length > 0 && leftovers.every(({ pid }) => pid > 0));
        open();
        await it.completed;
        assert.equal(it.text(), "hellolate");
        assert.deepEqual(it.events.at(-1), {
          type: "execution.closed",
          commandId: it.commandId,
          leftovers: [],
        });
      },
    );

    it("has the bytes of a process substitution that outlives the line", async () => {
      const it = run("echo x > >(tee /dev/null)");
      await it.exited;
      assert.equal(it.text(), "x\n");
    });

    it("has every byte of long, binary and fast output", here, async () => {
      const lines = run("seq 1 100000");
      await lines.exited;
      assert.equal(lines.text(), Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join(""));
      const all = run("for i in {0..255}; do printf -v x '\\\\x%02x' $i; printf \"$x\"; done");
      await all.exited;
      assert.deepEqual(all.bytes(), Uint8Array.from({ length: 256 }, (_, i) => i));
      const much = run("head -c 10000000 /dev/zero");
      await much.exited;
      assert.equal(much.bytes().length, 10_000_000);
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
      const { SIGBUS, SIGPWR } = constants.signals;
      const guesses = { SIGBUS, SIGPWR, SIGRTMIN: 34, "SIGRTMAX-14": 50 };
      for (const [guessedSignal, number] of Object.entries(guesses)) {
        const code = 128 + number;
        const { outcome } = await run(`exit ${code}`).exited;
        assert.deepEqual(outcome, { type: "exited", code, guessedSignal });
      }
    });

    it(
      "ends what ignores TERM once the grace is over, and says that it was timed out",
      here,
      async () => {
        const what = `sleep ${uniqueSeconds()}`;
        const clock = steeredClock();
        const limits = { timeoutMs: 600_000 };
        const it = fresh({ clock }).run(`(trap '' TERM; echo ready; ${what})`, limits);
        await until(() => it.text() !== "");
        clock.forward(limits.timeoutMs);
        assert.deepEqual((await it.exited).outcome, { type: "timedOut", limitMs: 600_000 });
        await it.completed;
        assert.deepEqual(living(what), []);
        assert.deepEqual(signals(it), [...ending, "SIGKILL"]);
      },
    );

    it("ends a loop of builtins, and who left the group by setsid or stopped", here, async () => {
      const loop = run("while :; do :; done", { timeoutMs: 100 });
      const what = `sleep ${uniqueSeconds()}`;
      const others = run(`setsid ${what} & ${what} & kill -STOP $!; ${what}`, { timeoutMs: 150 });
      assert.deepEqual((await loop.exited).outcome, { type: "timedOut", limitMs: 100 });
      assert.deepEqual((await others.exited).outcome, { type: "timedOut", limitMs: 150 });
      await others.completed;
      assert.deepEqual(living(what), []);
    });

    it("ends a silent command, and lets one live that writes now and then", here, async () => {
      const clock = steeredClock();
      const { run } = fresh({ clock });
      const limits = { idleTimeoutMs: 600_000 };
      const silent = run("echo a; sleep 3000", limits);
      const { wait, open } = gate();
      const lively = run(`for i in 1 2 3 4 5; do echo $i; ${wait}; done`, limits);
      await until(() => silent.text() === "a\n");
      for (let i = 1; i <= 5; i++) {
        await until(() => lively.text().endsWith(`${i}\n`));
        clock.forward(400_000);
        open();
      }
      assert.deepEqual((await silent.exited).outcome, { type: "idleTimedOut", limitMs: 600_000 });
      assert.equal(silent.text(), "a\n");
      assert.deepEqual((await lively.exited).outcome, { type: "exited", code: 0 });
    });

    it("makes the command wait while its reader pauses, and loses nothing", here, async () => {
      const it = run("seq 1 1000000");
      await it.opened;
      it.demand().pause();
      await run("sleep 0.2").exited;
      assert.ok(it.text().length < mostAhead, "about what a pipe and a chunk hold");
      it.demand().resume();
      await it.exited;
      assert.ok(it.text() === Array.from({ length: 1_000_000 }, (_, i) => `${i + 1}\n`).join(""));
    });

    it("ends a command whose reader wants no more, or has stopped to read", async () => {
      const endless = run("yes");
      await endless.opened;
      endless.demand().end();
      assert.deepEqual((await endless.exited).outcome, { type: "outputLimited" });
      const held = run("yes", { timeoutMs: 200 });
      await held.opened;
      held.demand().pause();
      assert.deepEqual((await held.exited).outcome, { type: "timedOut", limitMs: 200 });
    });

    it("tells when the shell cannot be started, and runs nothing", async () => {
      const it = run("echo x", {}, { file: "no-such-shell" });
      await assert.rejects(it.exited, /^Error: Cannot start "no-such-shell" in "\/": /);
      await it.completed;
      assert.deepEqual(it.happened, ["end", "execution.failed"]);
    });

    it("ends a command without a word when nobody listens any more", async () => {
      const what = `sleep ${uniqueSeconds()}`;
      const it = run(what);
      await until(() => living(what).length > 0 && it.events.length > 0);
      it.unsubscribe();
      await until(() => living(what).length === 0);
      assert.deepEqual(it.events.map(({ type }) => type), ["execution.started"]);
    });

    it("takes a stop from inside the very first event, and several at once", async () => {
      const what = `sleep ${uniqueSeconds()}`;
      const it = run(what, {}, {
        onEvent: (event, id) => {
          if (event.type === "execution.started") executor.send(id, { type: "stop", by: "abort" });
        },
      });
      assert.deepEqual((await it.exited).outcome, { type: "aborted", by: "abort" });
      await it.completed;
      assert.equal(executor.send(it.commandId, { type: "stop", by: "stop" }), false);
      const many = run(what);
      await until(() => living(what).length > 0);
      for (const by of ["close", "stop", "abort", "timeout"] as const) {
        executor.send(many.commandId, { type: "stop", by });
      }
      assert.deepEqual((await many.exited).outcome, { type: "aborted", by: "close" });
      await many.completed;
      // Whatever takes longer than the grace is killed.
      assert.deepEqual(signals(many).filter((signal) => signal !== "SIGKILL"), ending);
      assert.equal(many.happened.filter((type) => type === "execution.exited").length, 1);
    });

    it("ends background children with their command where that is the policy", here, async () => {
      const what = `sleep ${uniqueSeconds()}`;
      const mine = fresh({ background: "end" });
      const it = mine.run(`${what} & setsid ${what} & echo over; exit 3`);
      const { outcome, leftovers } = await it.exited;
      assert.deepEqual([outcome, leftovers], [{ type: "exited", code: 3 }, []]);
      assert.deepEqual(living(what), []);
      assert.equal(it.text(), "over\n");
    });

    const takesNone = !executor.capabilities.input && "no command takes input";
    it("gives a command its input in order, and its end", { skip: takesNone }, async () => {
      const it = run("echo on; read -r a; echo got $a; cat; echo over", {}, { input: true });
      const send = (text: string, end = false) =>
        executor.send(it.commandId, { type: "input", bytes: new TextEncoder().encode(text), end });
      await until(() => it.text() === "on\n");
      assert.equal(send("one\n"), true);
      await until(() => it.text() === "on\ngot one\n");
      assert.deepEqual([send("two\n"), send("three", true), send("four")], [true, true, false]);
      assert.deepEqual((await it.exited).outcome, { type: "exited", code: 0 });
      assert.equal(it.text(), "on\ngot one\ntwo\nthreeover\n");
      await it.completed;
      assert.equal(send("five"), false);
    });

    it("gives a command no input else", { skip: terminal }, async () => {
      const none = run("cat; read x; echo $?");
      await none.exited;
      assert.equal(none.text(), "1\n");
      assert.equal(
        executor.send(none.commandId, { type: "input", bytes: new Uint8Array(1) }),
        false,
      );
    });

    const aLine = { skip: terminal ? "what is typed ahead has 4 KB at most" : takesNone };
    it(
      "takes input ahead of a command that reads late, up to a limit, and drops what it does not read",
      aLine,
      async () => {
        const { wait, open } = gate();
        const it = run(`${wait}; wc -c; exec <&-; ${wait}`, {}, { input: true });
        const send = (bytes: number, end = false) =>
          executor.send(it.commandId, { type: "input", bytes: new Uint8Array(bytes), end });
        await until(() => it.events.length > 0);
        assert.deepEqual([send(600_000), send(600_000), send(0, true)], [true, false, true]);
        open();
        await until(() => it.text() === "600000\n");
        open();
        assert.deepEqual((await it.exited).outcome, { type: "exited", code: 0 });
        const deaf = run("exec <&-; sleep 0.05; exit 3", {}, { input: true });
        await until(() => deaf.events.length > 0);
        executor.send(deaf.commandId, { type: "input", bytes: new Uint8Array(300_000) });
        assert.deepEqual((await deaf.exited).outcome, { type: "exited", code: 3 });
        await deaf.completed;
      },
    );

    it("sends a signal on request", here, async () => {
      const it = run("trap 'echo caught; exit 7' USR1; echo ready; while :; do sleep 0.05; done");
      await until(() => it.text() === "ready\n");
      assert.equal(executor.send(it.commandId, { type: "signal", signal: "SIGUSR1" }), true);
      assert.deepEqual((await it.exited).outcome, { type: "exited", code: 7 });
      assert.match(it.text(), /^ready\n.*caught\n$/s); // bash itself tells how its sleep ended
    });

    it("tells that a signal sent on request ended it, and no other", here, async () => {
      for (const signal of ["SIGTERM", "SIGINT", "SIGKILL", "SIGUSR1"]) {
        const what = `sleep ${uniqueSeconds()}`;
        const it = run(what);
        await until(() => hasStarted(what));
        executor.send(it.commandId, { type: "signal", signal });
        const { outcome } = await it.exited;
        assert.deepEqual(outcome, { type: "signaled", signal, by: "user", coreDump: false });
      }
      const caught = run("trap 'kill -9 $$' USR1; echo ready; while :; do sleep 0.05; done");
      await until(() => caught.text() === "ready\n");
      executor.send(caught.commandId, { type: "signal", signal: "SIGUSR1" });
      const { outcome } = await caught.exited;
      assert.ok(outcome.type === "signaled" && outcome.by === "unknown", JSON.stringify(outcome));
    });

    it(`runs ${atOnce} at once, each with its own output`, async () => {
      const all = await Promise.all(Array.from({ length: atOnce }, async (_, i) => {
        const it = run(`sleep 0.2; echo done ${i}`);
        const { outcome } = await it.exited;
        return [outcome.type, it.text()];
      }));
      assert.deepEqual(all, Array.from({ length: atOnce }, (_, i) => ["exited", `done ${i}\n`]));
    });

    it(
      "ends on request what an exited command left, and resolves when that is gone",
      here,
      async () => {
        const what = `sleep ${uniqueSeconds()}`;
        const it = run(`${what} & setsid ${what} & (trap '' TERM; echo over; exec ${what}) &`);
        await it.exited;
        await until(() => living(what).length === 3);
        assert.deepEqual(await executor.sweep?.(it.commandId), []);
        assert.deepEqual(living(what), []);
        await it.completed;
        assert.deepEqual(await executor.sweep?.(it.commandId), []);
      },
    );

    it("ends what is left when it closes, escaped children included", here, async () => {
      const what = `sleep ${uniqueSeconds()}`;
      const mine = fresh();
      const left = mine.run(`(setsid ${what} &); ${what} & echo left`);
      const runs = mine.run(what);
      await left.exited;
      await mine.executor.close();
      await Promise.all([left.completed, runs.completed]);
      assert.deepEqual((await runs.exited).outcome, { type: "aborted", by: "close" });
      assert.deepEqual(living(what), []);
    });
  });
}
