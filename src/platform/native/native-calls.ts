import type { ExitStatus } from "../process/processes.ts";
import type { Descriptors } from "../process/start/start.ts";

/** A program to start, and what it begins with. */
export interface NativeProgram extends Descriptors {
  /** Its file; nothing looks for it elsewhere. */
  readonly path: string;
  /** All its arguments, its own name first. */
  readonly argv: readonly string[];
  /** Its environment, as `NAME=VALUE`. */
  readonly env: readonly string[];
  readonly cwd: string;
}

/** Calls of the system that the runtimes have no word for. */
export interface NativeCalls {
  /**
   * Start a program without a copy of this process, as the leader of a session, with every signal as
   * it is by default and no descriptor but those that are named.
   *
   * @returns Its pid, once it runs.
   * @throws {Error} With the system's word for it as `code`, such as `ENOENT`.
   */
  spawn(program: NativeProgram): number;
  /** How a child ended, which the system forgets with that; `undefined` while it lives. */
  collect(pid: number): ExitStatus | undefined;
  /**
   * Wait in another thread until one of several descriptors has something to read, or has ended.
   *
   * @param list As `poll` takes it.
   */
  poll(list: Uint8Array, count: number): Promise<void>;
  /** Make a FIFO for this user alone; answers whether it was made. */
  makeFifo(path: string): boolean;
}
