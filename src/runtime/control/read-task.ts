import { base64Of } from "../../platform/base64.ts";
import type { Runtime } from "../runtime.ts";
import { LONGEST_WAIT_MS, MOST_READ_BYTES, type ReadAnswer } from "./protocol.ts";

/** Which part of a task's output another process wants. */
export interface ReadTaskRequest {
  readonly taskId: string;
  readonly from: number;
  readonly maxBytes: number;
  readonly waitMs: number;
  readonly until: "more" | "end";
}

/**
 * Read a task's output for another process, which may not ask for too much at a time.
 *
 * @throws {Error} When there is no such task, or its bytes are not kept.
 */
export async function readTask(
  runtime: Pick<Runtime, "read">,
  { taskId, from, maxBytes, waitMs, until }: ReadTaskRequest,
): Promise<ReadAnswer> {
  const { bytes, ...range } = await runtime.read(taskId, {
    from,
    maxBytes: Math.min(maxBytes, MOST_READ_BYTES),
    waitMs: Math.min(waitMs, LONGEST_WAIT_MS),
    until,
  });
  return { ...range, base64: base64Of(bytes) };
}
