import type { Recorded } from "../event/event.ts";
import { cannotRead, LogError } from "../event/log/log-error.ts";
import { describeDamage, type LogDamage, readLog } from "../event/log/read-log.ts";
import { readWholeFile } from "../platform/file/file-bytes.ts";
import { recordedFile } from "../platform/file/recorded-file.ts";
import { type Recording, recordingsOf } from "./recording.ts";

/**
 * Read the recordings of a log on disk; output that is not in the log is read from its files.
 *
 * @param path The directory or the file of the log.
 * @throws {LogError} When it cannot be read, holds nothing, or has damage or a gap anywhere.
 * @throws {Error} When it does not hold all events and all output of a command.
 */
export async function readCassette(path: string): Promise<Recording[]> {
  const events: Recorded[] = [];
  const onDamage = (damage: LogDamage) => {
    throw new LogError("damaged", `${describeDamage(damage)}; restore it, or record it again`);
  };
  for await (const recorded of readLog(path, { onDamage })) events.push(recorded);
  if (events.length === 0) throw cannotRead(path, "notALog", "no event is in it");
  return recordingsOf(events, (file) => readWholeFile(recordedFile(path, file)));
}
