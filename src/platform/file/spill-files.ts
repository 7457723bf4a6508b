import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { lstat, statfs } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import process from "node:process";
import { type CommandProcesses, isOpenBy } from "../process/open-files.ts";
import { claimPrivateDirectory } from "./private-directory.ts";
import { QuickWriter } from "./write/quick-writer.ts";

/** One file that a command's bytes are kept in; its name tells nothing and was never there before. */
export interface SpillFile {
  /** Where it is. */
  readonly path: string;
  /**
   * Write at its end, which is at this offset, at once; answers how many bytes were taken, which may be fewer, or
   * `undefined` where the disk may have to be waited for, and {@linkcode SpillFile.write} is to be used.
   */
  writeNow(bytes: Uint8Array, at: number): number | undefined;
  /** Write at its end; the bytes have to stay as they are until it resolves with how many were taken. */
  write(bytes: Uint8Array, at: number): Promise<number>;
  /** Read at an offset into a buffer; answers how many bytes there were. */
  read(into: Uint8Array, at: number): Promise<number>;
  /** How many bytes the disk holds of it; `undefined` when nothing leads to it any more. */
  size(): number | undefined;
  /** See where it stands, at once where that is quick. */
  look(): SpillPlace | Promise<SpillPlace>;
  /** The same, or `undefined` where the disk may have to be waited for. */
  lookNow(): SpillPlace | undefined;
  /** Whether a process of a command has it open, where the system tells. */
  isOpenBy(command: CommandProcesses): boolean;
  /** No byte follows: free what writing needs, not what reading needs, and see where it stands, at once where that is quick. */
  finish(): SpillPlace | Promise<SpillPlace>;
  /** Delete it, if its path still leads to it, and free everything. Idempotent. */
  remove(): void;
}

/** Where a file stands. */
export interface SpillPlace {
  /** Whether its path still leads to it. */
  readonly present: boolean;
  /** How many bytes it has; absent where its path does not lead to it. */
  readonly size?: number;
  /** How many bytes the disk still takes from this user; infinite where it does not tell. */
  readonly freeBytes: number;
}

/** The private directory of one runtime in which the bytes of its commands are kept. */
export interface SpillFiles {
  /** An absolute path. */
  readonly directory: string;
  /** Make a new, empty file. */
  create(): SpillFile;
  /** Undo what it changed in the process; files stay, and the directory with them. Idempotent. */
  close(): void;
}

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR } = fs.constants;

/**
 * Bytes go to the end of the file wherever that is: when somebody else cuts it short, it stays too
 * short. By offset the next write would fill the hole with zeros, and nothing would tell.
 */
const NEW_FILE = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_APPEND;

/**
 * Keep bytes in files of mode 0600 in a directory of mode 0700, which is made when first needed.
 *
 * @param directory An absolute path; one that exists must belong to this user and to nobody else.
 */
export function spillFiles(directory: string): SpillFiles {
  if (!isAbsolute(directory)) throw new Error(`Cannot spill into "${directory}": not absolute`);
  const root = resolve(directory);
  let restore: (() => void) | undefined;
  let writer: QuickWriter | undefined;
  return {
    directory: root,
    create: () => {
      restore ??= surviveFileSizeLimit();
      claimPrivateDirectory(root);
      const path = join(root, `${randomBytes(16).toString("hex")}.out`);
      writer ??= new QuickWriter(root);
      return new PrivateFile(path, fs.openSync(path, NEW_FILE, 0o600), writer);
    },
    close: () => {
      if (restore === undefined) return;
      restore();
      restore = undefined;
      try {
        fs.rmdirSync(root);
      } catch {
        // There are files in it that somebody wants.
      }
    },
  };
}

class PrivateFile implements SpillFile {
  readonly path: string;
  readonly #identity: string;
  readonly #writer: QuickWriter;
  #fd: number | undefined;
  /** Calls under way; a descriptor closed under one of them could be another file's by then. */
  #busy = 0;
  #closing = false;
  #removed = false;

  constructor(path: string, fd: number, writer: QuickWriter) {
    this.path = path;
    this.#writer = writer;
    this.#fd = fd;
    this.#identity = identityOf(fs.fstatSync(fd));
  }

  writeNow(bytes: Uint8Array, at: number): number | undefined {
    const fd = this.#fd;
    if (fd === undefined || this.#closing) throw this.#gone();
    return this.#writer.write(fd, bytes, at);
  }

  write(bytes: Uint8Array, at: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const fd = this.#fd;
      if (fd === undefined || this.#closing) return reject(this.#gone());
      this.#busy++;
      fs.write(fd, bytes, 0, bytes.length, at, (cause, written) => {
        this.#done();
        if (cause) reject(cause);
        else resolve(written);
      });
    });
  }

  read(into: Uint8Array, at: number): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#removed) return reject(this.#gone());
      const fd = this.#fd ?? this.#reopen();
      if (fd === this.#fd) this.#busy++;
      fs.read(fd, into, 0, into.length, at, (cause, read) => {
        if (fd === this.#fd) this.#done();
        else fs.closeSync(fd);
        if (cause) reject(cause);
        else resolve(read);
      });
    });
  }

  size(): number | undefined {
    const fd = this.#fd;
    if (fd !== undefined) return orNothing(() => fs.fstatSync(fd))?.size;
    const stat = orNothing(() => fs.lstatSync(this.path));
    return stat !== undefined && identityOf(stat) === this.#identity ? stat.size : undefined;
  }

  look(): SpillPlace | Promise<SpillPlace> {
    return this.lookNow() ?? this.#lookLater();
  }

  lookNow(): SpillPlace | undefined {
    if (!this.#writer.local) return undefined;
    const stat = orNothing(() => fs.lstatSync(this.path));
    return this.#place(stat, orNothing(() => fs.statfsSync(dirname(this.path))));
  }

  isOpenBy(command: CommandProcesses): boolean {
    return isOpenBy(this.path, command);
  }

  finish(): SpillPlace | Promise<SpillPlace> {
    const finished = (place: SpillPlace) => {
      // What lost its name can be read through the descriptor alone, so that one is kept open.
      if (place.present) this.#close();
      return place;
    };
    const place = this.look();
    return place instanceof Promise ? place.then(finished) : finished(place);
  }

  remove(): void {
    if (this.#removed) return;
    this.#removed = true;
    this.#close();
    try {
      if (identityOf(fs.lstatSync(this.path)) === this.#identity) fs.unlinkSync(this.path);
    } catch {
      // Whoever removed it first has done what was wanted.
    }
  }

  async #lookLater(): Promise<SpillPlace> {
    const stat = await lstat(this.path).catch(() => undefined);
    return this.#place(stat, await statfs(dirname(this.path)).catch(() => undefined));
  }

  #place(stat: fs.Stats | undefined, disk: fs.StatsFs | undefined): SpillPlace {
    const present = stat !== undefined && identityOf(stat) === this.#identity;
    return {
      present,
      ...(present && { size: stat.size }),
      freeBytes: disk === undefined
        ? Number.POSITIVE_INFINITY
        : Number(disk.bavail) * Number(disk.bsize),
    };
  }

  /** A finished file has given its descriptor back: hundreds of them may be kept. */
  #reopen(): number {
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
    return new Error(`Cannot use "${this.path}": it was removed or replaced`);
  }
}

function orNothing<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** The mode is in it because the number of a deleted file is given to the next one: a link, say. */
function identityOf({ dev, ino, mode }: fs.Stats): string {
  return `${dev}:${ino}:${mode}`;
}

/** Deno leaves SIGXFSZ deadly; Node ignores it, and a write past the limit is then an error like any other. */
function surviveFileSizeLimit(): () => void {
  if (!("Deno" in globalThis)) return () => {};
  const ignore = () => {};
  process.on("SIGXFSZ", ignore);
  return () => process.off("SIGXFSZ", ignore);
}
