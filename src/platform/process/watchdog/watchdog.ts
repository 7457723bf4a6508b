import type { ChildProcess } from "node:child_process";
import { Socket } from "node:net";
import process from "node:process";
import { environment } from "../../environment/environment.ts";
import { findProgram } from "../../environment/find-program.ts";
import { withStandardDescriptors } from "../standard-descriptors.ts";
import type { ProcessIdentity } from "../processes.ts";
import { identify, procTable } from "../table/proc-table.ts";
import { startChild } from "../start/by-runtime.ts";
import type { StartEvents } from "../start/start.ts";
import { watchdogLoop } from "./watchdog-loop.ts";
import { asError } from "../../failure.ts";

/** Ends and deletes what a host leaves behind when it dies, by whatever signal. */
export interface Watchdog {
  /** Start it before the first process: what starts without it could outlive the host. Idempotent. */
  start(): void;
  /** Add a process that leads a group of its pid, which must not outlive the host. */
  register(leader: ProcessIdentity): void;
  /** Remove a group that has ended: its number may come to belong to others. */
  release(group: number): void;
  /** The host ends in order: there is nothing to watch any more. */
  close(): void;
}

/** What a watchdog needs to know. */
export interface WatchdogOptions {
  /** Found in the environment of whatever belongs to the host, and in the names of its pipes. */
  readonly runtimeId: string;
  /** Between TERM and KILL, in whole seconds. */
  readonly graceSeconds?: number;
  /** A directory that goes with the host. */
  readonly temporary?: string | undefined;
  /** Variables that mark it as part of no command: its host may run in one that ends before its work. */
  readonly marks?: Readonly<Record<string, string>>;
}

/** A watchdog that ended earlier would end again. */
const STABLE_MS = 1_000;

/**
 * A watchdog: one small shell in a session of its own, at the other end of a pipe that closes when
 * the host is gone.
 *
 * One that was killed is replaced, by the next command where it had just begun. Where it cannot
 * start, the host works without it until the next command tries again. Without `grep`, `ls`, `sed`
 * and `tr` on the PATH it ends groups, and not the processes that left them.
 *
 * @param onFailure Called once, when it cannot start for the first time.
 */
export function watchdog(
  options: WatchdogOptions,
  onFailure: (cause: Error) => void = () => {},
): Watchdog {
  /** The lines that name the groups of the host. */
  const groups = new Map<number, string>();
  let child: ChildProcess | undefined;
  let closed = false;
  let failed = false;
  const fail = (cause: unknown) => {
    if (!failed) onFailure(asError(cause));
    failed = true;
  };
  const begin = () => {
    if (closed || child !== undefined) return;
    const startedAt = performance.now();
    const exit = () => {
      child = undefined;
      if (groups.size > 0 && performance.now() - startedAt >= STABLE_MS) begin();
    };
    child = start(options, { exit, failed: fail });
    for (const line of groups.values()) child?.stdin?.write(line);
  };
  return {
    start: begin,
    register: ({ pid, startTime = "" }) => {
      begin();
      const line = `+ ${pid} ${startTime}\n`;
      groups.set(pid, line);
      child?.stdin?.write(line);
    },
    release: (group) => {
      if (groups.delete(group)) child?.stdin?.write(`- ${group}\n`);
    },
    close: () => {
      if (!closed) child?.stdin?.write("q\n");
      closed = true;
      child?.stdin?.end();
    },
  };
}

function start(
  { runtimeId, graceSeconds = 5, temporary = "", marks = {} }: WatchdogOptions,
  events: StartEvents,
): ChildProcess | undefined {
  const name = "shellflow-watchdog";
  const path = process.env["PATH"] ?? "";
  // Without a sh, the start fails and says so; bash would fail in silence.
  const bash = findProgram("sh", path) === undefined ? undefined : findProgram("bash", path);
  const [program, ...args] = withStandardDescriptors(
    ["sh", "-c", watchdogLoop, name, runtimeId, String(graceSeconds), ownIdentity(), temporary],
    { name, bash },
  );
  const spec = { file: program, args, cwd: "/", env: { ...environment(), ...marks } };
  const child = startChild(spec, ["pipe", "ignore", "ignore"], events);
  child?.stdin?.on("error", () => {}); // its exit follows
  child?.unref();
  if (child?.stdin instanceof Socket) child.stdin.unref();
  return child;
}

/** This process, as the watchdog is to know it: `PID:START`. */
function ownIdentity(): string {
  const { pid, startTime = "" } = identify(process.pid, procTable());
  return `${pid}:${startTime}`;
}
