import { spawn } from "node:child_process";
import process from "node:process";
import { attempt, messageOf } from "../failure.ts";

/** How a shell is run for what it prints. */
export interface MarkedOutputOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** How long it may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Stands before and after what is wanted: files of the user print what they like. */
export const OUTPUT_MARK = "\u0001shellflow\u0001";
/** Set while the files of the user are read, so that they can leave out what another shell needs. */
export const READING_FILES = "SHELLFLOW_LOGIN_ENV";
/** Ends all that was started when this process has ended, as the last one that holds descriptor 3. */
const WATCHED = '{ read _; kill -9 -$$; } <&3 >/dev/null & exec 3<&- "$@"';
/** More than any environment has. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Run a shell without input until it has printed something between two marks, and end it.
 *
 * @throws {Error} When it cannot start, gives nothing, or takes too long.
 */
export function markedOutput(
  words: readonly string[],
  { cwd, env, timeoutMs }: MarkedOutputOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", WATCHED, "sh", ...words], {
      cwd,
      env,
      // A session of its own has no terminal that the files could ask, or stop for.
      detached: true,
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    const { pid, stdout, stdio: [, , , watched] } = child;
    let output = "";
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      stdout?.destroy();
      watched?.destroy();
      if (pid !== undefined) attempt(() => process.kill(-pid, "SIGKILL"));
      settle();
    };
    const fail = (why: string) => finish(() => reject(new Error(why)));
    const timer = setTimeout(() => fail(`it gave none within ${timeoutMs / 1000} s`), timeoutMs);
    child.once("error", (cause) => fail(messageOf(cause)));
    child.once("exit", (code) => {
      const ended = () => fail(`it ended without it (code ${code})`);
      // What it wrote last may still be on its way.
      if (stdout?.readableEnded) ended();
      else stdout?.once("end", ended);
    });
    stdout?.setEncoding("utf8");
    stdout?.on("data", (text: string) => {
      output += text;
      const [, between, ...rest] = output.split(OUTPUT_MARK);
      if (between !== undefined && rest.length > 0) finish(() => resolve(between));
      else if (output.length > MAX_BYTES) fail("it prints without end");
    });
  });
}
