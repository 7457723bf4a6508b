import type { Observable } from "rxjs";
import { makePrivateDirectory } from "../../platform/file/private-directory.ts";
import { type SegmentFiles, segmentFiles } from "../../platform/file/segment-files.ts";
import type { Recorded, RuntimeEvent } from "../event.ts";
import type { EventLog } from "./log.ts";
import { cannotWrite, type LogError } from "./log-error.ts";
import { MemoryLog, type MemoryLogOptions } from "./memory-log.ts";
import { type ReadLogOptions, readSegments } from "./read-log.ts";
import { segmentNames } from "./segment.ts";
import { SegmentWriter, type SegmentWriterOptions } from "./segment-writer.ts";

/** Where a {@linkcode FileLog} is, and how it writes. */
export interface FileLogOptions
  extends
    Pick<MemoryLogOptions, "clock" | "keep">,
    ReadLogOptions,
    Partial<Pick<SegmentWriterOptions, "batchMs" | "batchEvents">> {
  /** Where the segments are; it is made when there is none. */
  readonly directory: string;
  /** A segment larger than this is followed by a new one, in UTF-16 code units; 64 Mi by default. */
  readonly segmentSize?: number;
  /** Called once, when events are kept in memory only from now on. */
  readonly onFailure: (cause: LogError) => void;
  /** Called for each event that was recorded earlier, in order, before the log is handed out. */
  readonly onEarlier?: (recorded: Recorded) => void;
  /** The directory as a port; by default, that of the file system. */
  readonly files?: SegmentFiles;
}

/**
 * The events of a runtime in files, one line of JSON each, with the newest also in memory.
 *
 * Each opening begins a new segment after the last readable event, so nothing is ever overwritten
 * or truncated. Events are written in batches: a crash of the host loses those of the last moments,
 * unless {@linkcode FileLog.writeNow} was called. Only the owner of a directory may write to it.
 */
export class FileLog implements EventLog {
  readonly #memory: MemoryLog;
  readonly #writer: SegmentWriter;
  #closing: Promise<void> | undefined;

  /** Use {@linkcode openFileLog}, which knows what is written already. */
  constructor(memory: MemoryLog, writer: SegmentWriter) {
    this.#memory = memory;
    this.#writer = writer;
  }

  /** Each event from now on. */
  get appended(): Observable<Recorded> {
    return this.#memory.appended;
  }

  /** The newest place taken; 0 when empty. */
  get lastSeq(): number {
    return this.#memory.lastSeq;
  }

  /** The oldest place still in memory. */
  get firstSeq(): number {
    return this.#memory.firstSeq;
  }

  /** Give the event its place and keep it; it is written soon. */
  append(event: RuntimeEvent): Recorded {
    return this.#memory.append(event);
  }

  /** The events still held in memory from `after` (exclusive) on, then each new one. */
  read(after?: number): Observable<Recorded> {
    return this.#memory.read(after);
  }

  /** Write everything appended so far: it survives the end of this process, and not a loss of power. */
  writeNow(): void {
    this.#writer.writeNow();
  }

  /**
   * Write everything appended so far.
   *
   * @param options.sync Wait until it survives a loss of power, too.
   * @throws {LogError} When something could not be written.
   */
  flush({ sync = false }: { readonly sync?: boolean } = {}): Promise<void> {
    return this.#writer.flush(sync);
  }

  /** Complete every reader, write what waits, and release the file. Idempotent. */
  close(): Promise<void> {
    return this.#closing ??= this.#memory.close().then(() => this.#writer.close());
  }
}

/**
 * Open the log of a directory, to go on after its last readable event.
 *
 * @throws {LogError} When the directory cannot be used, or what is in it cannot be read.
 */
export async function openFileLog(options: FileLogOptions): Promise<FileLog> {
  const { directory, clock, keep, onFailure } = options;
  const files = options.files ?? segmentFiles(directory);
  if (options.files === undefined) {
    try {
      makePrivateDirectory(directory);
    } catch (cause) {
      throw cannotWrite(directory, cause);
    }
  }
  const lastSeq = await lastRead(files, options);
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
    ...(keep !== undefined && { keep }),
  });
  return new FileLog(memory, writer);
}

async function lastRead(
  files: SegmentFiles,
  { onEarlier, onDamage }: Pick<FileLogOptions, "onEarlier" | "onDamage">,
): Promise<number> {
  const names = segmentNames(await files.list());
  const options = onDamage === undefined ? {} : { onDamage };
  let last = 0;
  if (onEarlier !== undefined) {
    for await (const recorded of readSegments(files, names, options)) {
      last = recorded.seq;
      onEarlier(recorded);
    }
    return last;
  }
  // Nothing else of the log is wanted: the newest segment that holds an event is enough.
  for (const name of names.toReversed()) {
    for await (const { seq } of readSegments(files, [name], options)) last = seq;
    if (last > 0) return last;
  }
  return last;
}
