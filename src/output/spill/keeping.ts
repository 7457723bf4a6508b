import type { CommandId } from "../../event/command.ts";
import type { OutputLimited, OutputSpilled, OutputSpillFailed } from "../../event/output.ts";
import type { Clock } from "../../platform/clock.ts";
import type { SpillFiles } from "../../platform/file/spill-files.ts";
import { Notices } from "../notices.ts";
import type { Budget } from "./budget.ts";
import { Spill, type SpillSource } from "./spill.ts";

/** Something about the keeping of the bytes that readers have to know. */
export type KeepingEvent = OutputSpilled | OutputSpillFailed | OutputLimited;

/** What one command's bytes may take beyond memory, and where. */
export interface KeepingOptions {
  readonly commandId: CommandId;
  readonly clock: Clock;
  /** Where the whole stream goes; absent: nowhere, and the middle is forgotten. */
  readonly spill?: SpillFiles;
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

/** What a log gives to the keeping of its bytes. */
export interface KeepingParts {
  readonly source: SpillSource;
  /** The file needs less of memory than before. */
  readonly moved: () => void;
  /** End the command. */
  readonly end: () => void;
  /** The first process of the command, where there is one. */
  readonly leader: () => number | undefined;
}

/** Decides when a command's bytes begin to go to a file, and how many of them do, and tells of it. */
export class Keeping {
  readonly #options: KeepingOptions;
  readonly #parts: KeepingParts;
  readonly #notices = new Notices<KeepingEvent>();
  #spill: Spill | undefined;
  #begun = false;
  #limited = false;
  #removed = false;
  /** The total at which something has to be decided: a file begun, a quota told. */
  #mark: number;

  constructor(options: KeepingOptions, parts: KeepingParts) {
    this.#options = options;
    this.#parts = parts;
    this.#mark = this.#nextMark();
  }

  /** Where the bytes go, once a file was begun and until it is removed. */
  get file(): Spill | undefined {
    return this.#spill;
  }

  /** The oldest byte that memory has to keep for the file; infinite when there is none. */
  get pin(): number {
    return this.#spill?.pin ?? Number.POSITIVE_INFINITY;
  }

  /** Nothing will be told any more, once the stream has ended. */
  get settled(): boolean {
    return this.#spill === undefined || this.#spill.finished;
  }

  /** Tell what happened so far, and then what happens; answers how to stop. */
  listen(tell: (event: KeepingEvent) => void): () => void {
    return this.#notices.listen(tell);
  }

  /** There will be so many bytes: do what is due. */
  before(total: number): void {
    if (total > this.#mark) this.#decide(total);
  }

  /** The writer did not wait although it was told to: bytes that the file does not have may go. */
  overrun(limit: number): void {
    if (this.pin >= limit) return;
    const { commandId } = this.#options;
    this.#spill?.fail(`Cannot spill "${commandId}": its writer does not wait for the disk`);
  }

  /** Delete the file, and tell no more of it. */
  remove(): void {
    this.#removed = true;
    this.#spill?.remove();
    this.#spill = undefined;
  }

  #nextMark(): number {
    const { spill, spillAfterBytes } = this.#options;
    const limit = this.#limited ? Number.POSITIVE_INFINITY : this.#limitAt;
    if (spill === undefined || this.#begun) return limit;
    return Math.min(limit, spillAfterBytes);
  }

  /** Beyond how many bytes the quota does something: nothing is dropped of what memory holds. */
  get #limitAt(): number {
    const { quotaBytes, spill, spillAfterBytes, onLimit } = this.#options;
    const drops = spill === undefined && onLimit === "drop";
    return drops ? Math.max(quotaBytes, spillAfterBytes) : quotaBytes;
  }

  #decide(total: number): void {
    const { quotaBytes, spill, spillAfterBytes } = this.#options;
    if (spill !== undefined && !this.#begun && total > spillAfterBytes) this.#begin(spill);
    if (total > this.#limitAt && !this.#limited) {
      this.#limited = true;
      // Of a file that takes no more, that was told already.
      const news = spill === undefined || this.pin < Number.POSITIVE_INFINITY;
      this.#spill?.stopAt(quotaBytes);
      if (news || this.#options.onLimit === "end") this.#limit("command", quotaBytes);
    }
    this.#mark = this.#nextMark();
  }

  #begin(files: SpillFiles): void {
    this.#begun = true;
    const { commandId, clock, budget, freeSpaceBytes } = this.#options;
    const { source, moved } = this.#parts;
    const writers = () => {
      const leader = this.#parts.leader();
      return leader === undefined ? undefined : { leader, commandId };
    };
    const events = {
      moved,
      failed: (reason: string, at: number) => this.#failed(reason, at),
      limited: (scope: "runtime" | "disk", limitBytes: number) => this.#limit(scope, limitBytes),
    };
    try {
      this.#spill = new Spill({ files, clock, source, events, budget, freeSpaceBytes, writers });
    } catch (cause) {
      return this.#failed(cause instanceof Error ? cause.message : String(cause), 0);
    }
    this.#notices.tell({ type: "output.spilled", commandId, path: this.#spill.path });
    // A quota that was reached while memory still held all: only now something is dropped for it.
    if (!this.#limited) return;
    const { quotaBytes, onLimit } = this.#options;
    this.#spill.stopAt(quotaBytes);
    if (onLimit === "drop") this.#limit("command", quotaBytes);
  }

  #failed(reason: string, at: number): void {
    if (this.#removed) return;
    const { commandId } = this.#options;
    this.#notices.tell({ type: "output.spillFailed", commandId, reason, at });
  }

  #limit(scope: OutputLimited["scope"], limitBytes: number): void {
    const { commandId, onLimit: action } = this.#options;
    this.#notices.tell({ type: "output.limited", commandId, limitBytes, scope, action });
    if (action === "end") this.#parts.end();
  }
}
