import type { RuntimeEvent } from "../../../src/event/event.ts";
import type { RuntimeOptions } from "../../../src/runtime/options/options.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import type { RunOptions } from "../../../src/runtime/call/request.ts";
import type { Running, Runtime } from "../../../src/runtime/runtime.ts";
import { cleanUp } from "../../clean-up.ts";
import { until } from "../../until.ts";

/** A runtime, and what it has recorded. */
export interface TerminalWorld {
  readonly runtime: Runtime;
  readonly events: readonly RuntimeEvent[];
  /** Start a command on a terminal of 80 x 24, and wait until it runs. */
  start(command: string, options?: RunOptions): Promise<Interactive>;
}

/** A command with input. */
export interface Interactive extends Running {
  type(keys: string): Promise<void>;
  /** The text of its screen. */
  text(): Promise<string>;
  /** Wait until its screen has a text. */
  shows(pattern: RegExp): Promise<void>;
  /** Wait until it waits for input; answers what the event says. */
  waits(): Promise<RuntimeEvent & { readonly type: "execution.waitingForInput" }>;
}

export async function terminalWorld(options: RuntimeOptions = {}): Promise<TerminalWorld> {
  const runtime = await createRuntime({ mode: "bypass", graceMs: 300, ...options });
  cleanUp(() => runtime.close());
  const events: RuntimeEvent[] = [];
  runtime.events.subscribe(({ event }) => void events.push(event));
  return {
    runtime,
    events,
    start: async (command, options = {}) => {
      const running = runtime.start(command, { pty: { columns: 80, rows: 24 }, ...options });
      if (await running.output === undefined) {
        throw new Error(
          `"${command}" does not run: ${JSON.stringify((await running.result).outcome)}`,
        );
      }
      const { taskId } = running;
      const text = async () => (await runtime.screen(taskId)).lines.join("\n");
      return {
        ...running,
        text,
        type: (keys) => runtime.input(taskId, { keys }),
        shows: async (pattern) => {
          let shown = "";
          const look = async () => shown = await text().catch(() => "");
          await until(() => {
            void look();
            return pattern.test(shown);
          }, 20);
        },
        waits: async () => {
          const waiting = () => runtime.tasks.current.byId.get(taskId)?.waitingForInput;
          await until(() => waiting() !== undefined);
          return { type: "execution.waitingForInput", commandId: taskId, ...waiting() };
        },
      };
    },
  };
}
