import type { Invocation } from "../../event/env.ts";

/** Why a command never ran: its program could not be started. */
export function cannotStart(
  { file, cwd }: Pick<Invocation, "file" | "cwd">,
  cause: unknown,
): string {
  return `Cannot start "${file}" in "${cwd}": ${messageOf(cause)}`;
}

/** What a failure says. */
export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
