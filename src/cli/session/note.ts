import type { RunUpdate } from "../../runtime/control/guest/run-request.ts";

/** What a person has to know about the session of a command. */
export function noteOn(update: RunUpdate, name: string): string | undefined {
  if (update.type === "reset") {
    return `The shell of session "${name}" is a new one: ${lowered(update.reason)}; ` +
      `lost are its ${update.lost.join(", ")}`;
  }
  if (update.type !== "session") return undefined;
  const { began, cwd, earlierCwd } = update;
  if (began === "anew") {
    return `Session "${name}" begins anew in ${cwd}; --resume ${name} would have gone on in ${earlierCwd}`;
  }
  if (began !== "resumed") return undefined;
  const why = cwd === earlierCwd ? "" : `, as ${earlierCwd} is not there any more`;
  return `Session "${name}" goes on in ${cwd}${why}`;
}

function lowered(reason: string): string {
  return reason.slice(0, 1).toLowerCase() + reason.slice(1);
}
