import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { statfs } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import process from "node:process";
import { claimPrivateDirectory } from "./private-directory.ts";
import { WritePace } from "./write-pace.ts";

/** One file that a command's bytes are kept in, under a name that cannot be guessed. */
export interface SpillFile {
  readonly path: string;
  /**
   * Write at its end; answers how many bytes were taken, which may be fewer. Where the disk may have to
   * be waited for, that is a promise, and the bytes have to stay as they are until it resolves.
   */
  write(bytes: Uint8Array): number | Promise<number>;
  /** Read at an offset into a buffer; answers how many bytes there were. */
  read(into: Uint8Array, at: number): Promise<number>;
  /** No byte follows: free what writing needs, not what reading needs. */
  finish(): void;
  /** Delete it, if its path still leads to it, and free everything. Idempotent. */
  remove(): void;
}

/** The private directory of one runtime in which the bytes of its commands are kept. */
export interface SpillFiles {
  /** An absolute path. */
  readonly directory: string;
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
 */
export function spillFiles(directory: string): SpillFiles {
  if (!isAbsolute(directory)) throw new Error(`Cannot spill into "${directory}": not absolute`);
  const root = resolve(directory);
  let restore: (() => void) | undefined;
  let pace: WritePace | undefined;
  return {
    directory: root,
    create: () => {
      restore ??= surviveFileSizeLimit();
      claimPrivateDirectory(root);
      const path = join(root, `${randomBytes(16).toString("hex")}.out`);
      pace ??= new WritePace(root);
      return new PrivateFile(path, fs.openSync(path, NEW_FILE, 0o600), pace);
    },
    freeBytes: async () => {
      const disk = await statfs(root).catch(() => undefined);
      return disk === undefined ? Number.POSITIVE_INFINITY : disk.bavail * disk.bsize;
    },
    close: () => {
      if (restore === undefined) return;
      restore();
      restore = undefined;
      try {
        fs.rmdirSync(root);
      } catch {
        // There are files in it.
      }
    },
  };
}

class PrivateFile implements SpillFile {
  readonly path: string;
  readonly #identity: string;
  readonly #pace: WritePace;
  #fd: number | undefined;
  #size = 0;
  /** Calls under way; a descriptor closed under one of them could be another file's by then. */
  #busy = 0;
  #closing = false;
  #removed = false;

  constructor(path: string, fd: number, pace: WritePace) {
    this.path = path;
    this.#pace = pace;
    this.#fd = fd;
    this.#identity = identityOf(fs.fstatSync(fd));
  }

  write(bytes: Uint8Array): number | Promise<number> {
    const fd = this.#fd;
    if (fd === undefined || this.#closing) throw this.#gone();
    if (!this.#pace.next()) return this.#writeLater(fd, bytes);
    const start = performance.now();
    const written = fs.writeSync(fd, bytes, 0, bytes.length, null);
    this.#pace.took(performance.now() - start);
    this.#size += written;
    return written;
  }

  #writeLater(fd: number, bytes: Uint8Array): Promise<number> {
    this.#busy++;
    return new Promise((resolve, reject) =>
      fs.write(fd, bytes, 0, bytes.length, null, (cause, written) => {
        this.#size += written ?? 0;
        this.#done();
        if (cause) reject(cause);
        else resolve(written);
      })
    );
  }

  read(into: Uint8Array, at: number): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#removed) throw this.#gone();
      const fd = this.#fd ?? this.#reopened();
      const ours = fd === this.#fd;
      if (ours) this.#busy++;
      fs.fstat(fd, (cause, stat) => {
        const end = (cause: Error | null, read: number) => {
          if (ours) this.#done();
          else fs.closeSync(fd);
          if (cause) reject(cause);
          else resolve(read);
        };
        if (cause) return end(cause, 0);
        if (stat.size < this.#size) return end(this.#gone(), 0);
        fs.read(fd, into, 0, into.length, at, end);
      });
    });
  }

  finish(): void {
    this.#close();
  }

  remove(): void {
    if (this.#removed) return;
    this.#removed = true;
    this.#close();
    try {
      if (identityOf(fs.lstatSync(this.path)) === this.#identity) fs.unlinkSync(this.path);
    } catch {
      // It is gone already.
    }
  }

  /** A finished file has given its descriptor back: hundreds of them may be kept. */
  #reopened(): number {
    const fd = fs.openSync(this.path, O_RDONLY | O_NOFOLLOW);
    if (identityOf(fs.fstatSync(fd)) === this.#identity) return fd;
    fs.closeSync(fd);
    throw this.#gone();
  }

  #close(): void {
    if (this.#fd === undefined) return;
    this.#closing = true;
    if (this.#busy > 0) return;
    fs.closeSync(this.#fd);
    this.#fd = undefined;
  }

  #done(): void {
    this.#busy--;
    if (this.#closing) this.#close();
  }

  #gone(): Error {
    return new Error(`Cannot use "${this.path}": it was removed, replaced or cut short`);
  }
}

/** The mode is in it because the number of a deleted file is given to the next one: a link, say. */
function identityOf({ dev, ino, mode }: fs.Stats): string {
  return `${dev}:${ino}:${mode}`;
}

/** On Deno SIGXFSZ ends the process; Node ignores it, and a write past the limit is then an error like any other. */
function surviveFileSizeLimit(): () => void {
  if (!("Deno" in globalThis)) return () => {};
  const ignore = () => {};
  process.on("SIGXFSZ", ignore);
  return () => process.off("SIGXFSZ", ignore);
}
