import { base64Of } from "../../platform/base64.ts";
import type { Clock } from "../../platform/clock.ts";
import { type OutputRange, type Outputs, readOutput } from "../call/read-output.ts";
import { LONGEST_WAIT_MS, MOST_READ_BYTES, type ReadAnswer } from "./protocol.ts";

/**
 * Read a task's output for another process, which may not ask for too much at a time.
 *
 * @throws {Error} When there is no such task, or its bytes are not kept.
 */
export async function readTask(
  outputs: Outputs,
  clock: Clock,
  { taskId, from, maxBytes, waitMs }: OutputRange & { readonly taskId: string },
): Promise<ReadAnswer> {
  const { bytes, ...range } = await readOutput(outputs, clock, {
    taskId,
    from,
    maxBytes: Math.min(maxBytes, MOST_READ_BYTES),
    waitMs: Math.min(waitMs, LONGEST_WAIT_MS),
  });
  return { ...range, base64: base64Of(bytes) };
}
