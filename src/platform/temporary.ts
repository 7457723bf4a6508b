import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory that is there for a while. */
export interface TemporaryPath {
  readonly path: string;
  /** Delete it with all that is in it. */
  remove(): void;
}

/** Make a directory of our own among the temporary files. */
export function temporaryPath(name: string): TemporaryPath {
  const path = mkdtempSync(join(tmpdir(), `${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
