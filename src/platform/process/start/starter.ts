import type { ExitStatus, SpawnSpec } from "../processes.ts";

/** A process that runs. */
export interface Started {
  readonly pid: number;
  /** Call once when it has ended; to be asked at once, and its end is heard of by no other way. */
  whenExited(call: (status: ExitStatus) => void): void;
}

/** A way to start processes, each the leader of a session and a process group of its own. */
export interface Starter {
  /**
   * Start a process that writes both streams to a descriptor.
   *
   * @param input What it reads from; absent: it reads nothing.
   * @param failed Hears why it could not start, later: then there is no process.
   */
  start(
    spec: SpawnSpec,
    output: number,
    failed: (cause: unknown) => void,
    input?: number,
  ): Started | undefined;
  /** Tell of every end so far. */
  look(): void;
  /** Listen no more once the last process has ended. */
  close(): void;
}
