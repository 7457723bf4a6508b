/**
 * What a runtime adds to a command: a cold `echo hi` against the bare spawn of the same bash line,
 * and the way of the events alone, with an executor that runs nothing.
 *
 *     node --import tsx bench/pipeline.bench.ts [rounds, 7 when absent] [cold large path backlog stages]
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { concat, from, lastValueFrom, mergeMap, type Observable, of, Subject } from "rxjs";
import { parse } from "../src/command/parse.ts";
import { construct, defaultEnvPolicy } from "../src/env/construct.ts";
import type { CommandAdmitted, CommandRequested } from "../src/event/command.ts";
import type { RuntimeEvent } from "../src/event/event.ts";
import type { ExecutionEvent } from "../src/event/execution.ts";
import { execute } from "../src/execution/execute.ts";
import type { Executor } from "../src/execution/executor.ts";
import { buffer } from "../src/output/buffer.ts";
import { ByteLogs } from "../src/output/byte-logs.ts";
import { createPolicy } from "../src/permission/policy.ts";
import { permit } from "../src/permission/permit.ts";
import { systemClock } from "../src/platform/clock.ts";
import { hostProcesses } from "../src/platform/process/host-processes.ts";
import { countingIds } from "../src/platform/ids.ts";
import { createRuntime } from "../src/runtime/create.ts";
import type { Runtime } from "../src/runtime/runtime.ts";
import { openSession } from "../src/session/actor.ts";
import { bash } from "../src/shell/bash.ts";
import { benchArguments } from "./arguments.ts";
import { ranCompiled } from "./compiled.ts";
import { median, table } from "./harness.ts";

const { numbers: [pairs = 0], words: wanted } = benchArguments(
  { rounds: 7 },
  ["cold", "large", "path", "backlog", "stages"],
);
if (ranCompiled(import.meta.url)) process.exit();
const LINE = "echo hi";
const ALLOW = { allow: ["Bash(echo *)"] };
const COLD = 60;
const LARGE = 2 ** 30;
const PATH = 20_000;
/** What the first command of a backlog waits for. */
let held: Subject<never> = new Subject();

const parts = { cold: () => cold(), large, path, backlog, stages };
for (const [name, part] of Object.entries(parts)) {
  if (wanted.includes(name)) await part();
}
process.exit();

/** Fresh processes, one after the other, started in each way in turn. */
async function cold(title = `cold "${LINE}"`, inARow = COLD): Promise<void> {
  const runtime = await createRuntime({ rules: ALLOW });
  const byNode = await createRuntime({ rules: ALLOW, processes: hostProcesses("bench") });
  const through = (runtime: Runtime) => async () => {
    const { output } = await runtime.run(LINE);
    if (output !== "hi\n") throw new Error(`Cannot trust this bench: it wrote "${output}"`);
  };
  const ways = [
    { name: "bare child_process.spawn", run: bare, times: new Array<number>() },
    { name: "the whole runtime", run: through(runtime), times: new Array<number>() },
    { name: "without native calls", run: through(byNode), times: new Array<number>() },
  ];
  // Until compilers have done with what every command passes: the grammar alone takes them a second.
  for (let i = 0; i < inARow * 5; i++) {
    for (const { run } of ways) await run();
  }
  for (let round = 0; round < pairs; round++) {
    for (let turn = 0; turn < ways.length; turn++) {
      const way = ways[(round + turn) % ways.length];
      way?.times.push(await timed(way.run, inARow));
    }
  }
  await runtime.close();
  await byNode.close();
  const [baseline] = ways;
  print(`${title}, ${inARow} in a row, median of ${pairs} interleaved rounds`, [
    ["", "ms each", "times bare"],
    ...ways.map(({ name, times }) => {
      const ratio = median(times.map((ms, round) => ms / (baseline?.times[round] ?? Number.NaN)));
      return [name, median(times).toFixed(2), ratio.toFixed(2)];
    }),
  ]);
}

/** The same in a host with much memory, whose tables a fork has to copy. */
async function large(): Promise<void> {
  // A new array each: only what is written to is there.
  const memory = Array.from({ length: 16 }, () => new Uint8Array(LARGE / 16).fill(1));
  await cold(`cold "${LINE}" in a host of ${LARGE / 2 ** 20} MiB`, COLD / 10);
  if (memory.length !== 16) throw new Error("Cannot trust this bench: its memory is gone");
}

/** Milliseconds for each of a row of commands. */
async function timed(run: () => Promise<void>, inARow: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < inARow; i++) await run();
  return (performance.now() - start) / inARow;
}

function bare(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", bash.run(LINE), {
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    child.stdout.on("data", (chunk) => output += chunk);
    child.stderr.on("data", (chunk) => output += chunk);
    child.on("close", () => output === "hi\n" ? resolve() : reject(new Error(output)));
  });
}

/** Everything but a process: sessions, stages, log in memory, projections. */
async function path(): Promise<void> {
  const rates: number[] = [];
  for (let run = 0; run < pairs; run++) {
    const runtime = await createRuntime({ rules: ALLOW, executor: nothing() });
    let events = 0;
    const subscription = runtime.events.subscribe(() => events++);
    const start = performance.now();
    await Promise.all(Array.from({ length: PATH }, () => queued(runtime)));
    rates.push(events / (performance.now() - start) * 1000);
    subscription.unsubscribe();
    await runtime.close();
  }
  const baseline: number[] = [];
  for (let run = 0; run < pairs; run++) {
    const subject = new Subject<RuntimeEvent>();
    let events = 0;
    subject.subscribe(() => events++);
    const start = performance.now();
    for (let i = 0; i < PATH * 8; i++) {
      subject.next({ type: "session.closed", sessionId: "s", reason: "" });
    }
    baseline.push(events / (performance.now() - start) * 1000);
  }
  print(`events of ${PATH} commands queued in one session, no process, median of ${pairs}`, [
    ["", "events/s"],
    ["an RxJS Subject alone", median(baseline).toFixed(0)],
    ["the whole runtime", median(rates).toFixed(0)],
  ]);
}

async function queued(runtime: Runtime): Promise<void> {
  const { outcome } = await runtime.run(LINE, { sessionId: "bench" });
  if (outcome.type !== "exited") throw new Error(`Cannot trust this bench: ${outcome.type}`);
}

/** A mailbox must not become slower for each message the more of them wait. */
function backlog(): void {
  const rows: string[][] = [];
  for (const size of [1_000, 10_000, 100_000]) {
    const costs: number[] = [];
    for (let run = 0; run < pairs; run++) {
      const session = openSession({
        id: "bench",
        cwd: "/",
        pipeline: (events) => events.pipe(mergeMap((admitted) => ended(admitted))),
        record: () => {},
        executor: { send: () => false },
        clock: systemClock,
        checkDirectory: () => undefined,
      });
      session.send({ type: "open" });
      const start = performance.now();
      // The first one holds the turn until all others wait.
      held = new Subject();
      for (let i = 0; i < size; i++) session.send({ type: "run", request: request(String(i)) });
      held.complete();
      if (session.state.current !== undefined) throw new Error("Cannot trust this bench: it hangs");
      costs.push((performance.now() - start) * 1000 / size);
    }
    rows.push([String(size), median(costs).toFixed(2)]);
  }
  print(`messages that wait in one session, median of ${pairs}`, [["waiting", "µs each"], ...rows]);
}

function ended(admitted: CommandAdmitted): Observable<RuntimeEvent> {
  const { commandId } = admitted;
  const exited: RuntimeEvent = {
    type: "execution.exited",
    commandId,
    outcome: { type: "exited", code: 0 },
    durationMs: 0,
    leftovers: [],
  };
  const first: Observable<RuntimeEvent> = of(admitted);
  return commandId === "0" ? concat(first, held, of(exited)) : concat(first, of(exited));
}

function request(commandId: string): CommandRequested {
  return {
    type: "command.requested",
    commandId,
    sessionId: "bench",
    command: LINE,
    origin: "model",
    limits: {},
  };
}

/** The same commands through more and more of the stages. */
async function stages(): Promise<void> {
  const clock = systemClock;
  const logs = new ByteLogs({ clock });
  const parsed = parse();
  const permitted = permit({ policy: createPolicy({ rules: ALLOW }), ids: countingIds() });
  const constructed = construct({
    policy: defaultEnvPolicy,
    base: { PATH: "/usr/bin:/bin", HOME: "/" },
    shell: { dialect: bash, file: "/bin/bash" },
  });
  const ways: Readonly<
    Record<string, (events: Observable<CommandAdmitted>) => Observable<RuntimeEvent>>
  > = {
    "no stage": (events) => events,
    "+ parse": (events) => events.pipe(parsed),
    "+ permit": (events) => events.pipe(parsed, permitted),
    "+ construct": (events) => events.pipe(parsed, permitted, constructed),
    "+ execute": (events) =>
      events.pipe(parsed, permitted, constructed, execute({ executor: nothing(), sinks: logs })),
    "+ buffer": (events) => {
      const fresh = new ByteLogs({ clock });
      return events.pipe(
        parsed,
        permitted,
        constructed,
        execute({ executor: nothing(), sinks: fresh }),
        buffer({ logs: fresh, clock }),
      );
    },
  };
  const rows: string[][] = [];
  let before = 0;
  let execution = 0;
  for (const [name, way] of Object.entries(ways)) {
    const costs: number[] = [];
    for (let run = 0; run < pairs; run++) {
      // Ids are used once: a byte log is opened for each.
      const round = execution++;
      const commands = Array.from({ length: PATH }, (_, i): CommandAdmitted => ({
        type: "command.admitted",
        commandId: `${round}.${i}`,
        sessionId: "s",
        order: {
          sessionId: "s",
          command: LINE,
          cwd: "/",
          dialect: "bash",
          origin: "model",
          limits: {},
        },
      }));
      const start = performance.now();
      await lastValueFrom(from(commands).pipe(way));
      costs.push((performance.now() - start) * 1000 / PATH);
    }
    const cost = median(costs);
    rows.push([name, cost.toFixed(2), (cost - before).toFixed(2)]);
    before = cost;
  }
  print(`microseconds for each of ${PATH} commands, median of ${pairs}`, [
    ["", "so far", "this stage"],
    ...rows,
  ]);
}

/** Says that every command ran and ended well. */
function nothing(): Executor {
  return {
    name: "nothing",
    capabilities: { terminal: false, input: false, persistent: false, detaches: false },
    run: (commandId, _invocation, sinks) => {
      const sink = sinks.open(commandId, { pause: () => {}, resume: () => {}, end: () => {} });
      sink.end();
      const events: ExecutionEvent[] = [
        { type: "execution.started", commandId, executor: "nothing", pid: 0 },
        {
          type: "execution.exited",
          commandId,
          outcome: { type: "exited", code: 0 },
          durationMs: 0,
          leftovers: [],
        },
        { type: "execution.closed", commandId, leftovers: [] },
      ];
      return from(events);
    },
    send: () => false,
    close: () => Promise.resolve(),
  };
}

function print(title: string, [headings = [], ...rows]: readonly (readonly string[])[]): void {
  process.stdout.write(`\n${title}\n\n${table(headings, rows)}\n`);
}
