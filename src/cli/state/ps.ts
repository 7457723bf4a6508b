import { Command } from "commander";
import { currentDirectory } from "../../platform/environment.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import { stdio } from "../../platform/stdio.ts";
import { ownerAt } from "../../runtime/control/client.ts";
import { readState } from "../../runtime/read-state.ts";
import type { Task } from "../../task/task.ts";
import { taskLines } from "./task-lines.ts";

interface Options {
  readonly log: string;
  readonly json?: boolean;
}

/** `shellflow ps`: the tasks of a directory, from its owner if one lives. */
export function psCommand(exit: (code: number) => void): Command {
  return new Command("ps")
    .description("List the tasks that are recorded in a directory, as they are now.")
    .option("--log <directory>", "where they are recorded", ".")
    .option("--json", "print the tasks as one JSON array")
    .action(async ({ log, json }: Options) => {
      const tasks = await tasksAt(absolutePath(currentDirectory(), log));
      await stdio.out(json ? `${JSON.stringify(tasks)}\n` : taskLines(tasks));
      exit(0);
    });
}

async function tasksAt(directory: string): Promise<readonly Task[]> {
  const owner = ownerAt(directory);
  if (owner !== undefined) return await owner.ps();
  return [...(await readState(directory)).byId.values()];
}
