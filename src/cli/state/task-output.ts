import { sourceOf } from "../../output/text/log-source.ts";
import { fromBase64 } from "../../platform/base64.ts";
import { type Owner, ownerAt, RefusedError } from "../../runtime/control/client.ts";
import { type OpenBytes, openRecordedOutput } from "./recorded-output.ts";

/**
 * Open the output of a task: from the owner of its log if one lives, which has bytes that are in no
 * file yet, or never will be; and else, or where the owner has forgotten the task, from the log.
 *
 * @throws {Error} `Cannot read "<log>": <why>`, also when it has no such task.
 */
export async function openTaskOutput(log: string, taskId: string): Promise<OpenBytes> {
  const owner = await ownerAt(log);
  if (owner === undefined) return await openRecordedOutput(log, taskId);
  try {
    return await ownedOutput(owner, taskId);
  } catch (cause) {
    if (!(cause instanceof RefusedError)) throw cause;
    return await openRecordedOutput(log, taskId);
  }
}

async function ownedOutput(owner: Owner, taskId: string): Promise<OpenBytes> {
  const { total } = await owner.read(taskId, { maxBytes: 1 });
  const source = sourceOf({
    total,
    read: async (range) => {
      const { base64, ...rest } = await owner.read(taskId, range);
      return { ...rest, bytes: fromBase64(base64) };
    },
  });
  return { ...source, close: () => Promise.resolve() };
}
