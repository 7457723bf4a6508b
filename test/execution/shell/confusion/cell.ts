import { rmSync } from "node:fs";
import { join } from "node:path";
import { EnvValues } from "../../../../src/event/env-values.ts";
import type { ExecutionStarted, Outcome, ShellReset } from "../../../../src/event/execution.ts";
import type { Executor } from "../../../../src/execution/executor.ts";
import { drive, type Driven } from "../../drive.ts";
import { PATH, type TriedShell } from "./tried-shells.ts";
import type { SteeredClock } from "../../../steered-clock.ts";
import { until } from "../../../until.ts";
import { isStopped, wentOn } from "../../world.ts";

/** What became of the shell: it was kept, or another one took its place. */
export type Fate = "kept" | "replaced";

/** What a line came to, in a shell that lives on. */
export interface Came {
  readonly output: string;
  /** Its code, or how it ended without one. */
  readonly end: number | string;
  readonly fate: Fate;
  /** What the lines after it printed, and their codes. */
  readonly next: string;
}

/** What is done while a line runs, once its first byte has come; its time is over once the shell went on. */
export type Meanwhile = "stop" | "SIGINT" | "SIGCONT" | "remove" | "timeout";

/** How a line is run. */
export interface LineOptions {
  readonly meanwhile?: Meanwhile;
  /** Run between the line and the lines after it, for what would show in them. */
  readonly undo?: string;
}

/** Leaves behind what the lines after it look for. */
const BEFORE = "cd inner; kept=kept; sent=sent; export sent; f() { echo f; }";
/** Shows what is left of it. */
const AFTER = 'echo "next ${kept-} ${sent-} ${PWD##*/} $(f 2>/dev/null)"';

/** Where a line runs, and by whose time. */
export interface Ground {
  readonly executor: Executor;
  readonly clock: SteeredClock;
  /** By that clock, none but a line that hangs takes that long, in milliseconds: it is told by its name. */
  readonly neverMs: number;
}

let count = 0;

/** Run a line in a shell of its own, and others after it. */
export async function runLine(
  { executor, clock, neverMs }: Ground,
  shell: TriedShell,
  line: string,
  { home, meanwhile, undo }: LineOptions & { readonly home: string },
): Promise<Came> {
  const sessionId = `session_${++count}`;
  const env = new EnvValues(environment(home));
  let cwd = home;
  const run = (command: string) =>
    drive(executor, {
      command,
      file: shell.file,
      args: shell.args(command),
      cwd,
      env,
      executor: "shell",
      limits: { timeoutMs: neverMs },
      shell: { sessionId, dialect: shell.dialect, env },
    }, (event) => {
      if (event.type === "execution.exited" && event.shell !== undefined) cwd = event.shell.cwd;
    });
  await run(BEFORE).exited;
  const it = run(line);
  if (meanwhile !== undefined) {
    await until(() => it.text() !== "");
    if (meanwhile === "remove") rmSync(join(home, "inner"), { recursive: true });
    else if (meanwhile === "stop") executor.send(it.commandId, { type: "stop", by: "stop" });
    else if (meanwhile === "timeout") {
      const { pid = 0 } = startOf(it) ?? {};
      await until(wentOn(pid));
      clock.forward(neverMs);
    } else {
      // One that has not stopped itself yet would do so after it was told to go on.
      if (meanwhile === "SIGCONT") await until(() => isStopped(startOf(it)?.pid ?? 0));
      executor.send(it.commandId, { type: "signal", signal: meanwhile });
    }
  }
  const { outcome, shell: after } = await it.exited;
  const lines: Driven[] = [];
  for (const command of [...(undo === undefined ? [] : [undo]), AFTER, "/bin/false"]) {
    const next = run(command);
    lines.push(next);
    await next.exited;
  }
  const [shown, last] = lines.slice(-2);
  const codes = await Promise.all(
    [shown, last].map(async (it) => endOf((await it?.exited)?.outcome)),
  );
  executor.release?.(sessionId, "closed");
  return {
    output: it.text(),
    end: endOf(outcome),
    fate: fateOf([
      after?.reset,
      ...lines.map((line) => startOf(line)?.reset),
      ...await Promise.all(lines.map(async (it) => (await it.exited).shell?.reset)),
    ]),
    next: `${shown?.text()}${last?.text()}${codes.join(" ")}`,
  };
}

/** What every shell that is tried is started with. */
export function environment(home: string): Readonly<Record<string, string>> {
  return { PATH, HOME: home, LC_ALL: "C.UTF-8" };
}

function endOf(outcome: Outcome | undefined): number | string {
  if (outcome?.type === "exited") return outcome.code;
  return outcome?.type === "signaled" ? outcome.signal : String(outcome?.type);
}

function startOf({ events }: Driven): ExecutionStarted | undefined {
  return events.find((event): event is ExecutionStarted => event.type === "execution.started");
}

function fateOf(resets: readonly (ShellReset | undefined)[]): Fate {
  return resets.some((reset) => reset !== undefined) ? "replaced" : "kept";
}
