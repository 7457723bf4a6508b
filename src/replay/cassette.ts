import type { Recorded } from "../event/event.ts";
import { readLog } from "../event/log/read-log.ts";
import { readWholeFile } from "../platform/file/whole-file.ts";
import { type Recording, recordingsOf } from "./recording.ts";

/**
 * Read the recordings of a log on disk; output that is not in the log is read from its files.
 *
 * @param path The directory or the file of the log.
 * @throws {LogError} When it cannot be read.
 * @throws {Error} When it does not hold all output of a command.
 */
export async function readCassette(path: string): Promise<Recording[]> {
  const events: Recorded[] = [];
  for await (const recorded of readLog(path)) events.push(recorded);
  return recordingsOf(events, readWholeFile);
}
