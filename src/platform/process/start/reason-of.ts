import { checkDirectory } from "../../file/directories.ts";
import type { ProcessEvents, SpawnSpec } from "../processes.ts";

/** Makes what reports that a process could not start, in words. */
export function failing(spec: SpawnSpec, { error }: ProcessEvents): (cause: unknown) => void {
  return (cause) => error(new Error(reasonOf(cause, spec), { cause }));
}

/** The system has a code for the reason, and names the wrong thing at times. */
function reasonOf(cause: unknown, { cwd }: SpawnSpec): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
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
      return cause instanceof Error ? cause.message : String(cause);
  }
}
