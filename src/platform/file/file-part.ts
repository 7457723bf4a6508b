import { openRegularFile } from "./regular-file.ts";

/** A part of a file that may still grow. */
export interface FilePart {
  readonly bytes: Uint8Array;
  /** How many bytes the file had. */
  readonly total: number;
}

/** Read a part of a file; beyond its end there is nothing. */
export async function readFilePart(
  path: string,
  { from, maxBytes }: { readonly from: number; readonly maxBytes: number },
): Promise<FilePart> {
  const file = await openRegularFile(path);
  try {
    const { size: total } = await file.stat();
    const bytes = new Uint8Array(Math.max(0, Math.min(maxBytes, total - from)));
    let at = 0;
    while (at < bytes.length) {
      const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return { bytes: bytes.subarray(0, at), total };
  } finally {
    await file.close();
  }
}
