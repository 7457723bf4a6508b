import type { Invocation } from "../../event/env.ts";

/** Why a command never ran: its program could not be started. */
export function cannotStart({ file, cwd }: Invocation, cause: unknown): string {
  const why = cause instanceof Error ? cause.message : String(cause);
  return `Cannot start "${file}" in "${cwd}": ${why}`;
}
