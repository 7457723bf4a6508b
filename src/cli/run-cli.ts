import { OutputGone, type Stdio } from "../platform/stdio.ts";
import { program } from "./program.ts";

/** The exit code for a failure of ours, as opposed to the command's. */
const FAILED = 1;
/** What a shell reports of a program whose reader is gone: 128 + SIGPIPE. */
const BROKEN_PIPE = 141;

/**
 * Run the command line.
 *
 * @param args Without the names of runtime and program.
 * @returns The exit code; an error is printed on standard error.
 */
export async function runCli(args: readonly string[], stdio: Stdio): Promise<number> {
  try {
    return await program(args, stdio);
  } catch (cause) {
    if (cause instanceof OutputGone) return BROKEN_PIPE;
    await stdio.err(`${cause instanceof Error ? cause.message : String(cause)}\n`).catch(() => {});
    return FAILED;
  }
}
