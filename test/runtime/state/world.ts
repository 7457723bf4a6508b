import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Recorded } from "../../../src/event/event.ts";
import { readLog } from "../../../src/event/log/read-log.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import type { Processes, ProcessInfo } from "../../../src/platform/process/processes.ts";
import { cleanUp } from "../../clean-up.ts";
import { uniqueSeconds } from "../../execution/world.ts";
import { runArgs } from "../../run-args.ts";
import type { HostNews, HostPlan } from "./host.ts";

export { uniqueSeconds };

/** The processes of this machine, to look at. */
export const processes: Processes = hostProcesses("shellflow-state");

/** The living processes whose command line holds a text. */
export function living(what: string): readonly ProcessInfo[] {
  return processes.table().all.filter(({ pid, state }) =>
    state !== "Z" && processes.commandLine(pid).includes(what)
  );
}

/** Those of the living that have become it: the shells around it name it as well. */
export function sleeping(what: string): readonly ProcessInfo[] {
  return living(what).filter(({ pid }) => processes.commandLine(pid) === what);
}

/** A command that no other test has, whose processes go with the test. */
export function marked(): string {
  const what = `sleep ${uniqueSeconds()}`;
  cleanUp(() => sweep(what));
  return what;
}

/** End whatever a test left, by pid; `what` tells it from everything else. */
export function sweep(what: string): void {
  for (const found of living(what)) processes.signal(found, "SIGKILL");
}

/**
 * A host in a process of its own, once all that it was asked to run does.
 *
 * @param inside A program that runs it, with its arguments.
 */
export async function startHost(
  plan: HostPlan,
  inside: readonly string[] = [],
): Promise<{ readonly news: HostNews; readonly kill: () => Promise<void> }> {
  const own = [process.execPath, ...runArgs(new URL("./host.ts", import.meta.url))];
  const [program = "", ...args] = [...inside, ...own];
  const child: ChildProcess = spawn(program, args, {
    stdio: ["pipe", "pipe", "inherit"],
  });
  assert.ok(child.stdin && child.stdout);
  child.stdin.end(JSON.stringify(plan));
  const gone = once(child, "exit");
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const news: HostNews = JSON.parse(line);
  return {
    news,
    kill: async () => {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

/** All that a log holds. */
export async function recordedIn(log: string): Promise<readonly Recorded[]> {
  const events: Recorded[] = [];
  for await (const recorded of readLog(log)) events.push(recorded);
  return events;
}

/** The text of a file; empty while there is none. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
