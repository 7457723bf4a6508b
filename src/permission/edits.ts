import type { Analysis } from "../event/command.ts";
import type { Words } from "./words.ts";

/** Programs that only change files which they name. */
const EDITS = new Set("mkdir touch rm rmdir mv cp ln sed tee truncate cd".split(" "));

/** Whether a command only edits files whose paths are known; `acceptEdits` lets it pass inside the workspace. */
export function editsOnly(argv: Words, analysis: Analysis): boolean {
  return !analysis.dynamic && typeof argv[0] === "string" && EDITS.has(argv[0]);
}
