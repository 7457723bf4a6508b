import process from "node:process";
import { createInterface } from "node:readline/promises";

/** The standard streams of this process. */
export interface Stdio {
  /** Write text or bytes to standard output; resolves when there is room for more. */
  out(data: string | Uint8Array): Promise<void>;
  /** The same for standard error. */
  err(data: string | Uint8Array): Promise<void>;
  /** Whether a person can be asked: input and error are terminals. */
  readonly interactive: boolean;
  /** Ask a person for a line; rejects when the signal aborts or the input ends. */
  ask(question: string, signal: AbortSignal): Promise<string>;
  /** Standard input, line by line. */
  lines(): AsyncIterable<string>;
}

/** A stream whose reader went away (`| head`) is not an error of ours: what it would get is dropped. */
function writer(stream: NodeJS.WriteStream): (data: string | Uint8Array) => Promise<void> {
  let gone = false;
  let listening = false;
  return (data) => {
    if (!listening) {
      listening = true;
      stream.on("error", () => {
        gone = true;
      });
    }
    if (gone) return Promise.resolve();
    return new Promise((resolve) => {
      stream.write(data, () => resolve());
    });
  };
}

/** The streams of this process. */
export const stdio: Stdio = {
  out: writer(process.stdout),
  err: writer(process.stderr),
  get interactive() {
    return Boolean(process.stdin.isTTY && process.stderr.isTTY);
  },
  ask: async (question, signal) => {
    const readline = createInterface({ input: process.stdin, output: process.stderr });
    const closed = new Promise<never>((_, reject) => {
      readline.once("close", () => reject(new Error("Cannot ask: the input ended")));
    });
    closed.catch(() => {}); // it loses the race when an answer comes
    try {
      return await Promise.race([readline.question(question, { signal }), closed]);
    } finally {
      readline.close();
    }
  },
  lines: () => createInterface({ input: process.stdin, crlfDelay: Infinity }),
};
