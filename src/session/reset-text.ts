import type { ShellReset } from "../event/execution.ts";

/** That a session has another shell, why, and what the earlier one had. */
export function resetText(name: string, { reason, lost }: ShellReset): string {
  const why = reason.slice(0, 1).toLowerCase() + reason.slice(1);
  return `The shell of session "${name}" was replaced: ${why}; lost are its ${lost.join(", ")}`;
}
