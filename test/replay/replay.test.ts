import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { firstValueFrom, toArray } from "rxjs";
import { createRuntime } from "../../src/runtime/create.ts";
import type { RuntimeOptions } from "../../src/runtime/options/options.ts";
import type { RunOptions } from "../../src/runtime/call/request.ts";
import type { RunResult } from "../../src/runtime/call/result.ts";
import type { ExecutionEvent } from "../../src/event/execution.ts";
import {
  playback,
  readCassette,
  RECORD,
  type Recording,
  recordingsOf,
  replayExecutor,
  scripted,
  VirtualClock,
} from "../../src/testing.ts";
import { createTools } from "../../src/tool/create-tools.ts";
import { fakeShells } from "../runtime/fake-shells.ts";
import { until } from "../until.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-replay-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const COMMANDS = [
  "for i in 1 2 3; do echo tick $i; sleep 0.15; done",
  "printf '\\xff\\x00bytes'",
  "seq 1 4000", // more than events carry, less than memory holds
  "head -c 45000 /dev/zero | tr '\\0' x",
  "seq 1 60000",
  "exit 7",
  "kill -9 $$",
  "rm -rf nothing",
];
const options = { mode: "bypass", cwd: scratch, rules: { deny: ["Bash(rm *)"] } } as const;

/** What is the same in every run: not names, not files. */
const essence = ({ taskId: _, sessionId: __, artifact: ___, output, ...rest }: RunResult) => ({
  ...rest,
  output: output.replace(/; all of it is in [^\]]+/, ""),
});

describe("a recording", () => {
  it("is the same when what it plays is recorded again", async () => {
    const event = (atMs: number, event: ExecutionEvent) =>
      ({ atMs, type: "event", event }) as const;
    const bytes = (atMs: number, text: string) =>
      ({ atMs, type: "bytes", bytes: new TextEncoder().encode(text) }) as const;
    const of = { commandId: "task_1", leftovers: [] };
    const recording: Recording = {
      commandId: "task_1",
      command: "make",
      cwd: scratch,
      steps: [
        event(0, { type: "execution.started", executor: "test", pid: 1, ...of }),
        bytes(50, "one"),
        event(50, { type: "execution.stopping", by: "stop", signal: "SIGTERM", ...of }),
        bytes(300, "two"),
        event(300, {
          type: "execution.exited",
          outcome: { type: "exited", code: 0 },
          durationMs: 300,
          ...of,
        }),
        event(300, { type: "execution.closed", ...of }),
      ],
    };
    const player = await createRuntime({ ...options, output: RECORD, ...playback([recording]) });
    const events = firstValueFrom(player.events.pipe(toArray()));
    await player.run("make");
    await player.close();
    const [again] = recordingsOf(await events);
    const timeline = (steps: Recording["steps"] = []) =>
      steps.map((step) => [
        step.atMs,
        step.type === "bytes"
          ? new TextDecoder().decode(step.bytes)
          : "event" in step && step.event.type,
      ]);
    assert.deepEqual(timeline(again?.steps), timeline(recording.steps));
  });
});

describe("what tests are written with", () => {
  it("is refused where it cannot be used, by field and value", () => {
    const rows: readonly (readonly [() => unknown, RegExp])[] = [
      [
        () => scripted("x", { out: "" } as object),
        /with out "": there is no such option; there are/,
      ],
      [
        () => scripted("x", { ends: "SIGKILL" } as object),
        /with ends "SIGKILL": it must be an exit/,
      ],
      [() => scripted("x", { ends: { type: "exited" } } as object), /with ends\.code undefined: /],
      [() => scripted("x", { ends: { type: "timeout" } } as object), /with ends\.type "timeout": /],
      [() => scripted("x", { output: [["1", "x"]] } as object), /with output\.0\.0 "1": /],
      [() => scripted("x", { output: [[5, "b"], [3, "a"]] }), /with output\.1\.0 3: .* at 5$/],
      [() => scripted("x", { durationMs: NaN }), /with durationMs NaN: /],
      [() => scripted(5 as never), /^Cannot script the command 5: it must be text$/],
      [() => Reflect.apply(playback, undefined, ["x"]), /with recordings "x": /],
      [
        () => playback(JSON.parse(JSON.stringify([scripted("x", { output: "y" })]))),
        /with recordings\.0\.steps\.1\.bytes \{"0":121\}: it must be a Uint8Array, which JSON/,
      ],
      [
        () => playback([{ ...scripted("x"), steps: scripted("x").steps.slice(1) }]),
        /"x": it has output before "execution\.started"/,
      ],
      [() => Reflect.apply(recordingsOf, undefined, ["x"]), /"x": it is no recorded event/],
      [() => Reflect.apply(recordingsOf, undefined, [[null]]), /null: it is no recorded event/],
      [() => new VirtualClock().advance(-1), /"-1" milliseconds: /],
    ];
    for (const [wrong, message] of rows) assert.throws(wrong, { name: "TypeError", message });
  });
});

describe("the replay executor", () => {
  it("gives the same results from a log on disk, without a process and without the time", async () => {
    const log = join(scratch, "log");
    const recorder = await createRuntime({ ...options, log });
    const recorded: RunResult[] = [];
    for (const command of COMMANDS) recorded.push(await recorder.run(command));
    await recorder.close();

    const player = await createRuntime({ ...options, ...playback(await readCassette(log)) });
    const events = firstValueFrom(player.events.pipe(toArray()));
    const played: RunResult[] = [];
    for (const command of COMMANDS) played.push(await player.run(command));
    await player.close();
    assert.deepEqual(played.map(essence), recorded.map(essence));
    for (const { event } of await events) {
      if (event.type === "execution.started") {
        assert.deepEqual([event.pid, event.executor], [0, "replay"]);
      }
    }
  });

  it("gives the same results from events in memory that were recorded for it", async () => {
    const recorder = await createRuntime({ ...options, output: RECORD });
    const events = firstValueFrom(recorder.events.pipe(toArray()));
    const recorded: RunResult[] = [];
    for (const command of COMMANDS) recorded.push(await recorder.run(command));
    await recorder.close();
    await using player = await createRuntime({
      ...options,
      output: RECORD,
      ...playback(recordingsOf(await events)),
    });
    for (const result of recorded) {
      assert.deepEqual(essence(await player.run(result.command)), essence(result));
    }
  });

  it("leads sessions where their shells had led them", async () => {
    const commands = [
      `go ${tmpdir()}`,
      `report ${JSON.stringify({ functions: ["f"] })}`,
      "ls",
    ];
    const run = async (more: RuntimeOptions) => {
      const runtime = await createRuntime({ ...options, defaultExecutor: "auto", ...more });
      const events = firstValueFrom(runtime.events.pipe(toArray()));
      const results: RunResult[] = [];
      for (const command of commands) results.push(await runtime.run(command, { sessionId: "s" }));
      await runtime.close();
      const told = (await events).map(({ event }) => event);
      return {
        events: await events,
        results: results.map(essence),
        session: told.filter(({ type }) => type.startsWith("session.")),
        orders: told.flatMap((event) => event.type === "command.admitted" ? [event.order] : []),
      };
    };
    const recorded = await run({ executor: fakeShells() });
    const played = await run(playback(recordingsOf(recorded.events)));
    assert.deepEqual(played.results, recorded.results);
    assert.deepEqual(played.session, recorded.session);
    assert.deepEqual(played.orders, recorded.orders);
  });

  it("answers a line as it was asked for, also where the runtime leaves a part of it out", async () => {
    const recorder = await createRuntime({ ...options, output: RECORD });
    const events = firstValueFrom(recorder.events.pipe(toArray()));
    const { output } = await recorder.run("cd / && pwd");
    await recorder.close();
    const recordings = recordingsOf(await events);
    const lines = ["cd / && pwd", "cd /usr && make", "make 2>&1 | tail -20"];
    const byHand = lines.slice(1).map((line) => scripted(line, { output: line }));
    for (const changes of [true, false]) {
      const played = playback([...recordings, ...byHand, scripted("make", { output: "make" })]);
      const more = { foldCd: changes, fixUps: changes, ...played };
      await using player = await createRuntime({ ...options, ...more });
      const outputs: string[] = [];
      for (const line of ["make", ...lines]) outputs.push((await player.run(line)).output);
      assert.deepEqual(outputs, ["make", output, ...lines.slice(1)]);
    }
  });

  it("plays in directories that are not there", async () => {
    const cwd = "/no/such";
    await using player = await createRuntime({ ...options, cwd, ...playback([scripted("make")]) });
    player.openSession("s", { cwd: `${cwd}/either` });
    const { outcome } = await player.run("make", { sessionId: "s", cwd: "below" });
    assert.deepEqual(outcome, { type: "exited", code: 0 });
  });

  it("lasts as long as it prints, whatever is said", async () => {
    const make = scripted("make", { output: [[500, "made"]], durationMs: 100 });
    await using player = await createRuntime({ ...options, ...playback([make]) });
    const { output, durationMs } = await player.run("make");
    assert.deepEqual([output, durationMs], ["made", 500]);
  });

  it("plays while a test fakes timers", async () => {
    await using player = await createRuntime({
      ...options,
      ...playback([scripted("make", { durationMs: 9e6 })]),
    });
    const own = { setTimeout, setImmediate };
    Object.assign(globalThis, { setTimeout: () => 0, setImmediate: () => 0 });
    try {
      assert.equal((await player.run("make")).durationMs, 9e6);
    } finally {
      Object.assign(globalThis, own);
    }
  });

  it("says which command was not recorded, and what is left, the most similar first", async () => {
    const lines = ["git status", "npm ci", "npm test", "make"];
    const played = playback(lines.map((line) => scripted(line)));
    await using player = await createRuntime({ ...options, ...played });
    const reason = async (line: string) => {
      const { outcome } = await player.run(line);
      return outcome.type === "spawnFailed" ? outcome.reason : outcome.type;
    };
    assert.equal(
      await reason("npm test -- --watch"),
      'Cannot replay "npm test -- --watch": it was not recorded; ' +
        'what is left: "npm test", "npm ci", "git status", "make"',
    );
    assert.equal(await reason("make"), "exited");
    assert.deepEqual(played.executor.unplayed(), ["git status", "npm ci", "npm test"]);
    for (const line of played.executor.unplayed()) await player.run(line);
    assert.deepEqual(played.executor.unplayed(), []);
    assert.deepEqual(played.executor.unrecorded(), ["npm test -- --watch"]);
    assert.equal(
      await reason("make"),
      'Cannot replay "make": it was recorded once, and asked for more often; none is left',
    );
  });

  it("plays on a machine without bash", async () => {
    const { PATH } = process.env;
    process.env["PATH"] = scratch;
    try {
      await using player = await createRuntime({ ...options, ...playback([scripted("make")]) });
      assert.equal((await player.run("make")).exitCode, 0);
      await assert.rejects(createRuntime(options), /^Error: Cannot find "bash": it is not on the/);
    } finally {
      process.env["PATH"] = PATH;
    }
  });

  it("can be stopped in the middle", async () => {
    const recording = {
      commandId: "c",
      command: "watch",
      cwd: "/",
      steps: [{
        atMs: 0,
        type: "event",
        event: { type: "execution.started", commandId: "c", executor: "process", pid: 1 },
      }, { atMs: 1e12, type: "bytes", bytes: new Uint8Array(1) }],
    } as const;
    await using player = await createRuntime({ ...options, ...playback([recording]) });
    const running = player.start("watch");
    await running.output;
    running.stop("user");
    assert.equal((await running.result).outcome.type, "signaled");
  });

  it("takes signals and sizes as long as, and where, a real command does", async () => {
    const clock = new VirtualClock();
    const recordings = ["piped", "shown"].map((line) => scripted(line, { durationMs: 1_000 }));
    const executor = replayExecutor({ recordings, clock });
    await using runtime = await createRuntime({ ...options, clock, executor });
    const piped = runtime.start("piped", { sessionId: "a" });
    const shown = runtime.start("shown", { sessionId: "b", pty: true });
    await Promise.all([piped.output, shown.output]);
    const size = { columns: 90, rows: 20 };
    await assert.rejects(runtime.resize(piped.taskId, size), /it has none now$/);
    await runtime.resize(shown.taskId, size);
    const stillThere = { type: "signal", signal: "SIGTERM" } as const;
    assert.ok(executor.send(piped.taskId, stillThere));
    clock.advance(1_000);
    assert.deepEqual((await piped.result).outcome, { type: "exited", code: 0 });
    assert.ok(!executor.send(piped.taskId, stillThere));
  });

  it("applies the limits of a command, with the outcome of a real one", async () => {
    const server = () => scripted("srv", { output: [[0, "up\n"], [9e8, "x"]], durationMs: 1e9 });
    const recordings = [server(), server(), server()];
    const output = { quotaBytes: 3, onLimit: "end" } as const;
    await using player = await createRuntime({ ...options, output, ...playback(recordings) });
    const ending = async (limits: RunOptions) => {
      const { outcome, durationMs, exitCode } = await player.run("srv", limits);
      return { outcome, durationMs, exitCode };
    };
    assert.deepEqual(await ending({ timeoutMs: 100_000 }), {
      outcome: { type: "timedOut", limitMs: 100_000 },
      durationMs: 100_000,
      exitCode: null,
    });
    assert.deepEqual(await ending({ idleTimeoutMs: 1_000 }), {
      outcome: { type: "idleTimedOut", limitMs: 1_000 },
      durationMs: 1_000,
      exitCode: null,
    });
    assert.deepEqual((await ending({})).outcome, { type: "outputLimited" });
  });

  it("plays what a command did after its limit, where the recording has the same", async () => {
    const ends = { type: "timedOut", limitMs: 100 } as const;
    const recording = scripted("srv", { output: [[0, "up\n"], [120, "bye\n"]], ends });
    await using player = await createRuntime({ ...options, ...playback([recording]) });
    const { outcome, output, durationMs } = await player.run("srv", { timeoutMs: 100 });
    assert.deepEqual({ outcome, output, durationMs }, {
      outcome: ends,
      output: "up\nbye\n",
      durationMs: 120,
    });
  });

  it("has tools wait in its own time", async () => {
    const build = scripted("make", { output: [[0, "one\n"], [2e4, "two\n"], [9e4, "three\n"]] });
    await using player = await createRuntime({ ...options, ...playback([build]) });
    const tools = createTools(player);
    const first = await tools.call("bash", { command: "make", shellId: "s", until: "/two/" });
    assert.match(first.text, /^one\ntwo\nstill running .*, as its output matched: two\n/);
    const last = await tools.call("read_bash", { shellId: "s", until: "exit", delay: 600 });
    assert.equal(last.text, "three\nexit code 0");
  });

  it("plays a conversation on a terminal through the tools", async () => {
    const command = 'read -p "name? " name; echo "hello $name"; sleep 0.2; stty size';
    const talk = async (more: RuntimeOptions) => {
      await using runtime = await createRuntime({ ...options, output: RECORD, ...more });
      const events = firstValueFrom(runtime.events.pipe(toArray()));
      const tools = createTools(runtime);
      const wait = { mode: "async", until: "input", timeout: 60 };
      const asked = await tools.call("bash", { command, shellId: "s", pty: true, ...wait });
      // A model may take longer than a clock that jumps takes to any limit.
      const { clock } = more;
      if (clock instanceof VirtualClock) await until(() => clock.idle);
      const [{ id = "" } = {}] = runtime.tasks.current.byId.values();
      await runtime.resize(id, { columns: 90, rows: 20 });
      const answered = await tools.call("write_bash", {
        shellId: "s",
        input: "Ann{enter}",
        until: "exit",
      });
      const { lines } = await runtime.screen(id);
      await runtime.close();
      return { texts: [asked, answered].map(({ text }) => text), lines, events: await events };
    };
    const recorded = await talk({});
    const played = await talk(playback(recordingsOf(recorded.events)));
    const shown = (texts: readonly string[]) =>
      texts.map((text) => text.replaceAll(/task_\w+|[\d.]+ m?s/g, "_"));
    assert.match(recorded.lines.join("\n"), /name\? Ann\nhello Ann\n20 90/);
    assert.deepEqual(shown(played.texts), shown(recorded.texts));
    assert.deepEqual(played.lines, recorded.lines);
  });
});
