import { SCHEMA_VERSION } from "../../event/event.ts";
import { otherSchema } from "../../event/log/read-log.ts";
import { readEvent, readSchema, segmentNames } from "../../event/log/segment.ts";
import { systemClock } from "../../platform/clock.ts";
import { fileSize } from "../../platform/file/file-bytes.ts";
import { segmentFiles } from "../../platform/file/segment-files.ts";
import { concatenated } from "../../stream/concatenated.ts";
import type { History } from "./history.ts";

/** How long to wait between two looks at a log, in milliseconds. */
const PAUSE_MS = 250;

/**
 * Take what the owner of a log adds to it, each byte read once; a log that cannot be read any more is
 * an error of the history.
 *
 * @param directory Where its segments are.
 * @returns Follows it no more, and ends the history.
 */
export function followLog(directory: string, history: History): () => void {
  const files = segmentFiles(directory);
  let closed = false;
  let wake = () => {};
  const take = (line: string) => {
    const recorded = readEvent(line);
    if (recorded === undefined) {
      const schema = readSchema(line) ?? SCHEMA_VERSION;
      if (schema !== SCHEMA_VERSION) throw otherSchema(directory, schema);
    } else if (!closed && recorded.seq > history.last.seq) history.take(recorded);
  };
  const follow = async () => {
    let newest = "";
    let bytes = 0;
    while (!closed) {
      const names = segmentNames(await files.list());
      const known = names.indexOf(newest);
      // The log was read just before: what came meanwhile is in its last segments.
      for (const name of names.slice(known < 0 ? -2 : known)) {
        if (name !== newest) [newest, bytes] = [name, 0];
        if (fileSize(files.pathOf(name)) > bytes) {
          bytes += await takeLines(files.bytes(name, bytes), take);
        }
      }
      await new Promise<void>((resolve) => {
        const cancel = systemClock.after(PAUSE_MS, resolve);
        wake = () => {
          cancel();
          resolve();
        };
      });
    }
  };
  follow().catch((cause: unknown) => history.news.error(cause));
  return () => {
    closed = true;
    history.news.complete();
    wake();
  };
}

const NEWLINE = 0x0a;

/** Take each line that has an end, and count their bytes: damaged text has others than it is decoded to. */
async function takeLines(
  pieces: AsyncIterable<Uint8Array>,
  take: (line: string) => void,
): Promise<number> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest: readonly Uint8Array[] = [];
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      const lines = concatenated([...rest, piece.subarray(0, end)]);
      decoder.decode(lines.subarray(0, -1)).split("\n").forEach(take);
      bytes += lines.length;
      rest = [];
    }
    rest = [...rest, piece.subarray(end)];
  }
  return bytes;
}
