import type { Clock } from "../../platform/clock.ts";
import { makePrivateDirectory } from "../../platform/file/private-directory.ts";
import { type SegmentFiles, segmentFiles } from "../../platform/file/segment-files.ts";
import type { Recorded } from "../event.ts";
import type { EventLog } from "./log.ts";
import { cannotWrite, type LogError } from "./log-error.ts";
import { MemoryLog } from "./memory-log.ts";
import { type ReadLogOptions, readSegments } from "./read-log.ts";
import { segmentNames } from "./segment.ts";
import { SegmentWriter, type SegmentWriterOptions } from "./segment-writer.ts";

/** Where a log in files is, and how it writes. */
export interface FileLogOptions
  extends
    ReadLogOptions,
    Partial<Pick<SegmentWriterOptions, "batchMs" | "batchEvents" | "segmentSize">> {
  readonly clock: Clock;
  readonly directory: string;
  /** Called once, when events are kept in memory only from now on. */
  readonly onFailure: (cause: LogError) => void;
  /** Called for each event that was recorded earlier, in order, before the log is handed out. */
  readonly onEarlier?: (recorded: Recorded) => void;
  /** The directory as a port; by default, that of the file system. */
  readonly files?: SegmentFiles;
}

/**
 * Open the log of a directory, to go on after its last readable event: the events of a runtime in
 * files, one line of JSON each, with the newest also in memory.
 *
 * Each opening begins a new segment, so nothing is ever overwritten or truncated. Events are written in
 * batches: a crash of the host loses those of the last moments, unless `writeNow` was called. Only the
 * owner of a directory may write to it.
 *
 * @throws {LogError} When the directory cannot be used, or what is in it cannot be read.
 */
export async function openFileLog(options: FileLogOptions): Promise<EventLog> {
  const { directory, clock, onFailure, onEarlier = () => {}, onDamage = () => {} } = options;
  const files = options.files ?? segmentFiles(directory);
  if (options.files === undefined) {
    try {
      makePrivateDirectory(directory);
    } catch (cause) {
      throw cannotWrite(directory, cause);
    }
  }
  let lastSeq = 0;
  const names = segmentNames(await files.list());
  for await (const recorded of readSegments(files, names, { onDamage })) {
    lastSeq = recorded.seq;
    onEarlier(recorded);
  }
  const writer = new SegmentWriter(lastSeq, {
    files,
    clock,
    batchMs: options.batchMs ?? 20,
    batchEvents: options.batchEvents ?? 500,
    segmentSize: options.segmentSize ?? 64 * 1024 * 1024,
    onFailure,
  });
  const memory = new MemoryLog({
    clock,
    lastSeq,
    onAppend: (recorded) => writer.take(recorded),
  });
  return {
    appended: memory.appended,
    get lastSeq() {
      return memory.lastSeq;
    },
    append: (event) => memory.append(event),
    read: (after) => memory.read(after),
    writeNow: () => writer.writeNow(),
    flush: ({ sync = false } = {}) => writer.flush(sync),
    close: () => memory.close().then(() => writer.close()),
  };
}
