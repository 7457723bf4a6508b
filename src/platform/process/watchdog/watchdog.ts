import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import process from "node:process";
import { findProgram } from "../../find-program.ts";
import { alone } from "../alone.ts";
import type { ProcessIdentity } from "../processes.ts";
import { procTable } from "../table/proc-table.ts";
import { whenExited } from "../when-exited.ts";
import { PROGRAM } from "./program.ts";

/** Ends what a host leaves behind when it dies, by whatever signal. */
export interface Watchdog {
  /** Be there before the first process is: what starts while nobody watches could outlive the host. Idempotent. */
  start(): void;
  /** A process that leads a group of its pid, which must not outlive the host. */
  register(leader: ProcessIdentity): void;
  /** The group ended, and its number may come to belong to others. */
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
  /** Variables that tell that it is of no command, as its host may run in one that ends before its work. */
  readonly marks?: Readonly<Record<string, string>>;
}

/**
 * A watchdog that starts with the first group: one small shell in a session of its own, at the
 * other end of a lifeline that closes when the host is gone.
 *
 * One that was killed is replaced, by the next command where it had just begun. Where it cannot
 * start, the host works without it until the next command tries again. Without `grep`, `ls`, `sed`
 * and `tr` on the PATH it ends the groups that it was told of, and not who left them.
 *
 * @param onFailure Called once, when it cannot start for the first time.
 */
export function watchdog(
  options: WatchdogOptions,
  onFailure: (cause: Error) => void = () => {},
): Watchdog {
  let child: ChildProcess | undefined;
  let closed = false;
  let failed = false;
  /** There is no program to start, now or later. */
  let missing = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The groups that it is still to be told of, in the order of their start. */
  let young = new Map<number, Group>();
  /** The groups that it was told of. */
  const told = new Map<number, Group>();
  /** Those of them that are over. */
  const over = new Set<number>();
  /** Tell it of those that are over, and of those that started before a time. */
  const tell = (startedBefore: number) => {
    // Young ones stay so until somebody hears of them.
    if (closed || child === undefined) return;
    let text = "";
    for (const group of over) text += `- ${group}\n`;
    over.clear();
    for (const group of young.values()) {
      const { leader: { pid, startTime = "" }, startedAt } = group;
      if (startedAt > startedBefore) break;
      young.delete(pid);
      told.set(pid, group);
      text += `+ ${pid} ${startTime}\n`;
    }
    if (text !== "") child.stdin?.write(text);
  };
  const tellSoon = () => {
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      tell(performance.now() - SOON_MS);
      if (young.size > 0 && child !== undefined) tellSoon();
    }, SOON_MS);
    if (typeof timer === "object") timer.unref();
  };
  const fail = (cause: Error) => {
    missing = isMissing(cause);
    if (!failed) onFailure(cause);
    failed = true;
  };
  const begin = () => {
    if (closed || missing || child !== undefined) return;
    const startedAt = performance.now();
    const begun = start(options, fail);
    if (begun?.pid === undefined) return;
    child = begun;
    tell(startedAt);
    whenExited(begun, () => {
      if (closed) return;
      child = undefined;
      over.clear();
      young = new Map([...told, ...young]);
      told.clear();
      if (young.size > 0 && performance.now() - startedAt >= STABLE_MS) begin();
    });
  };
  return {
    start: begin,
    register: (leader) => {
      begin();
      young.set(leader.pid, { leader, startedAt: performance.now() });
      if (findsByItself()) tellSoon();
      else tell(Number.POSITIVE_INFINITY);
    },
    release: (group) => {
      // One that came and went meanwhile it need not hear of.
      if (young.delete(group)) return;
      told.delete(group);
      over.add(group);
      tellSoon();
    },
    close: () => {
      clearTimeout(timer);
      if (!closed) child?.stdin?.write("q\n");
      closed = true;
      child?.stdin?.end();
    },
  };
}

/** A process group of the host's. */
interface Group {
  readonly leader: ProcessIdentity;
  readonly startedAt: number;
}

/** One that ended earlier would end again. */
const STABLE_MS = 1_000;

/**
 * To tell it at once takes longer than all else that a short command costs. Until it is told, the
 * mark and the output pipe lead to what the command started, where it can look for them; and a
 * number that is over takes far longer to come round again.
 */
const SOON_MS = 10;

/** Whether the watchdog has what it needs to look for who carries the mark or holds a pipe. */
function findsByItself(): boolean {
  const path = process.env["PATH"] ?? "";
  return found ??= ["grep", "ls", "sed", "tr"].every((name) =>
    findProgram(name, path) !== undefined
  );
}
let found: boolean | undefined;

function start(
  { runtimeId, graceSeconds = 5, marks = {} }: WatchdogOptions,
  onFailure: (cause: Error) => void,
): ChildProcess | undefined {
  const name = "shellflow-watchdog";
  const path = process.env["PATH"] ?? "";
  // Where there is no sh, to start it says so, and bash could not.
  const bash = findProgram("sh", path) === undefined ? undefined : findProgram("bash", path);
  const [program, ...args] = alone(
    ["sh", "-c", PROGRAM, name, runtimeId, String(graceSeconds), ownIdentity()],
    { name, bash },
  );
  try {
    const child = spawn(program, args, {
      env: { ...process.env, ...marks },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      cwd: "/",
    });
    child.once("error", onFailure);
    child.stdin?.on("error", () => {}); // it is gone, which "error" or its exit told
    if (child.pid === undefined) return child; // Deno has nothing to let go of then
    child.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
    return child;
  } catch (cause) {
    onFailure(cause instanceof Error ? cause : new Error(String(cause)));
    return undefined;
  }
}

/** This process, as the watchdog is to know it: `PID:START`. */
function ownIdentity(): string {
  return `${process.pid}:${procTable().info(process.pid)?.startTime ?? ""}`;
}

function isMissing(cause: Error): boolean {
  return "code" in cause && cause.code === "ENOENT";
}
