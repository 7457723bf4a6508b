import type { Observable } from "rxjs";
import type { CommandId } from "../event/command.ts";
import type { Demand } from "../stream/bytes.ts";
import { Backpressure } from "./memory/backpressure.ts";
import { HeadAndTail, type HeadAndTailOptions } from "./memory/head-and-tail.ts";
import { type Hold, Holds } from "./memory/holds.ts";
import { type ByteRange, joined, sizeOf } from "../stream/byte-range.ts";
import { follow, type FollowOptions } from "./read/follow.ts";
import { live, type LiveChunk, type LiveOptions } from "./read/live.ts";
import { checkFrom } from "./read/offsets.ts";
import { pipe, type PipeOptions } from "./read/pipe.ts";
import { readLog, type ReadOptions, type ReadResult } from "./read/read-log.ts";
import type { Readable, Source } from "./read/readable.ts";
import { Waiters } from "./read/waiters.ts";
import { Keeping, type KeepingEvent, type KeepingOptions } from "./spill/keeping.ts";

/** How one command's bytes are kept. */
export interface ByteLogOptions extends KeepingOptions, HeadAndTailOptions {
  readonly demand: Demand;
}

/** A file that outlives the log. */
export interface Artifact {
  readonly path: string;
  /** How many bytes it holds, from the first on. */
  readonly bytes: number;
}

/**
 * All that one command ever wrote, by offset: the first and the newest bytes in memory, the rest in
 * a file or, told and counted, forgotten.
 */
export class ByteLog implements Readable {
  readonly commandId: CommandId;
  readonly #options: ByteLogOptions;
  readonly #memory: HeadAndTail;
  readonly #keeping: Keeping;
  readonly #holds = new Holds(() => this.#balance());
  readonly #backpressure: Backpressure;
  readonly #changed = new Waiters();
  readonly #hasEnded = new Waiters();
  #leader: number | undefined;
  #ended = false;
  #released = false;

  constructor(options: ByteLogOptions) {
    this.commandId = options.commandId;
    this.#options = options;
    this.#memory = new HeadAndTail(options);
    this.#backpressure = new Backpressure(options.demand);
    this.#keeping = new Keeping(options, {
      source: this.#memory,
      moved: () => this.#balance(),
      end: () => options.demand.end(),
      leader: () => this.#leader,
    });
  }

  /** How many bytes there ever were: the offset after the newest. */
  get total(): number {
    return this.#memory.total;
  }

  /** No byte follows. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Nothing is kept any more; only the count is known. */
  get released(): boolean {
    return this.#released;
  }

  /** How many bytes can be read. */
  get retained(): number {
    return sizeOf(this.retainedRanges());
  }

  /** How many bytes are gone: `total` is always `retained` and `omitted` together. */
  get omitted(): number {
    return this.total - this.retained;
  }

  /** Memory that it occupies, in bytes. */
  get memoryBytes(): number {
    return this.#memory.capacity;
  }

  /** Bytes that it occupies in a file. */
  get fileBytes(): number {
    return this.#keeping.file?.readable ?? 0;
  }

  /** Memory has every byte from this offset on. */
  get tailFrom(): number {
    return this.#memory.tailFrom;
  }

  /** Where the whole stream is kept; absent while memory suffices, and once it is kept no more. */
  get path(): string | undefined {
    return this.#keeping.file?.path;
  }

  /** The file that a reader elsewhere finds bytes in; absent while there is none. */
  get artifact(): Artifact | undefined {
    const { file } = this.#keeping;
    return file?.named === true && file.readable > 0
      ? { path: file.path, bytes: file.readable }
      : undefined;
  }

  /** Its file is still where it was made, or at least open here. */
  get fileExists(): boolean {
    return this.#keeping.file?.exists ?? false;
  }

  /** What can be read, in order. */
  retainedRanges(): readonly ByteRange[] {
    return joined(this.sources(0));
  }

  /** Where the bytes from an offset on can be had, in order and without overlap: memory first, then the file. */
  sources(from: number): readonly Source[] {
    const [head, tail] = this.#memory.ranges();
    return [
      { ...head, stored: false },
      { from: head.to, to: Math.min(this.fileBytes, tail.from), stored: true },
      { ...tail, stored: false },
    ].filter((source) => source.to > Math.max(from, source.from));
  }

  /** Take the next bytes; the chunk is valid only during the call. */
  append(chunk: Uint8Array): void {
    if (chunk.length === 0 || this.#ended) return;
    this.#keeping.before(this.total + chunk.length);
    const { file } = this.#keeping;
    const needed = file !== undefined || this.#holds.size > 0;
    this.#memory.append(chunk, needed ? this.#needed() : Number.POSITIVE_INFINITY);
    if (needed) this.#balance();
    file?.grown();
    this.#changed.wake();
  }

  /** No byte follows. Idempotent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#keeping.file?.end();
    this.#backpressure.end();
    this.#changed.wake();
    this.#hasEnded.wake();
  }

  /** Learn which process the command began with. */
  ledBy(pid: number): void {
    this.#leader = pid;
  }

  /** Copy bytes from memory, at once; `undefined` when not all of them are there. */
  peek(from: number, to: number): Uint8Array | undefined {
    return this.#memory.peek(from, to);
  }

  /**
   * Read from an offset on; reading consumes nothing.
   *
   * @returns What is there, and which ranges of it are gone.
   */
  read(options: ReadOptions): Promise<ReadResult> {
    return readLog(this, this.#options.clock, options);
  }

  /** Tell which ranges are new, without their bytes, until the stream ends. */
  follow(options?: FollowOptions): Observable<ByteRange> {
    return follow(this, this.#options.clock, options);
  }

  /** Show what is new for eyes, in moments. */
  live(options?: LiveOptions): Observable<LiveChunk> {
    return live(this, this.#options.clock, options);
  }

  /** Pass every byte on until the stream ends; with `hold` the command waits for it. */
  pipeTo(
    write: (bytes: Uint8Array) => Promise<void> | void,
    options?: PipeOptions,
  ): Promise<number> {
    return pipe(this, write, options);
  }

  /** Read from the file alone, below {@linkcode ByteLog.fileBytes}; answers how many bytes it still had. */
  readFile(into: Uint8Array, from: number): Promise<number> {
    return this.#keeping.file?.read(into, from) ?? Promise.resolve(0);
  }

  /**
   * Keep every byte from an offset on until the reader has moved past it, and make the command wait when it lags.
   *
   * @returns What the reader moves on, and has to release.
   */
  hold(from: number): Hold {
    checkFrom("hold", from);
    return this.#holds.add(from);
  }

  /** Call once, when there are more bytes or when the end came; answers how not to be called. */
  onChange(call: () => void): () => void {
    return this.#changed.add(call);
  }

  /** Call once, when the end comes; answers how not to be called. */
  onEnd(call: () => void): () => void {
    return this.#ended ? () => {} : this.#hasEnded.add(call);
  }

  /** Tell what happened to the keeping of the bytes so far, and then what happens; answers how to stop. */
  onKeeping(tell: (event: KeepingEvent) => void): () => void {
    return this.#keeping.listen(tell);
  }

  /** Nothing about the keeping will be told any more. */
  get settled(): boolean {
    return this.#ended && this.#keeping.settled;
  }

  /** Resolves when the file, if there is one, has every byte of now; after the end, when it is complete. */
  async flushed(): Promise<void> {
    await this.#keeping.file?.written();
  }

  /** Forget every byte, also in the file, and read as gone from now on. Idempotent. */
  release(): void {
    if (this.#released) return;
    this.end();
    this.#released = true;
    this.#keeping.remove();
    this.#memory.clear();
    this.#changed.wake();
  }

  /** Delete the file of a stream that has ended: what memory does not hold is gone. Idempotent. */
  releaseFile(): void {
    if (this.#ended) this.#keeping.remove();
  }

  /** The oldest byte that somebody still needs in memory. */
  #needed(): number {
    return Math.min(this.#keeping.pin, this.#holds.oldest);
  }

  /** Tell the writer to wait or to go on, and let go of memory that nobody needs any more. */
  #balance(): void {
    const memory = this.#memory;
    const needed = this.#needed();
    const lag = memory.total - Math.max(memory.headTo, needed);
    if (!this.#ended) {
      const most = this.#backpressure.update(memory.total, lag);
      if (most !== undefined) this.#overrun(memory.total - most);
    }
    if (lag > 0) return;
    memory.forget(needed);
    // Whoever caught up falls behind again at once: memory is given back when nobody can any more.
    const spilling = this.#keeping.pin < Number.POSITIVE_INFINITY;
    if (this.#ended || (!spilling && this.#holds.size === 0)) memory.shrink();
  }

  /** The writer did not wait although it was told to: bounded memory matters more than the middle. */
  #overrun(limit: number): void {
    this.#holds.overrun(limit);
    this.#keeping.overrun(limit);
  }
}
