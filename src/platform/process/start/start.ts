import type { ExitStatus, SpawnSpec } from "../processes.ts";

/** The descriptors of a process. */
export interface Descriptors {
  /** Its standard input; `undefined`: it is at its end. */
  readonly input: number | undefined;
  /** Its standard output and standard error. */
  readonly output: number;
}

/** How a start calls back; never before it has returned. */
export interface StartEvents {
  readonly exit: (status: ExitStatus) => void;
  /** It could not start; nothing else follows. */
  readonly failed: (cause: unknown) => void;
}

/**
 * Starts a process on descriptors, as the leader of a session and a process group.
 *
 * @returns Its pid, or `undefined` when it could not start.
 */
export type Start = (
  spec: SpawnSpec,
  descriptors: Descriptors,
  events: StartEvents,
) => number | undefined;
