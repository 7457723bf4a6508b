import { checkDirectory } from "../../file/directories.ts";
import type { ExitStatus, ProcessEvents, SpawnSpec } from "../processes.ts";
import { codeOf, messageOf } from "../../failure.ts";

/** The descriptors of a process. */
export interface Descriptors {
  /** Its standard input; `undefined`: it is at its end. */
  readonly input: number | undefined;
  /** Its standard output, and its standard error where that has none of its own. */
  readonly output: number;
  readonly errors?: number | undefined;
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

/** Makes what reports that a process could not start, in words. */
export function failureReporter(
  spec: SpawnSpec,
  { error }: ProcessEvents,
): (cause: unknown) => void {
  return (cause) => error(new Error(reasonOf(cause, spec), { cause }));
}

/** The system has a code for the reason, and names the wrong thing at times. */
function reasonOf(cause: unknown, { cwd }: SpawnSpec): string {
  const code = codeOf(cause);
  switch (code) {
    case "E2BIG":
      return "the command and its environment are longer than the system takes";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open";
    case "EAGAIN":
      return "there are too many processes";
    case "EACCES":
    case "ENOENT":
    case "ENOTDIR": {
      const problem = checkDirectory(cwd);
      if (problem !== undefined) return problem;
      return code === "EACCES" ? "it may not be run" : "there is no such program";
    }
    default:
      return messageOf(cause);
  }
}
