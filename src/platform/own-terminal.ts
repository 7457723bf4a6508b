import { spawnSync } from "node:child_process";
import process from "node:process";
import { DEFAULT_SIZE, LARGEST_SIZE, type TerminalSize } from "./terminal/terminals.ts";

/** Where bytes of standard input go. */
export interface InputReader {
  /** The next bytes are read once it resolves; when it rejects, no more are. */
  readonly data: (bytes: Uint8Array) => Promise<void>;
  readonly end: () => Promise<void>;
}

/**
 * Read standard input as bytes.
 *
 * @returns How to stop; what was not read stays there.
 */
export function readStdin({ data, end }: InputReader): () => void {
  const { stdin } = process;
  const onData = (bytes: Uint8Array) => {
    stdin.pause();
    data(bytes).then(() => stopped || stdin.resume(), stop);
  };
  const onEnd = () => void end().catch(() => {}); // the command reads no more
  let stopped = false;
  const stop = () => {
    if (stopped) return;
    stopped = true;
    stdin.off("data", onData).off("end", onEnd).pause();
  };
  stdin.on("data", onData).once("end", onEnd);
  return stop;
}

/** The terminal that this process runs on, when a person sits at it. */
export interface OwnTerminal {
  /** Its size, within the bounds of a terminal. */
  size(): TerminalSize;
  /**
   * Pass on each key as it is typed, and each change of the size; Ctrl-C then is a key like others.
   *
   * @returns How to restore it; the exit of this process does as well.
   */
  passThrough(reader: InputReader, resized: (size: TerminalSize) => void): () => void;
}

/** The terminal of this process; `undefined` where input or output is another file. */
export function ownTerminal(): OwnTerminal | undefined {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return undefined;
  const size = () => ({
    columns: Math.min(stdout.columns || DEFAULT_SIZE.columns, LARGEST_SIZE.columns),
    rows: Math.min(stdout.rows || DEFAULT_SIZE.rows, LARGEST_SIZE.rows),
  });
  return {
    size,
    passThrough: (reader, resized) => {
      const onResize = () => resized(size());
      const stop = readStdin(reader);
      const cooked = () => void stdin.setRawMode(false);
      stdin.setRawMode(true);
      // Both runtimes leave the output processing on, and the terminal of the command has done that already.
      spawnSync("stty", ["-opost"], { stdio: ["inherit", "ignore", "ignore"] });
      process.once("exit", cooked);
      stdout.on("resize", onResize);
      return () => {
        stdout.off("resize", onResize);
        process.off("exit", cooked);
        cooked();
        stop();
      };
    },
  };
}
