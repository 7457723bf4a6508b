import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { makePrivateDirectory } from "./private-directory.ts";

/**
 * Write a file for this user alone, and its directories where they lack; what was there is replaced.
 *
 * @throws What the system says, when it cannot be written.
 */
export async function writePrivateFile(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  makePrivateDirectory(dirname(path));
  const file = await open(path, "w", 0o600);
  try {
    for await (const piece of pieces) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}
