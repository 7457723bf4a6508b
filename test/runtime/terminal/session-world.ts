import process from "node:process";
import type { RuntimeEvent } from "../../../src/event/event.ts";
import type { RuntimeOptions } from "../../../src/runtime/options/options.ts";
import type { RunOptions } from "../../../src/runtime/call/request.ts";
import type { RunResult } from "../../../src/runtime/call/result.ts";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import { type Interactive, type TerminalWorld, terminalWorld } from "./world.ts";

/** A shell that is kept on a terminal. */
export type SessionShellName = Bourne | "fish";

type Bourne = "bash" | "zsh";

/** Those that this machine has, and whose lines are much the same. */
export const SHELLS: readonly Bourne[] = isHere("zsh") ? ["bash", "zsh"] : ["bash"];

/** Whether this machine has a program. */
export function isHere(program: string): boolean {
  return findProgram(program, process.env["PATH"] ?? "") !== undefined;
}

/** What a session on a terminal may have for itself. */
export interface TerminalSessionOptions {
  /** Default: that of all sessions with this shell, or one of its own where it has options. */
  readonly world?: TerminalWorld;
  /** Default bash. The lines of others are those of the person, as those of a model are always bash. */
  readonly shell?: SessionShellName;
}

/** A session whose commands share one shell on one terminal. */
export interface TerminalSession extends Pick<TerminalWorld, "runtime" | "events"> {
  readonly sessionId: string;
  run(command: string, options?: RunOptions): Promise<RunResult>;
  /** Start a command, and wait until it runs. */
  start(command: string, options?: RunOptions): Promise<Interactive>;
  /** What has happened of some kind since it was opened. */
  all<T extends RuntimeEvent["type"]>(type: T): readonly (RuntimeEvent & { readonly type: T })[];
}

/** Open a session on a terminal of 80 x 24. */
export async function terminalSession(
  options: RuntimeOptions = {},
  { world, shell = "bash" }: TerminalSessionOptions = {},
): Promise<TerminalSession> {
  const { runtime, events, start } = await (world ?? worldOf(shell, options));
  const before = events.length;
  const sessionId = `session ${++count}`;
  const own = {
    sessionId,
    pty: { columns: 80, rows: 24 },
    executor: "shell",
    origin: shell === "bash" ? "model" : "user",
  } as const;
  return {
    runtime,
    events,
    sessionId,
    run: (command, options) => runtime.run(command, { ...own, ...options }),
    start: (command, options) => start(command, { ...own, ...options }),
    all: (type) => events.slice(before).filter((event) => isOf(event, type)),
  };
}

/** What a command printed, without the numbers of the jobs that zsh shows when they start. */
export function withoutJobs({ output }: Pick<RunResult, "output">): string {
  return output.replace(/^\[\d+\] \d+\r\n/gm, "");
}

/** To start one takes longer than most tests. */
const shared = new Map<SessionShellName, Promise<TerminalWorld>>();

function worldOf(shell: SessionShellName, options: RuntimeOptions): Promise<TerminalWorld> {
  if (Object.keys(options).length > 0) return startWorld(shell, options);
  const known = shared.get(shell) ?? startWorld(shell, options);
  shared.set(shell, known);
  return known;
}

async function startWorld(
  shell: SessionShellName,
  options: RuntimeOptions,
): Promise<TerminalWorld> {
  if (shell === "bash") return await terminalWorld(options);
  const before = process.env["SHELL"];
  process.env["SHELL"] = shell;
  try {
    return await terminalWorld({ ...options, userShell: "detect" });
  } finally {
    if (before === undefined) delete process.env["SHELL"];
    else process.env["SHELL"] = before;
  }
}

let count = 0;

function isOf<T extends RuntimeEvent["type"]>(
  event: RuntimeEvent,
  type: T,
): event is RuntimeEvent & { readonly type: T } {
  return event.type === type;
}
