import type { Recorded } from "../../event/event.ts";
import { fromBase64 } from "../../platform/base64.ts";
import { RefusedError } from "../../control/conversation-errors.ts";
import { control, type ReadAnswer, type ReadRange } from "../control/protocol.ts";
import { OwnerConnection } from "../control/with-owner.ts";
import { type OpenBytes, openRecordedOutput } from "./recorded-output.ts";

/**
 * Open the output of a task: from the owner of its log if one lives, which has bytes that are in no
 * file yet, or never will be; and else, where the owner has forgotten the task, or as soon as it
 * has ended, from the log.
 *
 * @param events What is in memory of the log, where that is all of it.
 * @throws {Error} `Cannot read "<log>": <why>`, also when it has no such task.
 */
export async function openTaskOutput(
  log: string,
  taskId: string,
  events?: () => AsyncIterable<Recorded> | undefined,
): Promise<OpenBytes> {
  let recorded: Promise<OpenBytes> | undefined;
  const fromLog = () => recorded ??= openRecordedOutput(log, taskId, events?.());
  const owner = new OwnerConnection<ReadAnswer | OpenBytes>(log, {
    idempotent: true,
    otherwise: fromLog,
  });
  const ask = async (range: ReadRange): Promise<ReadAnswer | OpenBytes> => {
    try {
      return await owner.ask((peer) => peer.request(control.read, { taskId, ...range }));
    } catch (cause) {
      owner.close();
      if (cause instanceof RefusedError) return await fromLog();
      throw cause;
    }
  };
  const first = await ask({ maxBytes: 1 });
  if (!("base64" in first)) return first;
  return {
    total: first.total,
    read: async ({ from, maxBytes }) => {
      const answer = await ask({ from, maxBytes });
      if (!("base64" in answer)) return await answer.read({ from, maxBytes });
      return { ...answer, bytes: fromBase64(answer.base64) };
    },
    close: async () => {
      owner.close();
      await (await recorded)?.close();
    },
  };
}
