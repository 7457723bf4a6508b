import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A directory of its own for a test, gone when the test is over. */
export function scratch(test: Pick<TestContext, "after">): string {
  const path = mkdtempSync(join(tmpdir(), "shellflow-"));
  test.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
