import { Command, Option } from "commander";
import type { Cli } from "../cli.ts";
import { sessionName } from "../option-values.ts";
import { sessionDirectory } from "../session/session-request.ts";
import { COMMAND_CHARS, table } from "./table.ts";
import { taskLines } from "./task-lines.ts";
import { LogError } from "../../event/log/log-error.ts";
import { describeDamage, type LogDamage } from "../../event/log/read-log.ts";
import { fromCurrentDirectory } from "../../platform/environment/environment.ts";
import type { Stdio } from "../../platform/stdio.ts";
import { type KnownSession, noSuchSession } from "../../runtime/control/known-sessions.ts";
import { control } from "../../runtime/control/protocol.ts";
import { sessionsAt } from "../../runtime/control/sessions-at.ts";
import { withOwner } from "../../runtime/control/with-owner.ts";
import { readState } from "../../runtime/state/read-state.ts";
import { tasksNow } from "../../runtime/state/tasks-now.ts";
import type { Task } from "../../task/task-view.ts";
import { oneLine } from "../../text/clip.ts";

interface Options {
  readonly log?: string;
  readonly session?: string;
  readonly sessions?: boolean;
  readonly json?: boolean;
}

/** `shellflow ps`: the tasks or sessions of a directory, from its owner if one lives. */
export function psCommand({ stdio, exit }: Cli): Command {
  return new Command("ps")
    .description(
      "List the tasks that are recorded in a directory, as they are now: all that have not ended, " +
        "and the 1000 that ended last.",
    )
    .option("--log <directory>", "where they are recorded; default this directory")
    .option("--session <name>", "the tasks of a session, by default of the user's", sessionName)
    .addOption(
      new Option("--sessions", "the sessions instead, by default the user's").conflicts("session"),
    )
    .option("--json", "print them as one JSON array")
    .action(async ({ log, session, sessions, json }: Options) => {
      const print = async <T>(listed: readonly T[], lines: (listed: readonly T[]) => string) =>
        await stdio.out(json ? `${JSON.stringify(listed)}\n` : lines(listed));
      if (sessions) {
        await print(await sessionsAt(sessionDirectory(log)), sessionLines);
      } else {
        const tasks = await (session === undefined
          ? tasksAt(fromCurrentDirectory(log ?? "."), stdio).catch(hint(log))
          : tasksOf(session, sessionDirectory(log), stdio));
        await print(tasks, taskLines);
      }
      exit(0);
    });
}

/** Where no directory was named, say how another one is. */
function hint(log: string | undefined): (cause: unknown) => never {
  return (cause) => {
    if (log !== undefined || !(cause instanceof LogError)) throw cause;
    const how = "--log DIRECTORY names another one, and --sessions lists your sessions";
    throw new Error(`${cause.message}; ${how}`, { cause });
  };
}

async function tasksOf(name: string, directory: string, stdio: Stdio): Promise<readonly Task[]> {
  const known = await sessionsAt(directory);
  if (!known.some((session) => session.name === name)) {
    throw new Error(noSuchSession("list the tasks of session", name, known));
  }
  return (await tasksAt(directory, stdio)).filter(({ sessionId }) => sessionId === name);
}

async function tasksAt(
  directory: string,
  stdio: Stdio,
): Promise<readonly Task[]> {
  const all = await withOwner(directory, (owner) => owner.request(control.ps, {}), {
    otherwise: () => recordedTasks(directory, stdio),
  });
  return tasksNow(all);
}

async function recordedTasks(directory: string, stdio: Stdio): Promise<readonly Task[]> {
  const damages: LogDamage[] = [];
  const { byId } = await readState(directory, { onDamage: (damage) => damages.push(damage) });
  for (const damage of damages) await stdio.err(`${describeDamage(damage)}\n`);
  return [...byId.values()];
}

/** Sessions as a table for people, a line each. */
function sessionLines(sessions: readonly KnownSession[]): string {
  const titles = ["SESSION", "STATUS", "DIRECTORY", "LAST COMMAND"];
  const rows = sessions.map(({ name, status, cwd, command = "-" }) => [
    name,
    status,
    cwd,
    oneLine(command, COMMAND_CHARS),
  ]);
  return table([titles, ...rows]);
}
