import { closeSync, constants, openSync } from "node:fs";
import { keepEnds } from "../process/keep-ends.ts";
import { signalName } from "../process/signals/signal-numbers.ts";
import { whyNotStarted } from "../process/start/start.ts";
import { identify, procTable } from "../process/table/proc-table.ts";
import { foreground } from "./foreground.ts";
import { lineSettings } from "./line-settings.ts";
import type { Forked, Pty } from "./load-pty.ts";
import { closeOnExec, writeMaster } from "./master-calls.ts";
import { readMaster } from "./master-reader.ts";
import type { Terminal, Terminals, TerminalSpec } from "./terminals.ts";
import { attempt } from "../failure.ts";
import { writeAvailable } from "../non-blocking.ts";
import { writeInOrder } from "../write-in-order.ts";

/** Open pseudo-terminals of this machine by node-pty. */
export function hostTerminals(pty: Pty): Terminals {
  const table = procTable();
  keepEnds();
  return {
    open: (spec, events) => {
      // The child could only print on the terminal that it cannot start.
      const problem = whyNotStarted(spec);
      if (problem !== undefined) throw new Error(problem);
      const { fd, pid, pty: device } = fork(pty, spec, (code, signal) => {
        held.close();
        events.exit(
          signal === 0 ? { code, signal: null } : { code: null, signal: signalName(signal) },
        );
      });
      closeOnExec(fd);
      const held = hold(device);
      const identity = identify(pid, table);
      const reader = readMaster(fd, events);
      const write = writeInOrder((bytes) => {
        // Its number may belong to another file by now.
        if (reader.closed) throw new Error("its processes have closed it, or it was released");
        return writeMaster(fd, bytes);
      });
      return {
        ...identity,
        get outputPipe() {
          return reader.closed ? undefined : device;
        },
        pause: reader.pause,
        resume: reader.resume,
        release: () => {
          held.close();
          reader.release();
        },
        write: (bytes) =>
          write(bytes).catch((cause) => {
            throw new Error("Cannot write to the terminal: it is closed", { cause });
          }),
        print: held.print,
        foreground: (processes) => foreground({ pid, device }, processes),
        settings: () => reader.closed ? Promise.resolve(undefined) : lineSettings(device),
        resize: ({ columns, rows }) => {
          if (!reader.closed) pty.resize(fd, columns, rows, 0, 0);
        },
      };
    },
  };
}

/**
 * Keep a terminal open until its leader has exited. One that closes it earlier, as many programs do at
 * their end, would look like the end of the output, and be killed by the hang-up that follows.
 */
function hold(device: string): Pick<Terminal, "print"> & { close(): void } {
  const flags = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;
  // Too many files may be open, or it is gone.
  let held = attempt(() => openSync(device, flags));
  return {
    print: (bytes) => held === undefined ? undefined : writeAvailable(held, bytes),
    close: () => {
      if (held !== undefined) closeSync(held);
      held = undefined;
    },
  };
}

function fork(
  pty: Pty,
  { file, args, env, cwd, size }: TerminalSpec,
  onExit: (code: number, signal: number) => void,
): Forked {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const { columns, rows } = size;
  try {
    return pty.fork(file, args, variables, cwd, columns, rows, -1, -1, true, "", onExit);
  } catch (cause) {
    // The system has one word for all of these.
    const why =
      "devpts is not mounted, or there are too many terminals (/proc/sys/kernel/pty/max), " +
      "files (ulimit -n) or processes (ulimit -u): close some, or raise the limit";
    throw new Error(`no pseudo-terminal can be opened: ${why}`, { cause });
  }
}
