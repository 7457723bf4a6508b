import { fstatSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { isatty } from "node:tty";
import { type InputReader, type OwnTerminal, ownTerminal, readStdin } from "./own-terminal.ts";
import { attempt, codeOf, messageOf } from "./failure.ts";

/** The standard streams of this process. */
export interface Stdio {
  /**
   * Write text or bytes to standard output; resolves when there is room for more, and rejects when
   * they cannot be written: with {@linkcode OutputGone} where its reader is gone.
   */
  out(data: string | Uint8Array): Promise<void>;
  /** The same for standard error. */
  err(data: string | Uint8Array): Promise<void>;
  /** Whether a person can be asked: input and error are terminals. */
  readonly interactive: boolean;
  /** Whether standard output is a terminal. */
  readonly terminal?: boolean;
  /** Ask a person for a line; rejects when the signal aborts or the input ends. */
  ask(question: string, signal: AbortSignal): Promise<string>;
  /** Standard input, line by line. */
  lines(): AsyncIterable<string>;
  /**
   * Whether standard input is what a shell has connected: a file, or a pipe of a line. A host that starts
   * this program with Node has a socket there, and often never ends it.
   */
  readonly connected?: boolean;
  /** Read standard input as bytes; answers how to stop. */
  stdin(reader: InputReader): () => void;
  /** The terminal at which a person sits; `undefined` where input or output is another file. */
  ownTerminal(): OwnTerminal | undefined;
}

/** The reader of our output is gone, as after `| head`. */
export class OutputGone extends Error {
  constructor(name: string, cause: unknown) {
    super(`Cannot write to ${name}: its reader is gone`, { cause });
    this.name = "OutputGone";
  }
}

/** A stream that failed once fails from then on, in the same words on both runtimes. */
function writer(
  stream: NodeJS.WriteStream,
  name: string,
): (data: string | Uint8Array) => Promise<void> {
  let failure: Error | undefined;
  let listening = false;
  const failed = (cause: unknown): Error => {
    return failure ??= codeOf(cause) === "EPIPE"
      ? new OutputGone(name, cause)
      : new Error(`Cannot write to ${name}: ${messageOf(cause)}`, { cause });
  };
  return (data) => {
    if (!listening) stream.on("error", failed);
    listening = true;
    return new Promise((resolve, reject) => {
      if (failure !== undefined) return reject(failure);
      try {
        stream.write(data, (cause) => cause ? reject(failed(cause)) : resolve());
      } catch (cause) {
        reject(failed(cause)); // Deno throws for a full disk
      }
    });
  };
}

/** The streams of this process. */
export const stdio: Stdio = {
  out: writer(process.stdout, "standard output"),
  err: writer(process.stderr, "standard error"),
  get interactive() {
    // No stream is made of it, as a command may inherit it.
    return isatty(0) && isatty(2);
  },
  get terminal() {
    return Boolean(process.stdout.isTTY);
  },
  get connected() {
    const input = attempt(() => fstatSync(0));
    return input !== undefined && (input.isFile() || input.isFIFO());
  },
  ask: async (question, signal) => {
    const readline = createInterface({ input: process.stdin, output: process.stderr });
    // While it reads, Ctrl-C is a key and no signal.
    readline.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
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
  stdin: readStdin,
  ownTerminal,
};
