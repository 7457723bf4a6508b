import { createReadStream, type Stats } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { unreadable } from "./unreadable.ts";
import { kindOf } from "./regular-file.ts";

/** A file that only grows. */
export interface SegmentFile {
  /** Append the text as a whole. */
  write(text: string): Promise<void>;
  /** Resolves when what was written survives a loss of power. */
  sync(): Promise<void>;
  /** Release it. Idempotent. */
  close(): Promise<void>;
}

/** A directory of files that are written once, from beginning to end. */
export interface SegmentFiles {
  /** Its path. */
  readonly path: string;
  /** The path of a file in it. */
  pathOf(name: string): string;
  /** The names of its files, sorted. */
  list(): Promise<readonly string[]>;
  /** The text of a file, piece by piece, decoded as UTF-8. */
  read(name: string): AsyncIterable<string>;
  /** Make a file of this name, for the owner alone; `undefined` when there is one already. */
  create(name: string): Promise<SegmentFile | undefined>;
}

/** What a path leads to. */
export type PathKind = "directory" | "file" | "missing";

/**
 * Find out what a path leads to.
 *
 * @throws {Error} `Cannot read "<path>": <why>`, when it is neither a directory nor a regular file, or cannot be told.
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
      createReadStream(join(directory, name), { encoding: "utf8", highWaterMark: 256 * 1024 }),
    create: (name) => create(join(directory, name)),
  };
}

/** A single file, as if its directory held nothing else. */
export function singleFile(path: string): SegmentFiles {
  return { ...segmentFiles(dirname(path)), path, list: () => Promise.resolve([basename(path)]) };
}

async function create(path: string): Promise<SegmentFile | undefined> {
  let handle: FileHandle;
  try {
    handle = await open(path, "ax", 0o600);
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return undefined;
    throw cause;
  }
  let entered = false;
  let closing: Promise<void> | undefined;
  return {
    write: async (text) => {
      await handle.appendFile(text, "utf8");
      // A file that was removed takes whatever is written to it, and nobody can read it.
      if ((await handle.stat()).nlink === 0) throw new Error(`"${path}" was removed`);
    },
    sync: async () => {
      await handle.datasync();
      if (!entered) await syncDirectory(dirname(path));
      entered = true;
    },
    close: () => closing ??= handle.close(),
  };
}

/** A new file survives a loss of power only when the directory that names it does. */
async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r").catch(() => undefined);
  // Not every system lets a directory be opened or synced; those keep its entries by themselves.
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}
