import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { DEFAULT_PATH, findProgram } from "../../environment/find-program.ts";
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
  /** What becomes its descriptor 3; `undefined`: it has none. */
  readonly report?: number | undefined;
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

/** What is started: where the program is, and where it is to run. */
type Program = Pick<SpawnSpec, "file" | "cwd" | "env">;

/** The file of the program that is meant; `undefined` when there is none that may be run. */
export function programOf({ file, cwd, env }: Program): string | undefined {
  return findProgram(file, env["PATH"] ?? DEFAULT_PATH, cwd);
}

/** Why a program cannot start, where something else would start and say that; `undefined` when it can. */
export function whyNotStarted(program: Program): string | undefined {
  const { file, cwd } = program;
  const problem = checkDirectory(cwd);
  if (problem !== undefined || programOf(program) !== undefined) return problem;
  const isThere = file.includes("/") && existsSync(resolve(cwd, file));
  return isThere ? NOT_ALLOWED : NO_PROGRAM;
}

const NOT_ALLOWED = "it may not be run";
const NO_PROGRAM = "there is no such program";

/** Makes what reports that a process could not start, in words. */
export function failureReporter(
  spec: SpawnSpec,
  { error }: ProcessEvents,
): (cause: unknown) => void {
  return (cause) => error(new Error(reasonOf(cause, spec), { cause }));
}

/** Why a process could not start: the system has a code for that, and names the wrong thing at times. */
export function reasonOf(cause: unknown, { cwd }: Pick<SpawnSpec, "cwd">): string {
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
      return code === "EACCES" ? NOT_ALLOWED : NO_PROGRAM;
    }
    default:
      return messageOf(cause);
  }
}
