import { stat } from "node:fs/promises";
import { Observable } from "rxjs";
import type { Recorded } from "../../event/event.ts";
import { readLog, readSegments } from "../../event/log/read-log.ts";
import { segmentNames } from "../../event/log/segment.ts";
import { systemClock } from "../../platform/clock.ts";
import { segmentFiles } from "../../platform/file/segment-files.ts";

/** How long to wait between two looks at a log, in milliseconds. */
const PAUSE_MS = 250;

/**
 * The events of a log, and those that its owner adds; a log that cannot be read is an error of the stream.
 *
 * @param directory Where its segments are.
 */
export function followedLog(directory: string): Observable<Recorded> {
  return new Observable((subscriber) => {
    let last = 0;
    const take = async (events: AsyncIterable<Recorded>) => {
      for await (const recorded of events) {
        if (subscriber.closed) return;
        if (recorded.seq <= last) continue;
        last = recorded.seq;
        subscriber.next(recorded);
      }
    };
    const follow = async () => {
      await take(readLog(directory));
      const files = segmentFiles(directory);
      let newest = "";
      let size = -1;
      while (!subscriber.closed) {
        const names = segmentNames(await files.list());
        const name = names.at(-1) ?? "";
        const grown = (await stat(files.pathOf(name))).size;
        // A segment is read again as a whole: it is small, but for a log that grows for days.
        if (name !== newest || grown !== size) {
          await take(readSegments(files, names.slice(Math.max(0, names.indexOf(newest)))));
        }
        [newest, size] = [name, grown];
        await new Promise<void>((resolve) => void systemClock.after(PAUSE_MS, resolve));
      }
    };
    follow().catch((cause: unknown) => subscriber.error(cause));
  });
}
