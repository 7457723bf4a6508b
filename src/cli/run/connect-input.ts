import type { Stdio } from "../../platform/stdio.ts";
import { DEFAULT_SIZE, type TerminalSize } from "../../platform/terminal/terminals.ts";
import type { RunOptions } from "../../runtime/call/request.ts";
import type { Running, Runtime } from "../../runtime/runtime.ts";
import { Screen } from "../../screen/screen.ts";
import type { RunCommandOptions } from "./run-options.ts";

/** The input of `shellflow run`: what is asked of the runtime for it, and what connects it. */
export interface InputConnection {
  readonly request: Pick<RunOptions, "pty" | "input">;
  readonly out: Stdio["out"];
  connect(runtime: Runtime, running: Running): void;
  /** Restore the terminal, after the output. Idempotent. */
  disconnect(): Promise<void>;
}

/**
 * Connect what is typed, or comes through a pipe, to a command: what a shell has connected it inherits,
 * so that it takes no more than it reads.
 *
 * @param world Where it comes from, and whether commands can have terminals.
 */
export function inputConnection(
  { pty = false, input = false, detach = false }: RunCommandOptions,
  { stdio: { ownTerminal, connected = false, stdin, out }, terminals }: {
    readonly stdio: Stdio;
    readonly terminals: boolean;
  },
): InputConnection {
  const person = pty ? ownTerminal() : undefined;
  // A command that can have none gets lines, and Ctrl-C stays a signal: no key would become one there.
  const own = terminals ? person : undefined;
  const first = own?.size();
  // It follows the modes that the command leaves its terminal in.
  const screen = own &&
    new Screen({ size: DEFAULT_SIZE, createEmulator: undefined, answer: () => {} });
  let stop = () => {};
  let over = false;
  return {
    request: {
      ...(pty && { pty: first === undefined || { ...first, passThrough: true } }),
      ...(input ? { input } : connected && !pty && !detach && { input: "inherit" }),
    },
    out: (data) => {
      if (typeof data !== "string") screen?.write(data);
      return out(data);
    },
    connect: (runtime, { taskId, output }) => {
      const write = (bytes: Uint8Array, end = false) =>
        runtime.input(taskId, bytes, { end, origin: "user" });
      const reader = { data: write, end: () => write(new Uint8Array(0), true) };
      // A question about the command is answered before.
      void output.then((log) => {
        if (log === undefined || over) return;
        if (own === undefined) {
          if (input || person !== undefined) stop = stdin(reader);
          // As without a terminal: no input can come.
          else if (pty) reader.end().catch(() => {}); // it has just ended
          return;
        }
        const resized = (size: TerminalSize) => {
          runtime.resize(taskId, size).catch(() => {}); // it has just ended
        };
        stop = own.passThrough(reader, resized);
        const now = own.size();
        // It changed while the command was started.
        if (now.columns !== first?.columns || now.rows !== first.rows) resized(now);
      });
    },
    disconnect: async () => {
      if (over) return;
      over = true;
      stop();
      if (screen !== undefined) await out(undone(screen));
    },
  };
}

/** Switch off what a program has left on, when it was ended. */
function undone({ modes }: Screen): string {
  return [
    modes.alternate ? "\x1b[?1049l" : "",
    modes.bracketedPaste ? "\x1b[?2004l" : "",
    modes.applicationCursor ? "\x1b[?1l" : "",
    modes.kittyKeyboard === 0 ? "" : "\x1b[=0u",
    modes.cursorVisible ? "" : "\x1b[?25h",
  ].join("");
}
