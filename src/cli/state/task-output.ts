import { sourceOf } from "../../text/source/source.ts";
import { fromBase64 } from "../../platform/base64.ts";
import { DisconnectedError, RefusedError } from "../../control/conversation-errors.ts";
import { ownerOf } from "../../platform/owner/owner-lock.ts";
import { control, type ReadAnswer, type ReadRange } from "../../runtime/control/protocol.ts";
import { withOwner } from "../../runtime/control/with-owner.ts";
import { type OpenBytes, openRecordedOutput } from "../../runtime/state/recorded-output.ts";

/**
 * Open the output of a task: from the owner of its log if one lives, which has bytes that are in no
 * file yet, or never will be; and else, where the owner has forgotten the task, or as soon as it
 * has ended, from the log.
 *
 * @throws {Error} `Cannot read "<log>": <why>`, also when it has no such task.
 */
export async function openTaskOutput(log: string, taskId: string): Promise<OpenBytes> {
  const owner = await ownerOf(log);
  if (owner === undefined) return await openRecordedOutput(log, taskId);
  const ask = (range: ReadRange): Promise<ReadAnswer> =>
    withOwner(log, (owner) => owner.request(control.read, { taskId, ...range }));
  let recorded: Promise<OpenBytes> | undefined;
  const fromLog = async (cause: unknown) => {
    const ends = cause instanceof RefusedError ||
      cause instanceof Error && cause.cause instanceof DisconnectedError ||
      (await ownerOf(log))?.pid !== owner.pid;
    if (!ends) throw cause;
    return await (recorded ??= openRecordedOutput(log, taskId));
  };
  let total: number;
  try {
    total = (await ask({ maxBytes: 1 })).total;
  } catch (cause) {
    return await fromLog(cause);
  }
  const owned = sourceOf({
    total,
    read: async (range) => {
      const { base64, ...rest } = await ask(range);
      return { ...rest, bytes: fromBase64(base64) };
    },
  });
  return {
    ...owned,
    read: async (range) => {
      if (recorded !== undefined) return await (await recorded).read(range);
      try {
        return await owned.read(range);
      } catch (cause) {
        return await (await fromLog(cause)).read(range);
      }
    },
    close: async () => await (await recorded)?.close(),
  };
}
