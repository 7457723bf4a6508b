import { execFile } from "node:child_process";

/** How long what a program left running may still write for it, in milliseconds. */
const LEFT_MS = 100;

/**
 * Run a program without input, and take what it prints.
 *
 * @throws {Error} When it cannot start, or takes too long; it is killed then.
 */
export function outputOf(
  file: string,
  args: readonly string[],
  { cwd, env, limitMs }: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly limitMs: number;
  },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      cwd,
      env,
      timeout: limitMs,
      killSignal: "SIGKILL",
      maxBuffer: 4 << 20,
    } as const;
    const child = execFile(file, [...args], options, (cause, output) => {
      if (child.killed) return reject(new Error(`it takes longer than ${limitMs / 1_000} seconds`));
      // Whatever its status: what it printed says whether it got to its end.
      if (cause !== null && typeof cause.code === "string") reject(cause);
      else resolve(output);
    });
    child.stdin?.end();
    // What it left running may hold its output.
    child.once("exit", () =>
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, LEFT_MS));
  });
}
