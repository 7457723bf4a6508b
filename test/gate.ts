import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanUp } from "./clean-up.ts";

/** What commands wait at until a test lets them go on. */
export interface Gate {
  /** A line of a shell that waits, asleep and without a process of its own. */
  readonly wait: string;
  /** Let as many go on, also who comes later; default one. */
  open(count?: number): void;
  /** Remove it before the tests of the file are over. */
  remove(): void;
}

/** A gate that is shut. */
export function gate(): Gate {
  const directory = mkdtempSync(join(tmpdir(), "shellflow-gate-"));
  const path = join(directory, "gate");
  execFileSync("mkfifo", [path]);
  let opened: number | undefined;
  const remove = () => {
    if (opened !== undefined) closeSync(opened);
    opened = undefined;
    rmSync(directory, { recursive: true, force: true });
  };
  cleanUp(remove);
  return {
    // The shell takes one line, and no more than that.
    wait: `read _ <'${path}'`,
    open: (count = 1) => {
      // Open from now on: who comes later finds its line still.
      opened ??= openSync(path, "r+");
      writeSync(opened, "\n".repeat(count));
    },
    remove,
  };
}
