import { Command } from "commander";
import { currentDirectory } from "../../platform/environment.ts";
import { absolutePath } from "../../platform/file/paths.ts";
import { systemClock } from "../../platform/clock.ts";
import { stdio } from "../../platform/stdio.ts";
import { ownerAt } from "../../runtime/control/client.ts";
import type { StopAnswer } from "../../runtime/control/protocol.ts";
import { stopTask } from "../../runtime/control/stop-task.ts";
import { createRuntime } from "../../runtime/create.ts";
import { readState } from "../../runtime/read-state.ts";
import { nameOf } from "./task-lines.ts";

interface Options {
  readonly log: string;
  readonly json?: boolean;
}

/** `shellflow stop`: end a task of a directory, through its owner if one lives. */
export function stopCommand(exit: (code: number) => void): Command {
  return new Command("stop")
    .description("End a task and all of its processes; 1 when some of them live on.")
    .argument("<task>", "its id, as ps prints it")
    .requiredOption("--log <directory>", "where it is recorded")
    .option("--json", "print how it ended as JSON")
    .action(async (taskId: string, { log, json }: Options) => {
      const answer = await stopAt(absolutePath(currentDirectory(), log), taskId);
      const { outcome, leftovers } = answer;
      const left = leftovers.map(({ pid, command }) => `Lives on: ${command} (${pid})\n`).join("");
      await stdio.out(json ? `${JSON.stringify(answer)}\n` : `${taskId}  ${nameOf(outcome)}\n`);
      if (!json) await stdio.err(left);
      exit(leftovers.length === 0 ? 0 : 1);
    });
}

async function stopAt(directory: string, taskId: string): Promise<StopAnswer> {
  const owner = ownerAt(directory);
  if (owner !== undefined) return await owner.stop(taskId);
  // A directory without a log is none of ours, and nothing is to be made in it.
  if (!(await readState(directory)).byId.has(taskId)) {
    throw new Error(`Cannot stop "${taskId}": "${directory}" tells of no such task`);
  }
  await using runtime = await createRuntime({ log: directory });
  return await stopTask(runtime, systemClock, taskId);
}
