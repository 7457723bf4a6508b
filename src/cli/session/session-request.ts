import { fromCurrentDirectory, stateHome } from "../../platform/environment/environment.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import type { SessionRequest } from "../../runtime/control/guest/run-request.ts";
import { UsageError } from "../option-values.ts";
import type { RunCommandOptions } from "../run/run-options.ts";

/** The session that the options ask for; `undefined` when they ask for none. */
export function sessionRequest(
  { session, resume, continue: goOn, cwd, idle }: RunCommandOptions,
): SessionRequest | undefined {
  const named = [...new Set([session, resume].filter((name) => typeof name === "string"))];
  if (named.length > 1) {
    throw new UsageError(
      `Cannot use both session "${named.join('" and "')}": a command runs in one`,
    );
  }
  const [name] = named;
  if (goOn === true && name !== undefined) {
    throw new UsageError(
      `Cannot continue with session "${name}": --continue takes the one used last`,
    );
  }
  if (name === undefined && resume === undefined && goOn !== true) {
    if (idle !== undefined) throw new UsageError(`Cannot use --idle ${idle}: it is for sessions`);
    return undefined;
  }
  return {
    ...(name !== undefined && { name }),
    gone: resume === undefined && goOn !== true ? "anew" : "resume",
    cwd: fromCurrentDirectory(cwd ?? "."),
  };
}

/** The directory of sessions; without a log that of the user. */
export function sessionDirectory(log: string | undefined): string {
  return log === undefined ? absolutePath(stateHome(), "shellflow") : fromCurrentDirectory(log);
}
