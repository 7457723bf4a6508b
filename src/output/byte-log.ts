import type { Observable } from "rxjs";
import type { CommandId } from "../event/command.ts";
import type { OutputLimited, OutputSpilled, OutputSpillFailed } from "../event/output.ts";
import type { Clock } from "../platform/clock.ts";
import type { SpillFiles } from "../platform/file/spill-files.ts";
import type { Demand } from "../stream/bytes.ts";
import { Backpressure } from "./memory/backpressure.ts";
import { Head } from "./memory/head.ts";
import { type Hold, Holds } from "./memory/holds.ts";
import { Ring } from "./memory/ring.ts";
import { Notices } from "./notices.ts";
import { joined, type Range, sizeOf } from "./range.ts";
import { follow, type FollowOptions } from "./read/follow.ts";
import { live, type LiveChunk, type LiveOptions } from "./read/live.ts";
import { pipe, type PipeOptions } from "./read/pipe.ts";
import { readLog, type ReadOptions, type ReadResult } from "./read/read-log.ts";
import type { Readable, Source } from "./read/readable.ts";
import type { Budget } from "./spill/budget.ts";
import { Spill } from "./spill/spill.ts";

/** Something about the keeping of the bytes that readers have to know. */
export type KeepingEvent = OutputSpilled | OutputSpillFailed | OutputLimited;

/** How one command's bytes are kept. */
export interface ByteLogOptions {
  readonly commandId: CommandId;
  readonly demand: Demand;
  readonly clock: Clock;
  /** How many of the first bytes stay in memory. */
  readonly headBytes: number;
  /** How many of the newest bytes stay in memory. */
  readonly tailBytes: number;
  /** Where the whole stream goes; absent: nowhere, and the middle is forgotten. */
  readonly spill?: SpillFiles;
  /** Beyond how many bytes a file is begun; no more than `headBytes` and `tailBytes` together. */
  readonly spillAfterBytes: number;
  /** How many bytes the file takes at most. */
  readonly quotaBytes: number;
  /** What a reached quota does to the command. */
  readonly onLimit: "drop" | "end";
  /** How much of the disk is left free. */
  readonly freeSpaceBytes: number;
  /** What all files together may take. */
  readonly budget: Budget;
}

/**
 * All that one command ever wrote, by offset: the first and the newest bytes in memory, the rest in
 * a file or, told and counted, forgotten.
 */
export class ByteLog implements Readable {
  readonly commandId: CommandId;
  readonly #options: ByteLogOptions;
  readonly #head: Head;
  readonly #ring: Ring;
  readonly #holds = new Holds(() => this.#balance());
  readonly #notices = new Notices<KeepingEvent>();
  readonly #backpressure: Backpressure;
  #waiters = new Set<() => void>();
  #endWaiters = new Set<() => void>();
  #total = 0;
  #ended = false;
  #released = false;
  #begun = false;
  #limited = false;
  #spill: Spill | undefined;
  /** The total at which something has to be decided: a file begun, a quota told. */
  #mark: number;

  constructor(options: ByteLogOptions) {
    this.commandId = options.commandId;
    this.#options = options;
    this.#head = new Head(options.headBytes);
    this.#ring = new Ring(options.headBytes, options.tailBytes);
    this.#backpressure = new Backpressure(options.demand);
    this.#mark = this.#nextMark();
  }

  /** How many bytes there ever were: the offset after the newest. */
  get total(): number {
    return this.#total;
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
    return this.#total - this.retained;
  }

  /** Memory that it occupies, in bytes. */
  get memoryBytes(): number {
    return this.#head.capacity + this.#ring.capacity;
  }

  /** Bytes that it occupies in a file. */
  get fileBytes(): number {
    return this.#spill?.readable ?? 0;
  }

  /** Memory has every byte from this offset on. */
  get tailFrom(): number {
    return this.#ring.from <= this.#head.size ? 0 : Math.min(this.#ring.from, this.#total);
  }

  /** Where the whole stream is kept; absent while memory suffices. */
  get path(): string | undefined {
    return this.#spill?.path;
  }

  /** What can be read, in order. */
  retainedRanges(): readonly Range[] {
    return joined(this.sources(0));
  }

  /** Where the bytes from an offset on can be had, in order and without overlap: memory first, then the file. */
  sources(from: number): readonly Source[] {
    const head = this.#head.size;
    const ring = Math.max(this.#ring.from, head);
    return [
      { from: 0, to: head, stored: false },
      { from: head, to: Math.min(this.fileBytes, ring), stored: true },
      { from: ring, to: this.#ring.to, stored: false },
    ].filter((source) => source.to > Math.max(from, source.from));
  }

  /** Take the next bytes; the chunk is valid only during the call. */
  append(chunk: Uint8Array): void {
    if (chunk.length === 0 || this.#ended) return;
    const total = this.#total + chunk.length;
    if (total > this.#mark) this.#decide(total);
    const taken = this.#head.append(chunk);
    if (taken < chunk.length) {
      const rest = taken === 0 ? chunk : chunk.subarray(taken);
      this.#ring.append(rest, this.#keepFrom(total));
    }
    this.#total = total;
    if (this.#spill !== undefined || this.#holds.size > 0) this.#balance();
    this.#spill?.grown();
    if (this.#waiters.size > 0) this.#wake();
  }

  /** No byte follows. Idempotent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#spill?.end();
    this.#backpressure.end();
    this.#wake();
    const waiters = [...this.#endWaiters];
    this.#endWaiters.clear();
    for (const call of waiters) call();
  }

  /** Copy bytes from memory, at once; `undefined` when not all of them are there. */
  peek(from: number, to: number): Uint8Array | undefined {
    if (from < 0 || to > this.#total || from > to) return undefined;
    const inHead = Math.max(0, Math.min(to, this.#head.size) - from);
    if (inHead < to - from && from + inHead < this.#ring.from) return undefined;
    const bytes = new Uint8Array(to - from);
    if (inHead > 0) bytes.set(this.#head.view(from, from + inHead));
    if (inHead < bytes.length) this.#ring.copy(from + inHead, to, bytes, inHead);
    return bytes;
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
  follow(options?: FollowOptions): Observable<Range> {
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
    return this.#spill?.read(into, from) ?? Promise.resolve(0);
  }

  /**
   * Keep every byte from an offset on until the reader has moved past it, and make the command wait when it lags.
   *
   * @returns What the reader moves on, and has to release.
   */
  hold(from: number): Hold {
    return this.#holds.add(from);
  }

  /** Call once, when there are more bytes or when the end came; answers how not to be called. */
  onChange(call: () => void): () => void {
    const waiters = this.#waiters;
    waiters.add(call);
    return () => waiters.delete(call);
  }

  /** Call once, when the end comes; answers how not to be called. */
  onEnd(call: () => void): () => void {
    const waiters = this.#endWaiters;
    if (!this.#ended) waiters.add(call);
    return () => waiters.delete(call);
  }

  /** Tell what happened to the keeping of the bytes so far, and then what happens; answers how to stop. */
  onKeeping(tell: (event: KeepingEvent) => void): () => void {
    return this.#notices.listen(tell);
  }

  /** Nothing about the keeping will be told any more. */
  get settled(): boolean {
    return this.#ended && (this.#spill === undefined || this.#spill.finished);
  }

  /** Resolves when the file, if there is one, has every byte of now; after the end, when it is complete. */
  async flushed(): Promise<void> {
    await this.#spill?.written();
  }

  /** Forget every byte, also in the file, and read as gone from now on. Idempotent. */
  release(): void {
    if (this.#released) return;
    this.end();
    this.#released = true;
    this.#spill?.remove();
    this.#head.clear();
    this.#ring.clear();
    this.#wake();
  }

  /** The oldest byte that the ring has to keep once `total` are there. */
  #keepFrom(total: number): number {
    const wanted = total - this.#options.tailBytes;
    if (this.#spill === undefined && this.#holds.size === 0) return wanted;
    return Math.min(wanted, this.#pin());
  }

  #pin(): number {
    return Math.max(
      this.#head.size,
      Math.min(this.#spill?.pin ?? Number.POSITIVE_INFINITY, this.#holds.oldest),
    );
  }

  /** Tell the writer to wait or to go on, and let go of memory that nobody needs any more. */
  #balance(): void {
    const lag = this.#total - this.#pin();
    if (!this.#ended) {
      const most = this.#backpressure.update(this.#total, lag);
      if (most !== undefined) this.#overrun(this.#total - most);
    }
    if (lag > 0) return;
    this.#ring.forget(this.#keepFrom(this.#total));
    // Whoever caught up falls behind again at once: memory is given back when nobody can any more.
    const spilling = this.#spill !== undefined && this.#spill.pin < Number.POSITIVE_INFINITY;
    if (this.#ended || (!spilling && this.#holds.size === 0)) this.#ring.shrink();
  }

  /** The writer did not wait although it was told to: bounded memory matters more than the middle. */
  #overrun(limit: number): void {
    this.#holds.overrun(limit);
    if (this.#spill === undefined || this.#spill.pin >= limit) return;
    this.#spill.fail(`Cannot spill "${this.commandId}": its writer does not wait for the disk`);
  }

  #nextMark(): number {
    const { quotaBytes, spill, spillAfterBytes } = this.#options;
    const limit = this.#limited ? Number.POSITIVE_INFINITY : quotaBytes;
    if (spill === undefined || this.#begun) return limit;
    return Math.min(limit, spillAfterBytes);
  }

  /** Do what is due once there are so many bytes. */
  #decide(total: number): void {
    const { quotaBytes, spill, spillAfterBytes } = this.#options;
    if (spill !== undefined && !this.#begun && total > spillAfterBytes) this.#begin(spill);
    if (total > quotaBytes && !this.#limited) {
      this.#limited = true;
      const keeps = this.#spill !== undefined && this.#spill.pin < Number.POSITIVE_INFINITY;
      this.#spill?.stopAt(quotaBytes);
      if (keeps || this.#options.onLimit === "end") this.#limit("command", quotaBytes);
    }
    this.#mark = this.#nextMark();
  }

  #begin(files: SpillFiles): void {
    this.#begun = true;
    const { clock, budget, freeSpaceBytes } = this.#options;
    const view = (from: number, to: number) =>
      from < this.#head.size ? this.#head.view(from, to) : this.#ring.view(from, to);
    const total = () => this.#total;
    try {
      this.#spill = new Spill({
        files,
        clock,
        budget,
        freeSpaceBytes,
        source: {
          get total() {
            return total();
          },
          view,
        },
        events: {
          moved: () => this.#balance(),
          failed: (reason, at) => this.#failed(reason, at),
          limited: (scope, limitBytes) => this.#limit(scope, limitBytes),
        },
      });
    } catch (cause) {
      return this.#failed(cause instanceof Error ? cause.message : String(cause), 0);
    }
    const { commandId } = this;
    this.#notices.tell({ type: "output.spilled", commandId, path: this.#spill.path });
  }

  #failed(reason: string, at: number): void {
    if (this.#released) return;
    this.#notices.tell({ type: "output.spillFailed", commandId: this.commandId, reason, at });
  }

  #limit(scope: OutputLimited["scope"], limitBytes: number): void {
    const { commandId } = this;
    const { onLimit: action, demand } = this.#options;
    this.#notices.tell({ type: "output.limited", commandId, limitBytes, scope, action });
    if (action === "end") demand.end();
  }

  #wake(): void {
    const waiters = this.#waiters;
    if (waiters.size === 0) return;
    this.#waiters = new Set();
    for (const call of waiters) call();
  }
}
