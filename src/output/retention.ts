import type { CommandId } from "../event/command.ts";
import type { OutputReleased } from "../event/output.ts";
import type { ByteLog } from "./byte-log.ts";
import type { ByteRange } from "../stream/byte-range.ts";

/** How much of what ended is kept. */
export interface RetentionOptions {
  /** How many logs of ended commands. */
  readonly logs: number;
  /** How many bytes of ended commands, memory and files together. */
  readonly bytes: number;
}

/** What follows from too much being kept. */
export interface RetentionEvents {
  /** Nothing of this log is kept any more. */
  readonly forgotten: (log: ByteLog) => void;
  /** A file of an ended command is kept no more. */
  readonly released: (event: OutputReleased) => void;
}

/** Releases what ended first once too much is kept: whole logs, or the files of logs that keep their head and tail. */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #events: RetentionEvents;
  readonly #ended = new Map<ByteLog, number>();
  /** Those of them that have a file. */
  readonly #filed = new Set<ByteLog>();
  /** Whose logs are retained, by how many, and the logs of those whose stream has ended meanwhile. */
  readonly #retained = new Map<CommandId, { count: number; ended?: ByteLog }>();
  #bytes = 0;
  #closed = false;

  constructor(options: RetentionOptions, events: RetentionEvents) {
    this.#options = options;
    this.#events = events;
  }

  /**
   * Keep the log of a command, whether there is one yet or not, and count it as one of those that
   * ended only once everybody has let go of it.
   *
   * @returns How to let go. Idempotent.
   */
  retain(commandId: CommandId): () => void {
    const retained = this.#retained.get(commandId) ?? { count: 0 };
    this.#retained.set(commandId, retained);
    retained.count++;
    let holds = true;
    return () => {
      if (!holds) return;
      holds = false;
      if (--retained.count > 0) return;
      this.#retained.delete(commandId);
      const { ended } = retained;
      // Not at once: those who are just being told of the end may want it.
      if (ended !== undefined) queueMicrotask(() => this.add(ended));
    };
  }

  /** A command's stream ended. The newest is kept however large it is. */
  add(log: ByteLog): void {
    if (this.#closed) return;
    const retained = this.#retained.get(log.commandId);
    if (retained !== undefined) {
      retained.ended = log;
      return;
    }
    this.#count(log);
    if (log.fileBytes > 0) this.#filed.add(log);
    const { logs, bytes } = this.#options;
    for (const [oldest] of this.#ended) {
      if (this.#ended.size <= logs && this.#bytes <= bytes) return;
      if (oldest === log) return;
      if (this.#retained.has(oldest.commandId)) continue;
      this.#forget(oldest);
    }
  }

  /** Delete files, those first that ended first, until so many bytes are free; one that is there no more is free already. */
  makeRoom(bytes: number): void {
    let freed = 0;
    const giveWay = (log: ByteLog, cause: OutputReleased["cause"]) => {
      freed += log.fileBytes;
      this.#tell(log, cause, () => log.releaseFile());
      this.#count(log);
    };
    for (const log of this.#filed) if (!log.fileExists) giveWay(log, "removed");
    for (const log of this.#filed) {
      if (freed >= bytes) return;
      giveWay(log, "runtimeQuota");
    }
  }

  /** Release nothing any more. */
  close(): void {
    this.#closed = true;
  }

  #count(log: ByteLog): void {
    const size = log.memoryBytes + log.fileBytes;
    this.#bytes += size - (this.#ended.get(log) ?? 0);
    this.#ended.set(log, size);
  }

  #forget(log: ByteLog): void {
    this.#bytes -= this.#ended.get(log) ?? 0;
    this.#ended.delete(log);
    this.#tell(log, "retention", () => this.#events.forgotten(log));
  }

  /** Let go of a file, and tell which bytes went with it. */
  #tell(log: ByteLog, cause: OutputReleased["cause"], release: () => void): void {
    const { path, commandId } = log;
    if (!this.#filed.delete(log) || path === undefined) return release();
    const before = log.retainedRanges();
    release();
    const gone = without(before, log.retainedRanges());
    this.#events.released({ type: "output.released", commandId, path, gone, cause });
  }
}

/** What of some ranges is not in others. */
function without(ranges: readonly ByteRange[], kept: readonly ByteRange[]): readonly ByteRange[] {
  return ranges.flatMap(({ from, to }) => {
    const rest: ByteRange[] = [];
    let at = from;
    for (const range of kept) {
      if (range.to <= at || range.from >= to) continue;
      if (range.from > at) rest.push({ from: at, to: range.from });
      at = range.to;
    }
    return at < to ? [...rest, { from: at, to }] : rest;
  });
}
