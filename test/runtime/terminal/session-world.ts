import type { RuntimeEvent } from "../../../src/event/event.ts";
import type { RuntimeOptions } from "../../../src/runtime/options.ts";
import type { RunOptions } from "../../../src/runtime/call/request.ts";
import type { RunResult } from "../../../src/runtime/call/result.ts";
import { type Interactive, type TerminalWorld, terminalWorld } from "./world.ts";

/** A session whose commands share one bash on one terminal. */
export interface TerminalSession extends Pick<TerminalWorld, "runtime" | "events"> {
  readonly sessionId: string;
  run(command: string, options?: RunOptions): Promise<RunResult>;
  /** Start a command, and wait until it runs. */
  start(command: string, options?: RunOptions): Promise<Interactive>;
  /** What has happened of some kind. */
  all<T extends RuntimeEvent["type"]>(type: T): readonly (RuntimeEvent & { readonly type: T })[];
}

/** Open a session on a terminal of 80 x 24. */
export async function terminalSession(
  options: RuntimeOptions = {},
  world?: TerminalWorld,
): Promise<TerminalSession> {
  const { runtime, events, start } = world ?? await terminalWorld(options);
  const sessionId = `session ${++count}`;
  const own = { sessionId, pty: { columns: 80, rows: 24 }, executor: "shell" } as const;
  return {
    runtime,
    events,
    sessionId,
    run: (command, options) => runtime.run(command, { ...own, ...options }),
    start: (command, options) => start(command, { ...own, ...options }),
    all: (type) => events.filter((event) => isOf(event, type)),
  };
}

let count = 0;

function isOf<T extends RuntimeEvent["type"]>(
  event: RuntimeEvent,
  type: T,
): event is RuntimeEvent & { readonly type: T } {
  return event.type === type;
}
