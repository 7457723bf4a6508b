import type { ChildProcess } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import type { FifoPool } from "../pipe/fifo-pool.ts";
import { pathOf } from "./path-of.ts";

/** How a shell tells that a command has ended. */
export interface ReportChannel {
  /** Where it reports to. */
  readonly path: string;
  close(): void;
}

/**
 * Open the channel of a shell that was just started, with a standard output of its own on Deno.
 *
 * Node polls a FIFO. Deno cannot, but its child's standard output is a pipe that it polls: the shell
 * lets go of it at its start, and gets it again by a path, as our own descriptor holds it open.
 */
export function reportChannel(
  child: ChildProcess,
  pool: FifoPool,
  take: (text: string) => void,
): ReportChannel {
  if (child.stdout) {
    const fd = openSync(`/proc/${child.pid}/fd/1`, constants.O_WRONLY);
    const { stdout } = child;
    stdout.setEncoding("utf8").on("data", take).on("error", () => {});
    return {
      path: pathOf(fd),
      close: () => {
        closeSync(fd);
        stdout.destroy();
      },
    };
  }
  const held = pool.take();
  const fd = openSync(pathOf(held), constants.O_RDWR | constants.O_NONBLOCK);
  const socket = new Socket({ fd, readable: true, writable: false });
  socket.setEncoding("utf8").on("data", take).on("error", () => {});
  return {
    path: pathOf(held),
    close: () => {
      socket.destroy();
      pool.giveBack(held, false);
    },
  };
}
