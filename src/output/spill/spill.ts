import type { CommandId } from "../../event/command.ts";
import type { OutputLimited, OutputSpilled, OutputSpillFailed } from "../../event/output.ts";
import { messageOf } from "../../platform/failure.ts";
import type { SpillFile, SpillFiles } from "../../platform/file/spill-files.ts";
import type { HeadAndTail } from "../memory/head-and-tail.ts";
import { Waiters } from "../read/waiters.ts";
import type { Budget } from "./budget.ts";

/** What happens to the bytes that memory does not keep. */
export type SpillEvent = OutputSpilled | OutputSpillFailed | OutputLimited;

/** What one command's bytes may take beyond memory, and where. */
export interface SpillOptions {
  readonly commandId: CommandId;
  /** Where the whole stream goes; absent: nowhere, and the middle is forgotten. */
  readonly files?: SpillFiles;
  /** Beyond how many bytes a file is begun; no more than memory holds. */
  readonly spillAfterBytes: number;
  /** How many bytes the file takes at most. */
  readonly quotaBytes: number;
  /** What a reached quota does to the command. */
  readonly onLimit: "drop" | "end";
  /** How much of the disk is left free, in bytes; 0 does not look. */
  readonly freeSpaceBytes: number;
  /** What all files together may take. */
  readonly budget: Budget;
}

/** What a log gives to the spilling of its bytes. */
export interface SpillParts {
  /** The bytes that the file does not have yet. */
  readonly source: Pick<HeadAndTail, "total" | "view">;
  /** The file needs less of memory than before. */
  readonly moved: () => void;
  /** End the command. */
  readonly end: () => void;
}

/** Most bytes of one write, so that a slow disk and the command work at the same time. */
const WRITE_BYTES = 64 * 1024;
/** How many bytes go by between two looks at the free space. */
const LOOK_BYTES = 16 * 1024 * 1024;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * Keeps the bytes of one command in a file, from the first byte on, one write at a time: begins it
 * when memory is exceeded, and ends it where a limit is.
 */
export class Spill {
  readonly #options: SpillOptions;
  readonly #parts: SpillParts;
  /** What has happened so far, for a listener that comes later; a few events at most. */
  readonly #events: SpillEvent[] = [];
  #listener: ((event: SpillEvent) => void) | undefined;
  /** Present once it was begun, and until it is removed. */
  #file: SpillFile | undefined;
  #flushed = 0;
  /** The file takes no byte from this offset on. */
  #stopAt = NEVER;
  /** Beyond how many bytes a file is begun, and the quota reached; infinite once that was done. */
  #beginAt: number;
  #limitAt: number;
  /** At how many bytes the free space is looked at next. */
  #lookAt: number;
  #busy = false;
  #ended = false;
  readonly #progress = new Waiters();

  constructor(options: SpillOptions, parts: SpillParts) {
    this.#options = options;
    this.#parts = parts;
    const { files, spillAfterBytes, quotaBytes, onLimit, freeSpaceBytes } = options;
    this.#beginAt = files === undefined ? NEVER : spillAfterBytes;
    // Nothing is dropped of what memory holds.
    this.#limitAt = onLimit === "drop" ? Math.max(quotaBytes, spillAfterBytes) : quotaBytes;
    this.#lookAt = freeSpaceBytes > 0 ? 0 : NEVER;
  }

  /** Where the file is; absent while there is none. */
  get path(): string | undefined {
    return this.#file?.path;
  }

  /** The file holds every byte before this offset. */
  get flushed(): number {
    return this.#flushed;
  }

  /** The oldest byte that must stay in memory, as the file is still to get it; infinite when there is none. */
  get pin(): number {
    return this.#file !== undefined && this.#flushed < this.#stopAt ? this.#flushed : NEVER;
  }

  /** Report what happened so far, and then what happens; answers how to stop. */
  listen(listener: (event: SpillEvent) => void): () => void {
    for (const event of this.#events) listener(event);
    this.#listener = listener;
    return () => this.#listener = undefined;
  }

  /** There will be so many bytes: begin a file, apply the quota, when that is due. */
  before(total: number): void {
    if (total > this.#beginAt) this.#begin();
    if (total > this.#limitAt) this.#reachQuota();
  }

  /** There are new bytes: write them, unless that is under way. */
  grown(): void {
    if (!this.#busy && this.#flushed < this.#goal) void this.#run();
  }

  /** No byte follows. */
  end(): void {
    this.#ended = true;
    if (!this.#busy) void this.#run();
  }

  /** The writer did not wait although it had to: bytes that the file does not have may be overwritten. */
  overrun(limit: number): void {
    if (this.pin >= limit) return;
    this.#fail(`Cannot spill "${this.#options.commandId}": its writer does not wait for the disk`);
  }

  /** Resolves when every byte of now is in the file, or will never be; after the end, when the file is complete. */
  async written(): Promise<void> {
    const goal = this.#parts.source.total;
    while (this.#busy && (this.#ended || this.#flushed < goal)) {
      await new Promise<void>((resolve) => void this.#progress.add(resolve));
    }
  }

  /** Read what the file holds; answers how many bytes it still had. */
  async read(into: Uint8Array, from: number): Promise<number> {
    let size = 0;
    try {
      while (size < into.length) {
        const read = await this.#file?.read(into.subarray(size), from + size) ?? 0;
        if (read === 0) break;
        size += read;
      }
    } catch {
      // It was changed from outside: what is missing is a gap to the reader.
    }
    return size;
  }

  /** Delete the file. */
  remove(): void {
    this.#options.budget.free(this.#flushed);
    this.#flushed = 0;
    this.#stopAt = 0;
    this.#file?.remove();
    this.#file = undefined;
  }

  #begin(): void {
    this.#beginAt = NEVER;
    const { commandId, files } = this.#options;
    try {
      this.#file = files?.create();
    } catch (cause) {
      return this.#report({
        type: "output.spillFailed",
        commandId,
        reason: messageOf(cause),
        at: 0,
      });
    }
    if (this.path !== undefined) {
      this.#report({ type: "output.spilled", commandId, path: this.path });
    }
  }

  #reachQuota(): void {
    this.#limitAt = NEVER;
    const { files, quotaBytes, onLimit } = this.#options;
    // That a file takes no more was reported when it happened.
    const isNew = files === undefined || this.pin < NEVER;
    this.#stopAt = Math.min(this.#stopAt, Math.max(quotaBytes, this.#flushed));
    if (isNew || onLimit === "end") this.#limited("command", quotaBytes);
  }

  /** How far to write now. */
  get #goal(): number {
    return this.#file === undefined ? 0 : Math.min(this.#parts.source.total, this.#stopAt);
  }

  async #run(): Promise<void> {
    const file = this.#file;
    if (file === undefined) return;
    this.#busy = true;
    try {
      while (this.#flushed < this.#goal) {
        if (this.#flushed >= this.#lookAt) await this.#look();
        const at = this.#flushed;
        const bytes = this.#granted(at);
        if (bytes.length === 0) continue;
        let written = 0;
        try {
          const taken = file.write(bytes);
          written = typeof taken === "number" ? taken : await taken;
        } finally {
          // After it was given up, the bytes may have been overwritten before the disk took them.
          if (at >= this.#stopAt) written = 0;
          this.#options.budget.free(bytes.length - written);
        }
        if (written === 0) throw new Error(`Cannot write to "${file.path}": no byte was taken`);
        this.#flushed = at + written;
        this.#parts.moved();
        this.#progress.wake();
      }
    } catch (cause) {
      this.#fail(messageOf(cause));
    }
    this.#busy = false;
    if (this.#ended) file.finish();
    this.#parts.moved();
    this.#progress.wake();
    this.grown();
  }

  /** The next bytes, as far as the budget of all files reaches. */
  #granted(at: number): Uint8Array {
    const { budget } = this.#options;
    const piece = this.#parts.source.view(at, Math.min(this.#goal, at + WRITE_BYTES));
    const granted = budget.take(piece.length);
    if (granted === 0 && piece.length > 0) {
      this.#stopAt = at;
      this.#limited("runtime", budget.limit);
    }
    return piece.subarray(0, granted);
  }

  async #look(): Promise<void> {
    const { files, freeSpaceBytes } = this.#options;
    this.#lookAt = this.#flushed + LOOK_BYTES;
    const free = await files?.freeBytes() ?? NEVER;
    if (free >= freeSpaceBytes + LOOK_BYTES || this.#stopAt <= this.#flushed) return;
    this.#stopAt = this.#flushed;
    this.#limited("disk", freeSpaceBytes);
  }

  /** Write nothing more: the file cannot take it. */
  #fail(reason: string): void {
    if (this.#stopAt <= this.#flushed) return;
    this.#stopAt = this.#flushed;
    const { commandId } = this.#options;
    this.#report({ type: "output.spillFailed", commandId, reason, at: this.#flushed });
    this.#parts.moved();
  }

  #limited(scope: OutputLimited["scope"], limitBytes: number): void {
    const { commandId, onLimit: action } = this.#options;
    this.#report({ type: "output.limited", commandId, limitBytes, scope, action });
    if (action === "end") this.#parts.end();
  }

  #report(event: SpillEvent): void {
    this.#events.push(event);
    this.#listener?.(event);
  }
}
