import type { ChildProcess } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { Socket } from "node:net";
import process from "node:process";
import type { FifoPool } from "../pipe/fifo-pool.ts";
import { canStayAwake, stayAwake } from "../stay-awake.ts";

/** How long a report that is due soon is waited for without sleep, in milliseconds: several times what it takes. */
const SOON_MS = 1;
/** The longest pause between two looks for one that is late, in milliseconds. */
const LONGEST_PAUSE_MS = 10;

/** How another process reaches a descriptor of ours. */
export const pathOf = (fd: number): string => `/proc/${process.pid}/fd/${fd}`;

/** How a shell tells that a command has ended. */
export interface ReportChannel {
  /** Where it reports to. */
  readonly path: string;
  /** And where it does so when the report is looked out for. */
  readonly soonPath: string;
  /** A report is due there in less time than the event loop takes to fall asleep and wake up. */
  lookOut(): void;
  /** Look for the last time, as the shell has ended. */
  lookOnce(): void;
  close(): void;
}

/** What comes out of a channel. */
export interface Reports {
  /** What stands at the end of each report. */
  readonly end: string;
  readonly report: (text: string) => void;
}

/**
 * Open the channel of a shell that was just started, with a standard output of its own on Deno.
 *
 * Node polls a FIFO. Deno cannot, but its child's standard output is a pipe that it polls: the shell
 * lets go of it at its start, and gets it again by a path, as our own descriptor holds it open. That
 * takes it a while, and what is due soon has a FIFO that is looked at.
 */
export function reportChannel(
  child: ChildProcess,
  pool: FifoPool,
  { end, report }: Reports,
): ReportChannel {
  let rest = () => {};
  const each = (text: string) => {
    rest();
    report(text);
  };
  const take = splitter(end, each);
  if (child.stdout === null) {
    const held = pool.take();
    const fd = openSync(pathOf(held), constants.O_RDWR | constants.O_NONBLOCK);
    const socket = new Socket({ fd, readable: true, writable: false });
    socket.setEncoding("utf8").on("data", take).on("error", () => {});
    const path = pathOf(held);
    return {
      path,
      soonPath: path,
      lookOut: () => {
        rest();
        rest = stayAwake(SOON_MS);
      },
      lookOnce: () => {},
      close: () => {
        rest();
        socket.destroy();
        pool.giveBack(held, false);
      },
    };
  }
  const { stdout } = child;
  const fd = openSync(`/proc/${child.pid}/fd/1`, constants.O_WRONLY);
  stdout.setEncoding("utf8").on("data", take).on("error", () => {});
  const path = pathOf(fd);
  const soon = canStayAwake ? lookedAt(pool, splitter(end, each)) : undefined;
  return {
    path,
    soonPath: soon?.path ?? path,
    lookOut: () => {
      rest();
      if (soon !== undefined) rest = soon.lookOut();
    },
    lookOnce: () => soon?.look(),
    close: () => {
      rest();
      soon?.close();
      closeSync(fd);
      stdout.destroy();
    },
  };
}

/** Looks without sleep at first, and at intervals for what is late, as on a busy machine. */
function lookedAt(pool: FifoPool, take: (text: string) => void) {
  const held = pool.take();
  const path = pathOf(held);
  // Without a writer it tells of nothing, and of no error, in as little time as there is.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const bytes = new Uint8Array(256);
  const decoder = new TextDecoder();
  const look = () => {
    let length: number;
    try {
      length = readSync(fd, bytes, 0, bytes.length, null);
    } catch {
      // It is just being written.
      return;
    }
    if (length > 0) take(decoder.decode(bytes.subarray(0, length)));
  };
  return {
    path,
    look,
    /** Answers how to give up. */
    lookOut: () => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      let over = false;
      const lookIn = (ms: number) => {
        timer = setTimeout(() => {
          look();
          if (!over) lookIn(Math.min(LONGEST_PAUSE_MS, ms * 2));
        }, ms);
      };
      const sleep = stayAwake(SOON_MS, { look, late: () => lookIn(SOON_MS) });
      return () => {
        over = true;
        sleep();
        clearTimeout(timer);
      };
    },
    close: () => {
      closeSync(fd);
      pool.giveBack(held, false);
    },
  };
}

/** Cut a stream of text at a mark. */
function splitter(mark: string, each: (text: string) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const searched = Math.max(0, rest.length - mark.length);
    rest += text;
    for (let at = rest.indexOf(mark, searched); at >= 0; at = rest.indexOf(mark)) {
      const whole = rest.slice(0, at);
      rest = rest.slice(at + mark.length);
      each(whole);
    }
  };
}
