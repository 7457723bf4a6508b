import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanUp } from "../clean-up.ts";

/** A directory for a test, gone when the tests of its file are over. */
export function scratch(): string {
  const path = mkdtempSync(join(tmpdir(), "shellflow-"));
  cleanUp(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
