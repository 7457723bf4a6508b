import type { CommandId } from "../event/command.ts";
import type { Recorded } from "../event/event.ts";
import type { ExecutionEvent } from "../event/execution.ts";
import { bytesOf } from "../event/inline-bytes.ts";

/** What a command did, as a log tells it: enough to do it again without a process. */
export interface Recording {
  readonly commandId: CommandId;
  readonly command: string;
  readonly cwd: string;
  readonly steps: readonly RecordedStep[];
}

/** Something that happened, by milliseconds from the command's start. */
export type RecordedStep =
  | { readonly atMs: number; readonly type: "bytes"; readonly bytes: Uint8Array }
  | { readonly atMs: number; readonly type: "event"; readonly event: ExecutionEvent };

/**
 * Collect the recordings of all commands that were started, in the order of their starts.
 *
 * @throws When the log does not hold all bytes of a command: it was not recorded for replay.
 */
export function recordingsOf(events: Iterable<Recorded>): Recording[] {
  const drafts = new Map<CommandId, Draft>();
  for (const { at, event } of events) {
    switch (event.type) {
      case "env.built": {
        const { commandId, invocation: { command, cwd } } = event;
        drafts.set(commandId, { commandId, command, cwd, steps: [], builtAt: at, read: 0 });
        break;
      }
      case "output.appended": {
        const draft = drafts.get(event.commandId);
        if (draft === undefined) break;
        if (event.inline === undefined || event.from !== draft.read) {
          throw lacksBytes(draft, event.from);
        }
        draft.read = event.to;
        const bytes = bytesOf(event.inline);
        draft.steps.push({ atMs: at - draft.builtAt, type: "bytes", bytes });
        break;
      }
      case "execution.started":
      case "execution.stopping":
      case "execution.exited":
      case "execution.closed":
      case "execution.failed": {
        const draft = drafts.get(event.commandId);
        draft?.steps.push({ atMs: at - draft.builtAt, type: "event", event });
        break;
      }
      default:
    }
  }
  return [...drafts.values()].map(({ commandId, command, cwd, steps }) => ({
    commandId,
    command,
    cwd,
    steps,
  }));
}

interface Draft {
  readonly commandId: CommandId;
  readonly command: string;
  readonly cwd: string;
  readonly steps: RecordedStep[];
  readonly builtAt: number;
  read: number;
}

function lacksBytes({ command }: Draft, from: number): Error {
  return new Error(
    `Cannot replay "${command}": the log does not hold its output from byte ${from} on; ` +
      `record with output: { inlineBytes: Infinity }`,
  );
}
