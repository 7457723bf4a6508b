import { Command } from "commander";
import { fromCurrentDirectory } from "../../platform/environment/environment.ts";
import type { Cli } from "../cli.ts";
import { control, type StopAnswer } from "../../runtime/control/protocol.ts";
import { withOwner } from "../../runtime/control/with-owner.ts";
import { messageOf } from "../../platform/failure.ts";
import { ownerOf } from "../../platform/owner/owner-lock.ts";
import { stopTask } from "../../runtime/control/stop-task.ts";
import { createRuntime } from "../../runtime/create.ts";
import { readState } from "../../runtime/state/read-state.ts";
import { noSuchSession } from "../../runtime/control/known-sessions.ts";
import { sessionsAt } from "../../runtime/control/sessions-at.ts";
import { sessionName, UsageError } from "../option-values.ts";
import { sessionDirectory } from "../session/session-request.ts";
import { untilGone } from "../session/until-gone.ts";
import { nameOf } from "./task-lines.ts";

interface Options {
  readonly log?: string;
  readonly session?: string;
  readonly json?: boolean;
}

/** `shellflow stop`: end a task or a session of a directory, through its owner if one lives. */
export function stopCommand({ stdio, exit }: Cli): Command {
  const command = new Command("stop");
  return command
    .description("End a task and all of its processes; exits with 1 when some of them survive.")
    .argument("[task]", "its id, as ps prints it")
    .option("--log <directory>", "where it is recorded; default this directory")
    .option("--session <name>", "end a session with all that it runs instead", sessionName)
    .option("--json", "print how it ended as JSON")
    .action(async (taskId: string | undefined, { log, session, json }: Options) => {
      if (session !== undefined) {
        if (taskId !== undefined) {
          throw new UsageError(`Cannot stop both task "${taskId}" and session "${session}"`);
        }
        await stopSession(sessionDirectory(log), session);
        return exit(0);
      }
      if (taskId === undefined) return command.error("error: missing required argument 'task'");
      const answer = await stopAt(fromCurrentDirectory(log ?? "."), taskId).catch((cause) => {
        if (log !== undefined) throw cause;
        throw new Error(`${messageOf(cause)}; --log DIRECTORY names another one`, { cause });
      });
      const { outcome, leftovers } = answer;
      await stdio.out(json ? `${JSON.stringify(answer)}\n` : `${taskId}  ${nameOf(outcome)}\n`);
      const left = json ? [] : leftovers;
      for (const { pid, command } of left) await stdio.err(`Still running: ${command} (${pid})\n`);
      exit(leftovers.length === 0 ? 0 : 1);
    });
}

/** How long the end of a host is waited for, in milliseconds: it may be used again meanwhile. */
const LAST_MS = 10_000;

async function stopSession(directory: string, name: string): Promise<void> {
  const owner = await ownerOf(directory);
  const known = await sessionsAt(directory);
  const session = known.find((session) => session.name === name);
  if (session === undefined) {
    throw new Error(noSuchSession("stop session", name, known));
  }
  // Stopping what has ended is no error, as for a task.
  if (owner === undefined || session.status === "gone") return;
  const others = known.some((other) => other !== session && other.status !== "gone");
  await withOwner(directory, (owner) => owner.request(control.endSession, { name }));
  // A host ends with its last session, unless another one is opened meanwhile.
  if (!others) await untilGone(directory, owner.pid, { atMostMs: LAST_MS });
}

/** Through the owner, or as the owner. */
export async function stopAt(directory: string, taskId: string): Promise<StopAnswer> {
  return await withOwner(directory, (owner) => owner.request(control.stop, { taskId }), {
    idempotent: true,
    otherwise: () => stopHere(directory, taskId),
  });
}

async function stopHere(directory: string, taskId: string): Promise<StopAnswer> {
  // In a directory without a log of ours nothing is made.
  if (!(await readState(directory)).byId.has(taskId)) {
    throw new Error(`Cannot stop "${taskId}": "${directory}" has no such task`);
  }
  await using runtime = await createRuntime({ log: directory });
  return await stopTask(runtime, taskId);
}
