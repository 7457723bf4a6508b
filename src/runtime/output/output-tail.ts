import type { CommandId } from "../../event/command.ts";
import { textView } from "../../text/view/text-window.ts";
import { type Outputs, readOutput } from "./read-output.ts";

/** Enough for some thousand characters, escape sequences included. */
const TAIL_BYTES = 8 * 1024;

/** The end of a task's output, as a terminal would show it. */
export async function outputTail(outputs: Outputs, taskId: CommandId): Promise<string> {
  const range = { taskId, waitMs: 0, until: "more" } as const;
  const { total } = await readOutput(outputs, { ...range, from: 0, maxBytes: 1 });
  const from = Math.max(0, total - TAIL_BYTES);
  const { bytes } = await readOutput(outputs, { ...range, from, maxBytes: TAIL_BYTES });
  return textView(bytes, { from }).text;
}
