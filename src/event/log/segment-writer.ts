import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { SegmentFile, SegmentFiles } from "../../platform/file/segment-files.ts";
import { Deque } from "../../stream/deque.ts";
import type { Recorded } from "../event.ts";
import { cannotWrite, type LogError } from "./log-error.ts";
import { eventLine, headerLine, segmentName } from "./segment.ts";

/** How a {@linkcode SegmentWriter} writes. */
export interface SegmentWriterOptions {
  readonly files: SegmentFiles;
  readonly clock: Clock;
  /** How long an event waits for others at most, in milliseconds. */
  readonly batchMs: number;
  /** How many events are written at once, at most. */
  readonly batchEvents: number;
  /** How many events may wait to be written; beyond it, the writer fails. */
  readonly maxWaiting: number;
  /** Make every batch survive a loss of power. */
  readonly sync: boolean;
  /** A segment that has become larger than this is followed by a new one; in UTF-16 code units. */
  readonly segmentSize: number;
  /** Hears, once, that no event will be written any more. */
  readonly onFailure: (cause: LogError) => void;
}

/** Who waits until an event is written. */
interface Waiter {
  readonly seq: number;
  readonly sync: boolean;
  readonly resolve: () => void;
  readonly reject: (cause: LogError) => void;
}

/**
 * Writes events to segments, many at once.
 *
 * After a failure it writes nothing any more: a log that ends is sound, one with a gap is not.
 */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #waiting: Deque<Recorded> = new Deque();
  #flushes: Waiter[] = [];
  #file: SegmentFile | undefined;
  #size = 0;
  #written: number;
  #synced: number;
  #taken: number;
  #cancelTimer: CancelTimer | undefined;
  #writing = false;
  /** Whether what waits has waited long enough. */
  #due = false;
  #failure: LogError | undefined;

  /** @param lastSeq The last event that is already written. */
  constructor(lastSeq: number, options: SegmentWriterOptions) {
    this.#options = options;
    this.#taken = lastSeq;
    this.#written = lastSeq;
    this.#synced = lastSeq;
  }

  /** Take the next event; it is written soon. */
  take(recorded: Recorded): void {
    if (this.#failure !== undefined) return;
    const { batchEvents, batchMs, clock, maxWaiting } = this.#options;
    this.#taken = recorded.seq;
    this.#waiting.push(recorded);
    if (this.#waiting.size > maxWaiting) {
      return this.#fail(new Error(`${this.#waiting.size} events wait to be written`));
    }
    if (this.#waiting.size >= batchEvents) return this.#start();
    this.#cancelTimer ??= clock.after(batchMs, () => {
      this.#cancelTimer = undefined;
      this.#due = true;
      this.#start();
    });
  }

  /** Resolves when every event taken so far is written, and if wanted, survives a loss of power. */
  flush(sync: boolean = this.#options.sync): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#flushes.push({ seq: this.#taken, sync, resolve, reject });
      this.#start();
    });
  }

  /** Write what waits, and release the file. */
  async close(): Promise<void> {
    await this.flush().catch(() => {});
    await this.#file?.close().catch(() => {});
  }

  /** Write what is due, in one loop at a time. */
  #start(): void {
    if (this.#writing) return;
    this.#writing = true;
    this.#write().catch((cause: unknown) => this.#fail(cause));
  }

  async #write(): Promise<void> {
    const { batchEvents } = this.#options;
    while (this.#due || this.#waiting.size >= batchEvents || this.#flushes.length > 0) {
      this.#due = false;
      if (this.#waiting.size > 0) await this.#writeBatch();
      if (this.#options.sync || this.#flushes.some((flush) => flush.sync)) await this.#sync();
      this.#release();
    }
    // In the same turn as the last look at what is due: whatever comes later starts a new loop.
    this.#writing = false;
  }

  async #writeBatch(): Promise<void> {
    const { batchEvents, segmentSize, clock } = this.#options;
    let text = "";
    let last = this.#written;
    for (let n = 0; n < batchEvents; n++) {
      const recorded = this.#waiting.shift();
      if (recorded === undefined) break;
      text += eventLine(recorded);
      last = recorded.seq;
    }
    let file = this.#file;
    if (file === undefined || this.#size > segmentSize) {
      file = await this.#nextSegment();
      text = headerLine(this.#written + 1, clock.now()) + text;
    }
    await file.write(text);
    this.#size += text.length;
    this.#written = last;
  }

  async #nextSegment(): Promise<SegmentFile> {
    // A later sync reaches the new file only.
    await this.#sync();
    await this.#file?.close();
    // Nothing is overwritten: a name that is taken belongs to a segment without a readable event.
    for (let attempt = 1;; attempt++) {
      const name = segmentName(this.#written + 1, attempt);
      const file = await this.#options.files.create(name);
      if (file === undefined) continue;
      this.#file = file;
      this.#size = 0;
      return file;
    }
  }

  async #sync(): Promise<void> {
    const written = this.#written;
    if (this.#synced === written) return;
    await this.#file?.sync();
    this.#synced = written;
  }

  #release(): void {
    const done = ({ seq, sync }: Waiter) => seq <= this.#written && (!sync || seq <= this.#synced);
    const ready = this.#flushes.filter(done);
    if (ready.length === 0) return;
    this.#flushes = this.#flushes.filter((flush) => !done(flush));
    for (const { resolve } of ready) resolve();
  }

  #fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    const failure = cannotWrite(this.#options.files.path, cause);
    this.#failure = failure;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    while (this.#waiting.shift() !== undefined) { /* It can never be written. */ }
    const flushes = this.#flushes;
    this.#flushes = [];
    for (const { reject } of flushes) reject(failure);
    this.#options.onFailure(failure);
  }
}
