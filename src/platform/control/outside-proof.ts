import { createHmac, randomBytes } from "node:crypto";
import { linkSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, codeOf } from "../failure.ts";
import { claimPrivateDirectory } from "../file/private-directory.ts";
import { farSockets } from "./control-path.ts";

/**
 * What a process shows to the owner of a directory: that it is of this user, and in no sandbox. It
 * comes from a secret in a directory that every sandbox hides, and is of no use for other owners.
 *
 * @throws {Error} When the secret cannot be read or made.
 */
export function outsideProof(directory: string): string {
  return createHmac("sha256", secret()).update(realpathSync(directory)).digest("hex");
}

function secret(): Uint8Array {
  claimPrivateDirectory(farSockets());
  const path = join(farSockets(), "secret");
  const known = readSecret(path);
  if (known !== undefined) return known;
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    writeFileSync(draft, randomBytes(32), { flag: "wx", mode: 0o600 });
    // Of several at once the first counts, and a reader sees all of it.
    attempt(() => linkSync(draft, path));
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path);
}

function readSecret(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return undefined;
    throw cause;
  }
}
