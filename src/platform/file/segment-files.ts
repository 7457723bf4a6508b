import {
  closeSync,
  createReadStream,
  fdatasync,
  fstatSync,
  fsync,
  openSync,
  type Stats,
  writeSync,
} from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { kindOf } from "./regular-file.ts";
import { promisify } from "node:util";
import { codeOf, messageOf } from "../failure.ts";

/** A file that only grows. */
export interface SegmentFile {
  /** Append the text as a whole; the system has it when this returns, so that it survives this process. */
  write(text: string): void;
  /** Resolves when everything written survives a loss of power. */
  sync(): Promise<void>;
  close(): void;
}

/** A directory of files that are written once, from beginning to end. */
export interface SegmentFiles {
  readonly path: string;
  /** The path of a file in it. */
  pathOf(name: string): string;
  /** The names of its files, sorted. */
  list(): Promise<readonly string[]>;
  /** The text of a file, piece by piece, decoded as UTF-8. */
  read(name: string): AsyncIterable<string>;
  /** The bytes of a file from an offset on, piece by piece. */
  bytes(name: string, from: number): AsyncIterable<Uint8Array>;
  /** Make a file of this name, for this user alone; `undefined` when there is one already. */
  create(name: string): SegmentFile | undefined;
}

const PIECE_BYTES = 256 * 1024;

/** What a path leads to. */
export type PathKind = "directory" | "file" | "missing";

/**
 * Find out what a path leads to.
 *
 * @throws {Error} `Cannot read "<path>": <why>`, for anything but a directory or a regular file.
 */
export async function pathKind(path: string): Promise<PathKind> {
  let kind: Stats;
  try {
    kind = await stat(path);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT" || codeOf(cause) === "ENOTDIR") return "missing";
    throw unreadable(path, cause);
  }
  if (kind.isDirectory()) return "directory";
  if (kind.isFile()) return "file";
  throw new Error(`Cannot read "${path}": it is ${kindOf(kind)}, not a regular file`);
}

/** The files of a directory. */
export function segmentFiles(directory: string): SegmentFiles {
  return {
    path: directory,
    pathOf: (name) => join(directory, name),
    list: async () => {
      const names = await readdir(directory).catch((cause) => {
        throw unreadable(directory, cause);
      });
      return names.sort();
    },
    read: (name) =>
      createReadStream(join(directory, name), { encoding: "utf8", highWaterMark: PIECE_BYTES }),
    bytes: (name, start) =>
      createReadStream(join(directory, name), { start, highWaterMark: PIECE_BYTES }),
    create: (name) => create(join(directory, name)),
  };
}

/** A single file, as if its directory held nothing else. */
export function singleFile(path: string): SegmentFiles {
  return { ...segmentFiles(dirname(path)), path, list: () => Promise.resolve([basename(path)]) };
}

function create(path: string): SegmentFile | undefined {
  let fd: number;
  try {
    fd = openSync(path, "ax", 0o600);
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return undefined;
    throw cause;
  }
  const encoder = new TextEncoder();
  let named: Promise<void> | undefined;
  return {
    write: (text) => {
      const bytes = encoder.encode(text);
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
      // The system takes bytes for a removed file as well, and no one could ever read them.
      if (fstatSync(fd).nlink === 0) throw new Error(`"${path}" was removed`);
    },
    sync: async () => {
      await promisify(fdatasync)(fd);
      await (named ??= syncDirectory(dirname(path)));
    },
    close: () => closeSync(fd),
  };
}

/** A new file survives a loss of power only when the directory that names it does. */
async function syncDirectory(path: string): Promise<void> {
  try {
    const fd = openSync(path, "r");
    await promisify(fsync)(fd).finally(() => closeSync(fd));
  } catch {
    // Not every system lets a directory be opened or synced; those keep its entries by themselves.
  }
}

/** `Cannot read "<path>": <why>`, as the system says it. */
function unreadable(path: string, cause: unknown): Error {
  return new Error(`Cannot read "${path}": ${messageOf(cause)}`, { cause });
}
