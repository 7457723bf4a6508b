import type { CommandId } from "../event/command.ts";
import type { OutputReleased } from "../event/output.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import type { SpillFiles } from "../platform/file/spill-files.ts";
import type { ByteSink, ByteSinks, Demand } from "../stream/bytes.ts";
import { ByteLog } from "./byte-log.ts";
import { Retention, type RetentionOptions } from "./retention.ts";
import { Budget } from "./spill/budget.ts";

/** How what commands write beyond memory is kept. */
export interface KeepOptions {
  readonly files: SpillFiles;
  /**
   * When a file is begun: once memory is exceeded, or with the first byte that no event carries, so
   * that events and files together hold all. `overflow` when absent.
   */
  readonly from?: "overflow" | "inline";
  /**
   * What all files together may take, in bytes; 8 GiB when absent. When a command needs more, the files
   * of ended commands are deleted, the first that ended first, and when there are none it is limited.
   */
  readonly runtimeQuotaBytes?: number;
  /** How much of the disk is left free, in bytes; 512 MiB when absent, and 0 does not look. */
  readonly freeSpaceBytes?: number;
  /** What becomes of the files when the runtime closes; their paths are in results and events. `keep` when absent. */
  readonly onClose?: "keep" | "remove";
}

/** How the bytes of a runtime's commands are kept. */
export interface ByteLogsOptions {
  /** Default: the time of this machine. */
  readonly clock?: Clock;
  /** How many of a command's first bytes stay in memory; 10 KiB when absent. */
  readonly headBytes?: number;
  /** How many of its newest bytes stay in memory; 40 KiB when absent. */
  readonly tailBytes?: number;
  /** Absent: nothing is written to disk, and the middle of a long output is forgotten. */
  readonly spill?: KeepOptions;
  /** What a command may write before `onLimit` applies, in bytes; 1 GiB when absent. */
  readonly quotaBytes?: number;
  /** `drop`: of what follows the tail alone is kept. `end`: the command is ended. `drop` when absent. */
  readonly onLimit?: "drop" | "end";
  /** How many of a command's first bytes its events carry; 4 KiB when absent. */
  readonly inlineBytes?: number;
  /** What is kept of ended commands; 500 logs and 4 GiB when absent. */
  readonly ended?: RetentionOptions;
  /** Called with each file of an ended command that is kept no more. */
  readonly onReleased?: (event: OutputReleased) => void;
}

/** What memory keeps of the beginning of a command's output, and of its end, when nothing else is said. */
export const HEAD_BYTES: number = 10 * 1024;
export const TAIL_BYTES: number = 40 * 1024;
const GIB = 2 ** 30;

/** The byte logs of one runtime. */
export class ByteLogs implements ByteSinks {
  /** How many of a command's first bytes its events carry. */
  readonly inlineBytes: number;
  readonly #options: ByteLogsOptions;
  readonly #logs = new Map<CommandId, ByteLog>();
  readonly #expected = new Map<CommandId, Set<(log: ByteLog) => void>>();
  readonly #retention: Retention;
  readonly #budget: Budget;
  #closed = false;

  constructor(options: ByteLogsOptions = {}) {
    this.#options = options;
    this.inlineBytes = Math.min(options.inlineBytes ?? 4096, options.headBytes ?? HEAD_BYTES);
    this.#retention = new Retention(options.ended ?? { logs: 500, bytes: 4 * GIB }, {
      forgotten: (log) => {
        log.release();
        this.#logs.delete(log.commandId);
      },
      released: options.onReleased ?? (() => {}),
    });
    this.#budget = new Budget(
      options.spill?.runtimeQuotaBytes ?? 8 * GIB,
      (bytes) => this.#retention.makeRoom(bytes),
    );
  }

  /** What all files hold, in bytes. */
  get spilledBytes(): number {
    return this.#budget.used;
  }

  open(commandId: CommandId, demand: Demand): ByteSink {
    if (this.#closed) throw new Error(`Cannot open a log for "${commandId}": the logs are closed`);
    if (this.#logs.has(commandId)) {
      throw new Error(`Cannot open a log for "${commandId}": there is one already`);
    }
    const { clock = systemClock, spill, quotaBytes, onLimit } = this.#options;
    const { headBytes = HEAD_BYTES, tailBytes = TAIL_BYTES } = this.#options;
    const log = new ByteLog({
      commandId,
      demand,
      clock,
      headBytes,
      tailBytes,
      ...(spill === undefined ? {} : { files: spill.files }),
      spillAfterBytes: spill?.from === "inline" ? this.inlineBytes : headBytes + tailBytes,
      quotaBytes: quotaBytes ?? GIB,
      onLimit: onLimit ?? "drop",
      freeSpaceBytes: spill?.freeSpaceBytes ?? GIB / 2,
      budget: this.#budget,
    });
    this.#logs.set(commandId, log);
    for (const call of this.#expected.get(commandId) ?? []) call(log);
    this.#expected.delete(commandId);
    return { write: (chunk, stream) => log.append(chunk, stream), end: () => this.#end(log) };
  }

  /** The log of a command; `undefined` before its first byte could come, or once it is kept no more. */
  get(commandId: CommandId): ByteLog | undefined {
    return this.#logs.get(commandId);
  }

  /** Call with the log of a command: now, or as soon as it is opened; answers how not to be called. */
  whenOpen(commandId: CommandId, call: (log: ByteLog) => void): () => void {
    const log = this.#logs.get(commandId);
    if (log !== undefined) {
      call(log);
      return () => {};
    }
    const calls = this.#expected.get(commandId) ?? new Set();
    this.#expected.set(commandId, calls.add(call));
    return () => {
      calls.delete(call);
      if (calls.size === 0) this.#expected.delete(commandId);
    };
  }

  /**
   * Keep the log of a command although its stream ends: a command may close its output and run on,
   * while any number of others end.
   *
   * @returns How to release it. Idempotent.
   */
  retain(commandId: CommandId): () => void {
    return this.#retention.retain(commandId);
  }

  /** Resolves when every file has every byte of now. */
  async flushed(): Promise<void> {
    await Promise.all([...this.#logs.values()].map((log) => log.flushed()));
  }

  /** End every log and complete or remove its file. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#retention.close();
    this.#expected.clear();
    for (const log of this.#logs.values()) log.end();
    await this.flushed();
    if (this.#options.spill?.onClose === "remove") {
      for (const log of this.#logs.values()) log.release();
    }
    this.#options.spill?.files.close();
  }

  #end(log: ByteLog): void {
    if (log.ended) return;
    log.end();
    void log.flushed().then(() => this.#retention.add(log));
  }
}
