import type { CommandId } from "../../event/command.ts";
import type { OutputLimited, OutputSpilled, OutputSpillFailed } from "../../event/output.ts";
import type { SpillFiles } from "../../platform/file/spill-files.ts";
import type { Budget } from "./budget.ts";
import { type SpillSource, SpillWriter } from "./spill-writer.ts";

/** What happens to the bytes that memory does not keep. */
export type SpillEvent = OutputSpilled | OutputSpillFailed | OutputLimited;

/** What one command's bytes may take beyond memory, and where. */
export interface SpillPolicyOptions {
  readonly commandId: CommandId;
  /** Where the whole stream goes; absent: nowhere, and the middle is forgotten. */
  readonly files?: SpillFiles;
  /** Beyond how many bytes a file is begun; no more than memory holds. */
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

/** What a log gives to the spilling of its bytes. */
export interface SpillPolicyParts {
  readonly source: SpillSource;
  /** The file needs less of memory than before. */
  readonly moved: () => void;
  /** End the command. */
  readonly end: () => void;
}

/** Decides when a command's bytes begin to go to a file, and how many of them do. */
export class SpillPolicy {
  readonly #options: SpillPolicyOptions;
  readonly #parts: SpillPolicyParts;
  /** What has happened so far, for a listener that comes later; a few events at most. */
  readonly #events: SpillEvent[] = [];
  #listener: ((event: SpillEvent) => void) | undefined;
  #writer: SpillWriter | undefined;
  /** Beyond how many bytes a file is begun, and the quota reached; infinite once that was done. */
  #beginAt: number;
  #limitAt: number;

  constructor(options: SpillPolicyOptions, parts: SpillPolicyParts) {
    this.#options = options;
    this.#parts = parts;
    const { files, spillAfterBytes, quotaBytes, onLimit } = options;
    this.#beginAt = files === undefined ? Number.POSITIVE_INFINITY : spillAfterBytes;
    // Nothing is dropped of what memory holds.
    this.#limitAt = onLimit === "drop" ? Math.max(quotaBytes, spillAfterBytes) : quotaBytes;
  }

  /** Where the bytes go, once a file was begun and until it is removed. */
  get writer(): SpillWriter | undefined {
    return this.#writer;
  }

  /** The oldest byte that memory has to keep for the file; infinite when there is none. */
  get pin(): number {
    return this.#writer?.pin ?? Number.POSITIVE_INFINITY;
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

  /** The writer did not wait although it had to: bytes that the file does not have may be overwritten. */
  overrun(limit: number): void {
    if (this.pin >= limit) return;
    const { commandId } = this.#options;
    this.#writer?.fail(`Cannot spill "${commandId}": its writer does not wait for the disk`);
  }

  /** Delete the file. */
  remove(): void {
    this.#writer?.remove();
    this.#writer = undefined;
  }

  #begin(): void {
    this.#beginAt = Number.POSITIVE_INFINITY;
    const { commandId, files, budget, freeSpaceBytes, quotaBytes } = this.#options;
    if (files === undefined) return;
    const { source, moved } = this.#parts;
    const failed = (reason: string, at: number) =>
      this.#report({ type: "output.spillFailed", commandId, reason, at });
    const limited = (scope: "runtime" | "disk", limitBytes: number) =>
      this.#limited(scope, limitBytes);
    const events = { moved, failed, limited };
    try {
      this.#writer = new SpillWriter({ files, source, events, budget, freeSpaceBytes });
    } catch (cause) {
      return failed(cause instanceof Error ? cause.message : String(cause), 0);
    }
    this.#report({ type: "output.spilled", commandId, path: this.#writer.path });
    // The quota may be reached already, where it ends the command.
    if (this.#limitAt === Number.POSITIVE_INFINITY) this.#writer.stopAt(quotaBytes);
  }

  #reachQuota(): void {
    this.#limitAt = Number.POSITIVE_INFINITY;
    const { files, quotaBytes, onLimit } = this.#options;
    // That a file takes no more was reported when it happened.
    const isNew = files === undefined || this.pin < Number.POSITIVE_INFINITY;
    this.#writer?.stopAt(quotaBytes);
    if (isNew || onLimit === "end") this.#limited("command", quotaBytes);
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
