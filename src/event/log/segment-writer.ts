import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { SegmentFile, SegmentFiles } from "../../platform/file/segment-files.ts";
import type { Recorded } from "../event.ts";
import { cannotWrite, type LogError } from "./log-error.ts";
import { checkedLine, headerLine, segmentName } from "./segment.ts";

/** How a {@linkcode SegmentWriter} writes. */
export interface SegmentWriterOptions {
  readonly files: SegmentFiles;
  readonly clock: Clock;
  /** How long an event waits for others at most, in milliseconds. */
  readonly batchMs: number;
  /** How many events are written at once, at most. */
  readonly batchEvents: number;
  /** A segment that has become larger than this is followed by a new one; in UTF-16 code units. */
  readonly segmentSize: number;
  /** Called once, when no event will be written any more. */
  readonly onFailure: (cause: LogError) => void;
}

/**
 * Writes events to segments, many at once.
 *
 * A batch is one synchronous write to the memory of the system, which takes some ten microseconds;
 * only a sync waits for the disk. After a failure it writes nothing any more: a log that ends is
 * sound, one with a gap is not.
 */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  #waiting: Recorded[] = [];
  #file: SegmentFile | undefined;
  #size = 0;
  #written: number;
  /** Resolves when all that was to reach the disk so far has done so: no file is closed before that. */
  #syncing: Promise<unknown> = Promise.resolve();
  #cancelTimer: CancelTimer | undefined;
  #failure: LogError | undefined;

  /** @param lastSeq The last event that is already written. */
  constructor(lastSeq: number, options: SegmentWriterOptions) {
    this.#options = options;
    this.#written = lastSeq;
  }

  /** Take the next event; it is written soon. */
  take(recorded: Recorded): void {
    if (this.#failure !== undefined) return;
    const { batchEvents, batchMs, clock } = this.#options;
    this.#waiting.push(recorded);
    if (this.#waiting.length >= batchEvents) return this.writeNow();
    this.#cancelTimer ??= clock.after(batchMs, () => this.writeNow());
  }

  /** Write what waits: it survives the end of this process, and not a loss of power. */
  writeNow(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const events = this.#waiting;
    if (events.length === 0) return;
    this.#waiting = [];
    try {
      this.#write(events);
    } catch (cause) {
      this.#fail(cause);
    }
  }

  /** Write what waits; with `sync`, resolve when it survives a loss of power, too. */
  async flush(sync: boolean): Promise<void> {
    this.writeNow();
    if (sync && this.#failure === undefined) {
      const synced = Promise.all([this.#syncing, this.#file?.sync()]);
      await (this.#syncing = synced.catch((cause) => this.#fail(cause)));
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  async close(): Promise<void> {
    this.writeNow();
    // More may be asked for meanwhile.
    for (let last: unknown; last !== this.#syncing;) await (last = this.#syncing);
    this.#file?.close();
    this.#file = undefined;
  }

  #write(events: readonly Recorded[]): void {
    const { segmentSize, clock } = this.#options;
    let text = "";
    if (this.#file === undefined || this.#size > segmentSize) {
      this.#nextSegment();
      text = headerLine(this.#written + 1, clock.now());
    }
    for (const recorded of events) text += checkedLine(recorded);
    this.#file?.write(text);
    this.#size += text.length;
    this.#written = events.at(-1)?.seq ?? this.#written;
  }

  #nextSegment(): void {
    const before = this.#file;
    this.#file = undefined;
    if (before !== undefined) {
      // A later sync reaches the new file only.
      const synced = before.sync().catch((cause) => this.#fail(cause));
      this.#syncing = Promise.all([this.#syncing, synced]).then(() => before.close());
    }
    // Nothing is overwritten: a name that is taken belongs to a segment without a readable event.
    for (let attempt = 1; this.#file === undefined; attempt++) {
      this.#file = this.#options.files.create(segmentName(this.#written + 1, attempt));
    }
    this.#size = 0;
  }

  #fail(cause: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = cannotWrite(this.#options.files.path, cause);
    this.#waiting = [];
    this.#options.onFailure(this.#failure);
  }
}
