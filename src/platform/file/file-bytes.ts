import { readFileSync, statSync } from "node:fs";
import { openRegularFile } from "./regular-file.ts";
import { attempt, codeOf, messageOf } from "../failure.ts";

/** A stretch of a file. */
export interface FileRange {
  readonly from: number;
  readonly to: number;
}

/** The bytes of a file as they were when it was opened, read by offset. */
export interface FileBytes {
  /** How many there are. */
  readonly total: number;
  /** Read from an offset on, as much as one read gives; what the file lost meanwhile is a gap. */
  read(options: { readonly from: number; readonly maxBytes: number }): Promise<{
    readonly from: number;
    readonly bytes: Uint8Array;
    readonly gaps: readonly FileRange[];
  }>;
  close(): Promise<void>;
}

/** However much is asked for, no read takes more memory. */
const MOST_BYTES = 1024 * 1024;

/**
 * Open a regular file to read parts of it.
 *
 * @throws {Error} `Cannot read "<path>": <why>`.
 */
export async function openFileBytes(path: string): Promise<FileBytes> {
  try {
    const file = await openRegularFile(path);
    const stat = await file.stat();
    return {
      total: stat.size,
      read: async ({ from, maxBytes }) => {
        const size = Math.min(MOST_BYTES, maxBytes, Math.max(0, stat.size - from));
        const into = new Uint8Array(size);
        const { bytesRead } = size === 0 ? { bytesRead: 0 } : await file.read(into, 0, size, from);
        const lost = size > 0 && bytesRead === 0 ? [{ from, to: from + size }] : [];
        return { from, bytes: into.subarray(0, bytesRead), gaps: lost };
      },
      close: () => file.close(),
    };
  } catch (cause) {
    throw new Error(`Cannot read "${path}": ${reasonOf(cause)}`, { cause });
  }
}

function reasonOf(cause: unknown): string {
  if (codeOf(cause) === "ENOENT") return "there is no such file";
  if (codeOf(cause) === "EACCES") return "this user may not";
  return messageOf(cause);
}

/** Read a whole file, if it is there. */
export function readWholeFile(path: string): Uint8Array | undefined {
  return attempt(() => readFileSync(path));
}

/** How many bytes a file has; 0 where there is none. */
export function fileSize(path: string): number {
  return attempt(() => statSync(path).size) ?? 0;
}
