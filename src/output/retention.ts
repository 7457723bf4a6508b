import type { CommandId } from "../event/command.ts";
import type { OutputReleased } from "../event/output.ts";
import type { ByteLog } from "./byte-log.ts";

/** How much is kept of ended commands. */
export interface RetentionOptions {
  /** How many logs of ended commands. */
  readonly logs: number;
  /** How many bytes of ended commands, memory and files together. */
  readonly bytes: number;
}

/** What follows when too much is kept. */
export interface RetentionEvents {
  /** Nothing of this log is to be kept any more. */
  readonly forgotten: (log: ByteLog) => void;
  /** A file of an ended command is kept no more. */
  readonly released: (event: OutputReleased) => void;
}

/** Releases what ended first once too much is kept: whole logs, or the files of logs that keep their head and tail. */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #events: RetentionEvents;
  /** The logs of ended commands and what each occupies, in the order of their ends. */
  readonly #ended = new Map<ByteLog, number>();
  /** How often a log is retained, and the log itself once its stream has ended. */
  readonly #retained = new Map<CommandId, { count: number; ended?: ByteLog }>();
  #bytes = 0;
  #closed = false;

  constructor(options: RetentionOptions, events: RetentionEvents) {
    this.#options = options;
    this.#events = events;
  }

  /**
   * Keep the log of a command, whether there is one yet or not: it counts as ended only once every
   * call of this has been released.
   *
   * @returns How to release it. Idempotent.
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
      // Not at once: listeners of the same end may read the log.
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
    const { logs, bytes } = this.#options;
    for (const [oldest, size] of this.#ended) {
      if (this.#ended.size <= logs && this.#bytes <= bytes) return;
      if (oldest === log) return;
      if (this.#retained.has(oldest.commandId)) continue;
      this.#ended.delete(oldest);
      this.#bytes -= size;
      this.#report(oldest, "retention");
      this.#events.forgotten(oldest);
    }
  }

  /** Delete files, those first that ended first, until so many bytes are free. */
  makeRoom(bytes: number): void {
    let freed = 0;
    for (const [log] of this.#ended) {
      if (freed >= bytes) return;
      freed += log.fileBytes;
      this.#report(log, "runtimeQuota");
      log.releaseFile();
      this.#count(log);
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

  /** Report which bytes go with a file that is about to be deleted. */
  #report(log: ByteLog, cause: OutputReleased["cause"]): void {
    const { path, commandId } = log;
    if (path === undefined) return;
    const ranges = cause === "retention"
      ? log.retainedRanges()
      : log.sources(0).filter(({ stored }) => stored);
    const gone = ranges.map(({ from, to }) => ({ from, to }));
    this.#events.released({ type: "output.released", commandId, path, gone, cause });
  }
}
