import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomIds } from "../ids.ts";

/** A directory for a while. */
export interface TemporaryPath {
  readonly path: string;
  /** Delete it, if it is there, with all that is in it. */
  remove(): void;
}

/** Make a directory of our own among the temporary files. */
export function temporaryPath(name: string): TemporaryPath {
  const path = mkdtempSync(join(tmpdir(), `${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A path among the temporary files that nothing has yet. */
export function uniqueTemporaryPath(name: string): TemporaryPath {
  const path = join(tmpdir(), randomIds.next(name));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
