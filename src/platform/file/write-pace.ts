import { statfsSync } from "node:fs";

/** A write that takes longer, in milliseconds, waited for the disk; up to it, perhaps only for the processor. */
const QUICK_MS = 20;
const FIRST_REST = 128;
const LONGEST_REST = 8192;
/** After so many quick writes in a row the disk has recovered. */
const RECOVERED = 256;

/** File systems of Linux on which a write goes to memory first, and a wait for the disk is short. */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, // ext
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0x01021994, // tmpfs
  0x794c7630, // overlay
]);

/**
 * Decides whether the next write is done at once or by the thread pool.
 *
 * To hand a write to a thread costs as much as the write itself while the system takes it into
 * memory. After one that waited for the disk, the thread pool writes for a while, which doubles each
 * time. On file systems that can hang, it always does.
 */
export class WritePace {
  readonly #local: boolean;
  #rest = 0;
  #nextRest = FIRST_REST;
  #quick = 0;

  /** @param directory Where the files are; it has to exist. */
  constructor(directory: string) {
    this.#local = isLocal(directory);
  }

  /** Whether the next write is done at once. */
  next(): boolean {
    if (!this.#local) return false;
    if (this.#rest === 0) return true;
    this.#rest--;
    return false;
  }

  /** Note how long a write at once took, in milliseconds. */
  took(ms: number): void {
    if (ms <= QUICK_MS) {
      if (++this.#quick === RECOVERED) this.#nextRest = FIRST_REST;
      return;
    }
    this.#quick = 0;
    this.#rest = this.#nextRest;
    this.#nextRest = Math.min(LONGEST_REST, 2 * this.#nextRest);
  }
}

function isLocal(directory: string): boolean {
  try {
    return LOCAL.has(Number(statfsSync(directory).type));
  } catch {
    return false;
  }
}
