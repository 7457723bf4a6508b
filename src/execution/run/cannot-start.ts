import type { Invocation } from "../../event/env.ts";
import { reasonOf } from "../../platform/process/start/start.ts";

/** Why a command never ran: its program could not be started. */
export function cannotStart(
  { file, cwd }: Pick<Invocation, "file" | "cwd">,
  cause: unknown,
): string {
  return `Cannot start "${file}" in "${cwd}": ${reasonOf(cause, { cwd })}`;
}
