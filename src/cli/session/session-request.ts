import { fromCurrentDirectory, stateHome } from "../../platform/environment/environment.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import type { SessionRequest } from "../../runtime/control/guest/run-request.ts";
import { defined } from "../../value/defined.ts";
import { UsageError } from "../option-values.ts";
import type { RunCommandOptions } from "../run/run-options.ts";

/** The session that the options ask for, of which there is one at most; `undefined` when they ask for none. */
export function sessionRequest(
  { session, resume, continue: goOn = false, cwd, idle }: RunCommandOptions,
): SessionRequest | undefined {
  const name = session ?? (resume === true ? undefined : resume);
  const resumes = resume !== undefined || goOn;
  if (name === undefined && !resumes) {
    if (idle !== undefined) throw new UsageError(`Cannot use --idle ${idle}: it is for sessions`);
    return undefined;
  }
  return {
    ...defined({ name }),
    gone: resumes ? "resume" : "anew",
    cwd: fromCurrentDirectory(cwd ?? "."),
  };
}

/** The directory of sessions; without a log that of the user. */
export function sessionDirectory(log: string | undefined): string {
  return log === undefined ? absolutePath(stateHome(), "shellflow") : fromCurrentDirectory(log);
}
