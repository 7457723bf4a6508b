import type { ExitStatus, ProcessIdentity } from "../process/processes.ts";
import type { Terminals, TerminalSize } from "../terminal/terminals.ts";
import type { PipeEvents } from "../pipe/pipe-reader.ts";
import type { OutputPipe } from "../pipe/pipes.ts";
import type { ShellTerminal } from "./shell-terminal.ts";

/** How a persistent shell is started. */
export interface ShellSpec {
  readonly file: string;
  /** The arguments, which name the paths of its channels. */
  readonly args: (channels: ChannelPaths) => readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables that name the paths of its channels. */
  readonly channelVariables?: (channels: ChannelPaths) => Readonly<Record<string, string>>;
  /** It is interactive, on a terminal of its own; absent: it has none. */
  readonly terminal?: { readonly terminals: Terminals; readonly size: TerminalSize };
}

/**
 * Where a shell reads from its host. Each path is opened for one redirection and closed after it: what
 * a command inherits or closes has nothing to do with them.
 */
export interface ChannelPaths {
  /** A pipe: two lines for each order, its number twice. Its end means that the host is gone. */
  readonly bell: string;
  /** A file: the order. */
  readonly orders: string;
  /** A pipe: what has become of the shell, written before it reports. */
  readonly state: string;
}

/** How a shell calls back; never before `start` has returned. */
export interface ShellEvents {
  /** A line of a report, and the state before it; all that commands in the foreground wrote is in their pipes by then. */
  readonly report: (line: string, state: string) => void;
  /** It ended; no report follows. */
  readonly exit: (status: ExitStatus) => void;
  /** It could not start; nothing else follows. */
  readonly error: (cause: Error) => void;
}

/** A shell that was started here. */
export interface LiveShell extends ProcessIdentity {
  /** Absent: it is not interactive. */
  readonly terminal?: ShellTerminal | undefined;
  /** The path of its reports. */
  readonly reports: string;
  /** It takes no orders any more; `events.exit` follows. */
  readonly ended: boolean;
  /** Write an order, and ring. */
  send(order: string, number: number): void;
  /** Take back what it has not read of the bell; answers whether it had not begun with the order. */
  takeBack(): boolean;
  /**
   * The directory it is in: as the shell says itself, unless that is another one for the system.
   *
   * @param said What the shell says.
   */
  directory(said: string): string;
  /** Whether it is elsewhere, or its directory has another name, than at the last call of `directory`. */
  moved(): boolean;
  /** The pids of its children; none where the system does not say. */
  children(): readonly number[];
  /** Free what the host holds for it; not before its end. */
  close(): void;
}

/** Persistent shells, and the pipes of their commands. */
export interface Shells {
  /** Why there can be none here; `undefined` when there can. */
  readonly unavailable: string | undefined;
  /** How many may run before they hold half of the files that this process may open. */
  readonly most: number;
  /** Start a shell; `undefined` when it could not: then `events.error` follows. */
  start(spec: ShellSpec, events: ShellEvents): LiveShell | undefined;
  /** An output pipe for one command. */
  output(events: PipeEvents): OutputPipe;
  close(): void;
}
