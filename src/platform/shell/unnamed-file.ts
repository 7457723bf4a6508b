import { randomBytes } from "node:crypto";
import { openSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MEMORY = "/dev/shm";

/** A file that has no name any more, in memory where the system has a place for that. */
export function unnamedFile(): number {
  const name = `shellflow-${randomBytes(12).toString("hex")}`;
  for (const directory of [MEMORY, tmpdir()]) {
    const path = join(directory, name);
    try {
      const fd = openSync(path, "wx+", 0o600);
      unlinkSync(path);
      return fd;
    } catch (cause) {
      if (directory !== MEMORY) throw cause;
    }
  }
  throw new Error(`Cannot make a file in "${tmpdir()}"`);
}
