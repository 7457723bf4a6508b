import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { open, statfs } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import process from "node:process";
import { claimPrivateDirectory } from "./private-directory.ts";
import { removeAtExit } from "./temporary.ts";
import { attempt } from "../failure.ts";

/** One file that a command's bytes are kept in, under a name that cannot be guessed. */
export interface SpillFile {
  readonly path: string;
  /**
   * Write at its end; answers how many bytes were taken, which may be fewer. The bytes have to stay as
   * they are until a promise of that resolves.
   */
  write(bytes: Uint8Array): number | Promise<number>;
  /** Read at an offset into a buffer; answers how many bytes there were. */
  read(into: Uint8Array, at: number): Promise<number>;
  /** No byte follows: free what writing needs, not what reading needs. */
  finish(): void;
  /** Delete it, and free everything. Idempotent. */
  remove(): void;
}

/** The private directory of one runtime in which the bytes of its commands are kept. */
export interface SpillFiles {
  /** An absolute path. */
  readonly directory: string;
  /** Make the directory now, and not when it is first needed. */
  prepare(): void;
  /** Make a new, empty file. */
  create(): SpillFile;
  /** How many bytes the disk still takes from this user; infinite where the system does not say. */
  freeBytes(): Promise<number>;
  /** Undo what it changed in the process; files stay, and the directory with them. Idempotent. */
  close(): void;
}

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = fs.constants;

/** Added to its end, so that a file that was cut short from outside stays too short, which its size shows. */
const NEW_FILE = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_APPEND;

/**
 * Keep bytes in files of mode 0600 in a directory of mode 0700, which is made when first needed.
 *
 * @param directory An absolute path; one that exists must belong to this user, and to this user alone.
 * @param temporary It goes with this process at the latest.
 */
export function spillFiles(directory: string, temporary = false): SpillFiles {
  if (!isAbsolute(directory)) throw new Error(`Cannot spill into "${directory}": not absolute`);
  const root = resolve(directory);
  let restore: (() => void) | undefined;
  let local: boolean | undefined;
  let keepAfterExit: (() => void) | undefined;
  let claimed = false;
  const prepare = () => {
    claimPrivateDirectory(root);
    claimed = true;
    if (temporary) keepAfterExit ??= removeAtExit(root);
  };
  return {
    directory: root,
    prepare,
    create: () => {
      restore ??= surviveFileSizeLimit();
      prepare();
      local ??= isLocal(root);
      return new PrivateFile(join(root, `${randomBytes(16).toString("hex")}.out`), local);
    },
    freeBytes: async () => {
      const disk = await statfs(root).catch(() => undefined);
      return disk === undefined ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize;
    },
    close: () => {
      if (!claimed) return;
      restore?.();
      restore = undefined;
      keepAfterExit?.();
      attempt(() => fs.rmdirSync(root)); // there may be files in it
    },
  };
}

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

function isLocal(directory: string): boolean {
  return LOCAL.has(Number(attempt(() => fs.statfsSync(directory).type)));
}

/** A write that takes longer, in milliseconds, waited for the disk; up to it, perhaps only for the processor. */
const QUICK_MS = 20;

class PrivateFile implements SpillFile {
  readonly path: string;
  /** Write at once, which costs half of what it takes to hand a write to a thread. */
  #atOnce: boolean;
  #fd: number | undefined;
  #size = 0;
  /** A descriptor closed under a write could be another file's by then. */
  #writing = false;
  #finished = false;

  constructor(path: string, atOnce: boolean) {
    this.path = path;
    this.#atOnce = atOnce;
    this.#fd = fs.openSync(path, NEW_FILE, 0o600);
  }

  write(bytes: Uint8Array): number | Promise<number> {
    const fd = this.#fd;
    if (fd === undefined || this.#finished) throw this.#gone();
    if (!this.#atOnce) return this.#writeLater(fd, bytes);
    const start = performance.now();
    const written = fs.writeSync(fd, bytes, 0, bytes.length, null);
    this.#size += written;
    this.#atOnce = performance.now() - start <= QUICK_MS;
    return written;
  }

  #writeLater(fd: number, bytes: Uint8Array): Promise<number> {
    this.#writing = true;
    return new Promise((resolve, reject) => {
      fs.write(fd, bytes, 0, bytes.length, null, (cause, written) => {
        this.#size += written ?? 0;
        this.#writing = false;
        if (this.#finished) this.finish();
        if (cause) reject(cause);
        else resolve(written);
      });
    });
  }

  /** By a descriptor of its own: hundreds of finished files may be kept. */
  async read(into: Uint8Array, at: number): Promise<number> {
    const file = await open(this.path, O_RDONLY | O_NOFOLLOW);
    try {
      // As it is now: while the size is asked for, more is written.
      const size = this.#size;
      if ((await file.stat()).size < size) throw this.#gone();
      return (await file.read(into, 0, into.length, at)).bytesRead;
    } finally {
      await file.close();
    }
  }

  finish(): void {
    this.#finished = true;
    if (this.#fd === undefined || this.#writing) return;
    fs.closeSync(this.#fd);
    this.#fd = undefined;
  }

  remove(): void {
    this.finish();
    fs.rmSync(this.path, { force: true });
  }

  #gone(): Error {
    return new Error(`Cannot use "${this.path}": it was removed or cut short`);
  }
}

/** On Deno SIGXFSZ ends the process; Node ignores it, and a write past the limit is then an error like any other. */
function surviveFileSizeLimit(): () => void {
  if (!("Deno" in globalThis)) return () => {};
  const ignore = () => {};
  process.on("SIGXFSZ", ignore);
  return () => process.off("SIGXFSZ", ignore);
}
