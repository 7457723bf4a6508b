import type { Stdio } from "../platform/stdio.ts";

/** What a command of the command line works with. */
export interface Cli {
  readonly stdio: Stdio;
  /** Sets the exit code; the command itself ends when its action does. */
  exit(code: number): void;
}
