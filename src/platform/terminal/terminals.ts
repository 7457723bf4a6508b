import type { ChildProcess, ProcessEvents, ProcessTable, SpawnSpec } from "../process/processes.ts";
import type { ForegroundWait } from "./foreground.ts";
import type { LineSettings } from "./line-settings.ts";

/** The size of a terminal in characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The size of a terminal that is not a person's. */
export const DEFAULT_SIZE: TerminalSize = { columns: 200, rows: 50 };
/** The largest terminal. */
export const LARGEST_SIZE: TerminalSize = { columns: 500, rows: 200 };

/** What to start on a new pseudo-terminal, as the leader of the session that it controls. */
export interface TerminalSpec extends Pick<SpawnSpec, "file" | "args" | "cwd" | "env"> {
  readonly size: TerminalSize;
}

/** How a terminal calls back; never before `open` has returned. */
export type TerminalEvents = Pick<ProcessEvents, "data" | "end" | "exit">;

/** A pseudo-terminal and the process that was started on it. */
export interface Terminal extends ChildProcess {
  /**
   * The device that processes on it have open, such as /dev/pts/3; a link in /proc shows it. Absent once
   * it is closed: the next terminal of the machine may get its number.
   */
  readonly outputPipe?: string | undefined;
  /**
   * Type bytes; resolves once the kernel has taken all of them, and never blocks.
   *
   * @throws {Error} When the terminal is closed, before or meanwhile.
   */
  write(bytes: Uint8Array): Promise<void>;
  /**
   * Print bytes as one of its processes would, after all that was printed before; never blocks.
   *
   * @returns How many bytes the kernel took, or `undefined` when it can take none any more.
   */
  print(bytes: Uint8Array): number | undefined;
  /** How its foreground process group waits; `undefined` when there is none. */
  foreground(table: ProcessTable): ForegroundWait | undefined;
  /** What it does with the characters that are typed; `undefined` when that is not known. */
  settings(): Promise<LineSettings | undefined>;
  /** Change the size; the foreground process group gets SIGWINCH. Without effect once it is closed. */
  resize(size: TerminalSize): void;
  /** Close the terminal: the kernel hangs up on the processes that it controls. */
  release(): void;
}

/** Pseudo-terminals of this machine. */
export interface Terminals {
  /**
   * Start a process on a terminal of its own.
   *
   * @throws {Error} When the program, the directory or a pseudo-terminal is missing; the message says
   * what to do.
   */
  open(spec: TerminalSpec, events: TerminalEvents): Terminal;
}
