import { createHash } from "node:crypto";
import { realpathSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { claimPrivateDirectory } from "../file/private-directory.ts";
import { attempt } from "../failure.ts";

/** The system takes some 108 bytes, on some systems 104, and the end of the text is one of them. */
const MAX_PATH_BYTES = 100;

/** Where the owner of a directory listens. */
export function controlPath(directory: string): string {
  const near = join(directory, "control.sock");
  if (new TextEncoder().encode(near).length <= MAX_PATH_BYTES) return near;
  const hash = createHash("sha256").update(realpathSync(directory)).digest("hex").slice(0, 32);
  return join(farSockets(), `${hash}.sock`);
}

/** Where the sockets are of directories whose own path is too long for one. */
export function farSockets(): string {
  return `/tmp/shellflow-${process.getuid?.() ?? "user"}`;
}

/**
 * Make a control path ready to be listened at: what an earlier owner left there is removed.
 *
 * @throws {Error} When other users could listen there.
 */
export function prepareControlPath(path: string): void {
  claimPrivateDirectory(dirname(path));
  removeControlPath(path);
}

/** Remove a socket at which no owner listens any more. */
export function removeControlPath(path: string): void {
  // In a directory that takes no changes any more it stays, and is refused by the kernel.
  attempt(() => unlinkSync(path));
}
