import type { ExitStatus, ProcessIdentity } from "../process/processes.ts";

/** How a shell that lives on is started. */
export interface ShellSpec {
  readonly file: string;
  /** The arguments, which have to tell it where its host is to be found. */
  readonly args: (paths: ShellPaths) => readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What stands at the end of each report. */
  readonly endOfReport: string;
}

/** Where a shell finds what its host has for it. */
export interface ShellPaths {
  /** A pipe: a line for each order; its end tells that the host is gone. */
  readonly bell: string;
  /** A file: the order. */
  readonly orders: string;
  /** A file for what the shell has to remember. */
  readonly memory: string;
  /** A file for what the shell prints outside of every command; emptied with each order. */
  readonly strays: string;
}

/** How a shell calls back; never before `start` has returned. */
export interface ShellEvents {
  /** A report, without its end; all that commands in the foreground had written is in their pipes by then. */
  readonly report: (text: string) => void;
  /** It ended, and its last report was told. */
  readonly exit: (status: ExitStatus) => void;
  /** It could not start; nothing else follows. */
  readonly error: (cause: Error) => void;
}

/** A shell that was started here. */
export interface LiveShell extends ProcessIdentity {
  /** Where it reports to. */
  readonly report: string;
  /** It takes no orders any more; `events.exit` follows, after the reports that are still on their way. */
  readonly ended: boolean;
  /**
   * Before an order whose end is due soon: fill a file that it empties to tell no more than success.
   *
   * @param lowered Called once it has done so, unless `lookAway` was called before.
   * @returns The path of the file; `undefined` where nobody can look for that closely.
   */
  raiseFlag(lowered: () => void): string | undefined;
  /** Look for that at once. */
  lookNow(): void;
  /** Look for it no more. */
  lookAway(): void;
  /** Give it an order, and ring. */
  send(order: string): void;
  /** Ring once more for the last order, which a shell that was just reborn may have missed; it takes none twice. */
  ring(): void;
  /** Whether it has not taken its last order. */
  unread(): boolean;
  /** What it has printed outside of every command since the last order. */
  strays(): Uint8Array;
  /**
   * The directory it is in: as it says itself, unless the system knows of another; and whether that was
   * removed, and its path leads to another one by now.
   */
  directory(said: string): { readonly path: string; readonly replaced: boolean };
  /** The pids of its children; absent where the system does not tell. */
  children(): readonly number[] | undefined;
  /** The files whose code is loaded into it; none where the system does not tell. */
  objects(): readonly string[];
  /** Free what the host holds for it; not before its end. */
  close(): void;
}

/** The pipe of one command in a shell. */
export interface CommandOutput {
  /** Where the shell writes to. */
  readonly path: string;
  /** What a link in /proc/PID/fd shows for it. */
  readonly name: string;
  /** Read what there is, and from time to time what comes, while the command goes on. */
  follow(): void;
  /**
   * The command has ended: read all that is left; answers whether nobody can write any more.
   *
   * @param rest What it printed elsewhere, which comes after that.
   */
  finish(rest?: Uint8Array): boolean;
  /** After `finish`: read what others still write, until nobody can; `events.end` tells of it. */
  linger(): void;
  pause(): void;
  resume(): void;
  /** Read no more, whoever still writes; `events.end` follows after `linger`. */
  release(): void;
}

/** How the pipe of a command calls back. */
export interface CommandOutputEvents {
  /** The chunk is valid only during the call. */
  readonly data: (chunk: Uint8Array) => void;
  /** Nobody holds it any more, or it was released. */
  readonly end: () => void;
}

/** Shells that live on, and the pipes of their commands. */
export interface Shells {
  /** Why none can be kept alive here; `undefined` when they can. */
  readonly unavailable: string | undefined;
  /** Start a shell; `undefined` when it could not: then `events.error` follows. */
  start(spec: ShellSpec, events: ShellEvents): LiveShell | undefined;
  /** A pipe for one command. */
  output(events: CommandOutputEvents): CommandOutput;
  close(): void;
}
