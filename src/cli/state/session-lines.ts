import type { KnownSession } from "../../runtime/control/known-sessions.ts";
import { type Cell, oneLine, table } from "./table.ts";

/** Sessions as a table for people, a line each. */
export function sessionLines(sessions: readonly KnownSession[]): string {
  const head = ["SESSION", "STATUS", "DIRECTORY", "LAST COMMAND"];
  const rows = sessions.map(({ name, status, cwd, command = "-" }) => [
    name,
    status,
    cwd,
    oneLine(command),
  ]);
  return table([head, ...rows].map((row) => row.map((text): Cell => ({ text }))));
}
