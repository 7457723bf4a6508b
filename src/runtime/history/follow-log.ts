import { readSegments } from "../../event/log/read-log.ts";
import { segmentNames } from "../../event/log/segment.ts";
import { systemClock } from "../../platform/clock.ts";
import { fileSize } from "../../platform/file/file-bytes.ts";
import { segmentFiles } from "../../platform/file/segment-files.ts";
import type { History } from "./history.ts";

/** How long to wait between two looks at a log, in milliseconds. */
const PAUSE_MS = 250;

/**
 * Take what the owner of a log adds to it; a log that cannot be read any more is an error of the
 * history.
 *
 * @param directory Where its segments are.
 * @returns Follows it no more, and ends the history.
 */
export function followLog(directory: string, history: History): () => void {
  const files = segmentFiles(directory);
  let closed = false;
  let wake = () => {};
  const follow = async () => {
    let newest = "";
    let size = -1;
    while (!closed) {
      const names = segmentNames(await files.list());
      const name = names.at(-1) ?? "";
      const grown = fileSize(files.pathOf(name));
      // A segment is read again as a whole: it is small, but for a log that grows for days.
      const from = Math.max(0, names.indexOf(newest));
      if (name !== newest || grown !== size) {
        for await (const recorded of readSegments(files, names.slice(from))) {
          if (closed) return;
          if (recorded.seq > history.last.seq) history.take(recorded);
        }
      }
      [newest, size] = [name, grown];
      await new Promise<void>((resolve) => {
        const cancel = systemClock.after(PAUSE_MS, resolve);
        wake = () => [cancel, resolve].forEach((act) => act());
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
