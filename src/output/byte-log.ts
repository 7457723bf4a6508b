import type { Observable } from "rxjs";
import type { CommandId } from "../event/command.ts";
import type { Clock } from "../platform/clock.ts";
import { type ByteRange, joined, sizeOf } from "../stream/byte-range.ts";
import type { Demand, OutputStream } from "../stream/bytes.ts";
import { checkLimits } from "../value/check-limits.ts";
import { Backpressure } from "./memory/backpressure.ts";
import { HeadAndTail, type HeadAndTailOptions } from "./memory/head-and-tail.ts";
import { type Hold, Holds } from "./memory/holds.ts";
import { follow, type FollowOptions } from "./read/follow.ts";
import { pieces, type PiecesOptions } from "./read/pieces.ts";
import { readLog, type ReadOptions, type ReadResult } from "./read/read-bytes.ts";
import type { Readable, Source } from "./read/readable.ts";
import { Waiters } from "./read/waiters.ts";
import { Spill, type SpillEvent, type SpillOptions } from "./spill/spill.ts";

/** How one command's bytes are kept. */
export interface ByteLogOptions extends SpillOptions, HeadAndTailOptions {
  readonly demand: Demand;
  readonly clock: Clock;
}

/** A file that outlives the log. */
export interface Artifact {
  readonly path: string;
  /** How many bytes it holds, from the first on. */
  readonly bytes: number;
}

/** The output of a task as its readers have it: what writes to it, and frees it, is the runtime's. */
export type TaskOutput = Omit<
  ByteLog,
  "announce" | "append" | "end" | "onAppend" | "onSpill" | "release" | "releaseFile" | "takeStderr"
>;

/**
 * All that one command ever wrote, by offset: the first and the newest bytes in memory, the rest in
 * a file or, counted and reported, forgotten. `for await` reads it in pieces, from the first byte on.
 */
export class ByteLog implements Readable, AsyncIterable<ReadResult> {
  readonly commandId: CommandId;
  readonly #clock: Clock;
  readonly #memory: HeadAndTail;
  readonly #spill: Spill;
  readonly #holds = new Holds(() => this.#balance());
  readonly #backpressure: Backpressure;
  readonly #changed = new Waiters();
  readonly #hasEnded = new Waiters();
  #appended: (when: "soon" | "now") => void = () => {};
  /** What came from standard error and was not announced yet. */
  #stderr: ByteRange[] = [];
  #ended = false;
  #released = false;

  constructor({ demand, clock, ...options }: ByteLogOptions) {
    this.commandId = options.commandId;
    this.#clock = clock;
    this.#memory = new HeadAndTail(options);
    this.#backpressure = new Backpressure(demand);
    this.#spill = new Spill(options, {
      source: this.#memory,
      moved: () => this.#balance(),
      end: () => this.#backpressure.endWriter(),
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
    return this.#spill.flushed;
  }

  /** Where the whole stream is kept; absent while memory suffices, and once it is kept no more. */
  get path(): string | undefined {
    return this.#spill.path;
  }

  /** The file in which bytes can be read without the log; absent while there is none. */
  get artifact(): Artifact | undefined {
    const { path, fileBytes: bytes } = this;
    return path !== undefined && bytes > 0 ? { path, bytes } : undefined;
  }

  /** What can be read, in order. */
  retainedRanges(): readonly ByteRange[] {
    return joined(this.sources(0));
  }

  /** Where the bytes from an offset on are, in order and without overlap: memory first, then the file. */
  sources(from: number): readonly Source[] {
    const [head, tail] = this.#memory.ranges();
    return [
      { ...head, stored: false },
      { from: head.to, to: Math.min(this.fileBytes, tail.from), stored: true },
      { ...tail, stored: false },
    ].filter((source) => source.to > Math.max(from, source.from));
  }

  /** Take the next bytes; the chunk is valid only during the call. */
  append(chunk: Uint8Array, stream?: OutputStream): void {
    if (chunk.length === 0 || this.#ended) return;
    if (stream === "stderr") {
      const from = this.#stderr.at(-1)?.to === this.total ? this.#stderr.pop()?.from : undefined;
      this.#stderr.push({ from: from ?? this.total, to: this.total + chunk.length });
    }
    this.#spill.before(this.total + chunk.length);
    const isNeeded = this.path !== undefined || this.#holds.size > 0;
    this.#memory.append(chunk, isNeeded ? this.#needed() : Number.POSITIVE_INFINITY);
    if (isNeeded) this.#balance();
    this.#spill.grown();
    this.#appended("soon");
    this.#changed.wake();
  }

  /** No byte follows. Idempotent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#spill.end();
    this.#backpressure.end();
    this.#changed.wake();
    this.#hasEnded.wake();
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
    return readLog(this, this.#clock, options);
  }

  /** Report which ranges are new, without their bytes, until the stream ends. */
  follow(options?: FollowOptions): Observable<ByteRange> {
    return follow(this, this.#clock, options);
  }

  /**
   * Read piece by piece, as fast as the caller takes them, until the output ends.
   *
   * @returns Pieces that adjoin; `gaps` of a piece says which of its bytes are kept nowhere any more.
   *
   * @example Read a command's output while it runs
   * ```ts
   * import { createRuntime } from "shellflow";
   *
   * await using runtime = await createRuntime({ mode: "bypass" });
   * const running = runtime.start("printf one; sleep 0.1; printf two");
   * const decoder = new TextDecoder();
   * let text = "";
   * for await (const { bytes } of await running.output ?? []) {
   *   text += decoder.decode(bytes, { stream: true });
   * }
   * if (text !== "onetwo") throw new Error("unexpected");
   * ```
   */
  pieces(options: PiecesOptions = {}): AsyncGenerator<ReadResult, void, undefined> {
    return pieces(this, options);
  }

  /** The same as {@linkcode ByteLog.pieces}, for `for await`. */
  [Symbol.asyncIterator](): AsyncGenerator<ReadResult, void, undefined> {
    return this.pieces();
  }

  /** Read from the file alone, below {@linkcode ByteLog.fileBytes}; answers how many bytes it still had. */
  readFile(into: Uint8Array, from: number): Promise<number> {
    return this.#spill.read(into, from);
  }

  /**
   * Keep every byte from an offset on until the reader has moved past it, and make the command wait when it lags.
   *
   * @returns What the reader moves on, and has to release.
   */
  hold(from: number): Hold {
    checkLimits("hold", { from });
    return this.#holds.add(from);
  }

  /**
   * Call after each append, and when all that was appended is to be announced at once; there is one
   * such listener at a time. Answers how not to be called.
   */
  onAppend(call: (when: "soon" | "now") => void): () => void {
    this.#appended = call;
    return () => this.#appended = () => {};
  }

  /** Take the ranges that came from standard error, up to an offset; those beyond it stay. */
  takeStderr(to: number): readonly ByteRange[] {
    if (this.#stderr.length === 0) return [];
    const taken = this.#stderr.filter(({ from }) => from < to);
    this.#stderr = this.#stderr.filter((range) => range.to > to)
      .map((range) => ({ ...range, from: Math.max(range.from, to) }));
    return taken.map((range) => ({ ...range, to: Math.min(range.to, to) }));
  }

  /** Announce all that was appended, before an event of the command that is no output. */
  announce(): void {
    this.#appended("now");
  }

  /** Call once, when there are more bytes or when the end came; answers how not to be called. */
  onChange(call: () => void): () => void {
    return this.#changed.add(call);
  }

  /** Call once, when the end comes; answers how not to be called. */
  onEnd(call: () => void): () => void {
    return this.#ended ? () => {} : this.#hasEnded.add(call);
  }

  /** Report what happened to the bytes beyond memory so far, and then what happens; answers how to stop. */
  onSpill(listener: (event: SpillEvent) => void): () => void {
    return this.#spill.listen(listener);
  }

  /** Resolves when the file, if there is one, has every byte of now; after the end, when it is complete. */
  async flushed(): Promise<void> {
    await this.#spill.written();
  }

  /** Forget every byte, also in the file, and read as gone from now on. Idempotent. */
  release(): void {
    if (this.#released) return;
    this.end();
    this.#released = true;
    this.#spill.remove();
    this.#memory.clear();
    this.#changed.wake();
  }

  /** Delete the file of a stream that has ended: what memory does not hold is gone. Idempotent. */
  releaseFile(): void {
    if (this.#ended) this.#spill.remove();
  }

  /** The oldest byte that is still needed in memory. */
  #needed(): number {
    return Math.min(this.#spill.pin, this.#holds.oldest);
  }

  /** Pause or resume the writer, and forget what is needed no more. */
  #balance(): void {
    const memory = this.#memory;
    const needed = this.#needed();
    const lag = memory.total - Math.max(memory.headTo, needed);
    if (!this.#ended) {
      const most = this.#backpressure.update(memory.total, lag);
      if (most !== undefined) {
        // The writer did not wait although it had to: bounded memory matters more than the middle.
        this.#holds.overrun(memory.total - most);
        this.#spill.overrun(memory.total - most);
      }
    }
    if (lag > 0) return;
    memory.forget(needed);
    // A reader that lags will lag again at once: memory is given back when none can any more.
    const spilling = this.#spill.pin < Number.POSITIVE_INFINITY;
    if (this.#ended || (!spilling && this.#holds.size === 0)) memory.shrink();
  }
}
