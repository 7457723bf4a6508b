import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import process from "node:process";
import { systemClock } from "../clock.ts";
import { canLookClosely } from "./look-closely.ts";
import { POLLS_PIPES } from "../pipe/read-pipe.ts";
import { hasRealPipes } from "../pipe/pipes.ts";
import { type FifoPool, fifoPool } from "../pipe/fifo-pool.ts";
import { withSpareDescriptor } from "../file/spare-descriptor.ts";
import { keepEnds } from "../process/keep-ends.ts";
import { isOfOtherProcesses, procTable } from "../process/table/proc-table.ts";
import { whenExited } from "../process/when-exited.ts";
import { FifoOutput } from "./command-output.ts";
import { FlagFile } from "./flag-file.ts";
import { OutputFifos } from "./output-fifos.ts";
import { pathOf } from "./path-of.ts";
import { type ReportChannel, reportChannel } from "./report-channel.ts";
import { unnamedFile } from "./unnamed-file.ts";
import type { LiveShell, ShellEvents, Shells, ShellSpec } from "./shells.ts";

/**
 * The shells that this machine keeps alive for us.
 *
 * Every channel between the host and a shell is a path below /proc that the shell opens for one
 * redirection. It needs nothing of what a command could close, and nothing of it is on disk.
 *
 * @param label Part of the names of the pipes, so that whoever holds one is found.
 */
export function hostShells(label: string): Shells {
  keepEnds();
  const pool = fifoPool(label);
  const fifos = new OutputFifos(pool);
  return {
    unavailable: unreachable(),
    start: (spec, events) => startShell(spec, events, pool),
    output: (events) => new FifoOutput(fifos, events),
    close: () => {
      fifos.close();
      pool.close();
    },
  };
}

/** Why another process cannot open by a path what this one has open; `undefined` when it can. */
function unreachable(): string | undefined {
  if (!hasRealPipes()) return "shells are kept alive over /proc, which is not here";
  if (isOfOtherProcesses("/proc")) {
    return "shells are kept alive over /proc, which is that of another pid namespace here";
  }
  // The system gives it away where it shows nobody what is open, as of one that has changed its user.
  if (statSync("/proc/self/fd").uid !== process.geteuid?.()) {
    return "shells are kept alive over /proc, where the system hides the files of this process";
  }
  return undefined;
}

function startShell(spec: ShellSpec, events: ShellEvents, pool: FifoPool): LiveShell | undefined {
  const held = pool.take();
  const fds: number[] = [];
  const keep = (fd: number) => {
    fds.push(fd);
    return fd;
  };
  let flag: FlagFile | undefined;
  let channel: ReportChannel | undefined;
  let closed = false;
  const close = () => {
    if (closed) return;
    closed = true;
    channel?.close();
    flag?.close();
    for (const fd of fds) closeSync(fd);
    pool.giveBack(held, false);
  };
  const [bell, orders, memory, strays] = (() => {
    try {
      flag = canLookClosely ? new FlagFile() : undefined;
      const bell = keep(openSync(pathOf(held), constants.O_RDWR | constants.O_NONBLOCK));
      return [bell, keep(unnamedFile()), keep(unnamedFile()), keep(unnamedFile())] as const;
    } catch (cause) {
      close();
      throw cause;
    }
  })();
  const write = orderWriter(orders);
  // Nothing was printed there since it was emptied.
  let clean = false;
  const report = (text: string) => {
    clean = false;
    events.report(text);
  };
  let child: ChildProcess | undefined;
  const fail = (cause: unknown) => {
    close();
    events.error(cause instanceof Error ? cause : new Error(String(cause)));
  };
  const paths = {
    bell: pathOf(bell),
    orders: pathOf(orders),
    memory: pathOf(memory),
    strays: pathOf(strays),
  };
  try {
    const command = [spec.file, ...spec.args(paths)];
    const [file = "", ...args] = POLLS_PIPES ? command : [...GATE, paths.bell, ...command];
    child = spawn(file, args, {
      cwd: spec.cwd,
      env: { ...spec.env },
      stdio: ["ignore", POLLS_PIPES ? "ignore" : "pipe", "ignore"],
      detached: true,
    });
    if (child.pid !== undefined) {
      channel = reportChannel(child, pool, splitter(spec.endOfReport, report));
      if (!POLLS_PIPES) writeSync(bell, "\n");
    }
  } catch (cause) {
    queueMicrotask(() => fail(cause));
    return undefined;
  }
  if (child.pid === undefined || channel === undefined) {
    child.once("error", fail);
    return undefined;
  }
  const { pid } = child;
  let ended = false;
  whenExited(child, (status) => {
    ended = true;
    // An end is heard before what waits in a pipe, as after a stall.
    systemClock.after(0, () => {
      flag?.look();
      events.exit(status);
    });
  });
  const startTime = procTable().info(pid)?.startTime;
  return {
    pid,
    ...(startTime !== undefined && { startTime }),
    report: channel.path,
    get ended() {
      return ended;
    },
    raiseFlag: (lowered) =>
      flag?.raise(() => {
        clean = true;
        lowered();
      }),
    lookNow: () => void flag?.look(),
    lookAway: () => flag?.forget(),
    send: (order) => {
      if (!clean) ftruncateSync(strays, 0);
      clean = false;
      write(order);
      writeSync(bell, "\n");
      flag?.lookOut();
    },
    ring: () => {
      takeRing(bell);
      writeSync(bell, "\n");
    },
    unread: () => takeRing(bell),
    strays: () => withSpareDescriptor(() => readFileSync(pathOf(strays))),
    directory: (said) => {
      const own = `/proc/${pid}/cwd`;
      try {
        const found = readlinkSync(own);
        if (found === said || isSameFile(own, said)) return { path: said, replaced: false };
        const path = found.replace(/ \(deleted\)$/, "");
        return { path, replaced: path !== found && existsSync(path) };
      } catch {
        return { path: said, replaced: false };
      }
    },
    children: () => {
      try {
        const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
        return text.split(" ").filter(Boolean).map(Number);
      } catch {
        return undefined;
      }
    },
    objects: loadedObjects(pid),
    close,
  };
}

/** Asks for the whole list only when the process has another size: to load something changes that. */
function loadedObjects(pid: number): () => readonly string[] {
  let size: string | undefined;
  let objects: readonly string[] = [];
  return () => {
    try {
      const [now] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ", 1);
      if (now === size) return objects;
      const maps = readFileSync(`/proc/${pid}/maps`, "utf8");
      objects = [...maps.matchAll(/^\S+ ..x. \S+ \S+ \S+ +(\/.+)$/gm)].map(([, path = ""]) => path);
      size = now;
    } catch {
      // It is gone.
    }
    return objects;
  };
}

/** Answers whether there was one that nobody had heard. */
function takeRing(bell: number): boolean {
  try {
    return readSync(bell, new Uint8Array(1)) > 0;
  } catch {
    return false;
  }
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && a.ino === b?.ino && a.dev === b.dev;
}

/** Holds a shell back until the host has opened its standard output, as the shell lets go of that at its start. */
const GATE = ["/bin/sh", "-c", 'read -r _ <"$0" && exec "$@"'];

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

/** Write an order in place of the one before. */
function orderWriter(fd: number): (order: string) => void {
  const encoder = new TextEncoder();
  let length = 0;
  return (order) => {
    const bytes = encoder.encode(order);
    if (bytes.length < length) ftruncateSync(fd, 0);
    length = bytes.length;
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
  };
}
