import { Command } from "commander";
import type { Cli } from "../cli.ts";
import { sessionName, UsageError } from "../option-values.ts";
import { sessionDirectory } from "../session/session-request.ts";
import { type Cell, oneLine, table } from "./table.ts";
import { taskLines } from "./task-lines.ts";
import { describeDamage, type LogDamage } from "../../event/log/read-log.ts";
import { fromCurrentDirectory } from "../../platform/environment.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { KnownSession } from "../../runtime/control/known-sessions.ts";
import { control } from "../../runtime/control/protocol.ts";
import { sessionsAt } from "../../runtime/control/sessions-at.ts";
import { withOwner } from "../../runtime/control/with-owner.ts";
import { readState } from "../../runtime/state/read-state.ts";
import { tasksNow } from "../../runtime/state/tasks-now.ts";
import type { Task } from "../../task/task-view.ts";

interface Options {
  readonly log?: string;
  readonly session?: string;
  readonly sessions?: boolean;
  readonly json?: boolean;
}

/** `shellflow ps`: the tasks or sessions of a directory, from its owner if one lives. */
export function psCommand({ stdio, exit }: Cli): Command {
  return new Command("ps")
    .description("List the tasks that are recorded in a directory, as they are now.")
    .option("--log <directory>", "where they are recorded; default this directory")
    .option("--session <name>", "the tasks of a session, by default of the user's", sessionName)
    .option("--sessions", "the sessions instead, by default the user's")
    .option("--json", "print them as one JSON array")
    .action(async ({ log, session, sessions, json }: Options) => {
      if (sessions && session !== undefined) {
        throw new UsageError(
          `Cannot list sessions of session "${session}": leave one of both away`,
        );
      }
      const directory = sessions || session !== undefined
        ? sessionDirectory(log)
        : fromCurrentDirectory(log ?? ".");
      if (sessions) await print(stdio, await sessionsAt(directory), { lines: sessionLines, json });
      else await print(stdio, await tasksAt(directory, stdio, session), { lines: taskLines, json });
      exit(0);
    });
}

async function tasksAt(
  directory: string,
  stdio: Stdio,
  session?: string,
): Promise<readonly Task[]> {
  const all = await withOwner(directory, (owner) => owner.request(control.ps, {}), {
    otherwise: () => recordedTasks(directory, stdio),
  });
  return await tasksNow(
    session === undefined ? all : all.filter(({ sessionId }) => sessionId === session),
  );
}

async function recordedTasks(directory: string, stdio: Stdio): Promise<readonly Task[]> {
  const damages: LogDamage[] = [];
  const { byId } = await readState(directory, { onDamage: (damage) => damages.push(damage) });
  for (const damage of damages) await stdio.err(`${describeDamage(damage)}\n`);
  return [...byId.values()];
}

async function print<T>(
  stdio: Stdio,
  listed: readonly T[],
  { lines, json }: {
    readonly lines: (listed: readonly T[]) => string;
    readonly json: boolean | undefined;
  },
): Promise<void> {
  await stdio.out(json ? `${JSON.stringify(listed)}\n` : lines(listed));
}

/** Sessions as a table for people, a line each. */
function sessionLines(sessions: readonly KnownSession[]): string {
  const head = ["SESSION", "STATUS", "DIRECTORY", "LAST COMMAND"];
  const rows = sessions.map(({ name, status, cwd, command = "-" }) => [
    name,
    status,
    cwd,
    oneLine(command),
  ]);
  return table([head, ...rows].map((row) => row.map((text): Cell => ({ text }))));
}
