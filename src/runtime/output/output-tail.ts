import type { ReadResult } from "../../output/read/read-bytes.ts";
import { textView } from "../../text/view/text-window.ts";
import type { ReadTaskOptions } from "./readers.ts";

/** Enough for some thousand characters, escape sequences included. */
const TAIL_BYTES = 8 * 1024;

/** The end of a task's output, as a terminal would show it. */
export async function outputTail(
  read: (options: ReadTaskOptions) => Promise<ReadResult>,
): Promise<string> {
  const { total } = await read({ maxBytes: 1 });
  const from = Math.max(0, total - TAIL_BYTES);
  const { bytes } = await read({ from, maxBytes: TAIL_BYTES, masked: true });
  return textView(bytes, { from }).text;
}
