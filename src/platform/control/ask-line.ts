import { connect } from "node:net";

/** An answer that is longer than this is none, in bytes. */
const LONGEST_ANSWER = 64 * 1024 * 1024;

/** Whoever was asked ended the connection without an answer, as one does that ends itself. */
export class HungUpError extends Error {
  constructor(cause?: Error) {
    super("it hung up without an answer", { cause });
    this.name = "HungUpError";
  }
}

/**
 * Send a line to a UNIX socket and wait for the line that answers it.
 *
 * @param options.signal Hangs up when it aborts.
 * @throws {HungUpError} When the connection ends without an answer.
 * @throws {Error} When nobody listens.
 */
export function askLine(
  path: string,
  line: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    let size = 0;
    const socket = connect(path);
    const fail = (cause: Error) => {
      socket.destroy();
      reject(cause);
    };
    const hangUp = () => fail(new Error("nobody waits for it"));
    signal?.addEventListener("abort", hangUp, { once: true });
    socket.once("connect", () => void socket.write(`${line}\n`));
    socket.on("error", (cause) => fail(isBroken(cause) ? new HungUpError(cause) : cause));
    socket.on("data", (chunk: Uint8Array) => {
      const end = chunk.indexOf(NEWLINE);
      // Copied, as the chunk may be written over after this call.
      parts.push(chunk.slice(0, end < 0 ? chunk.length : end));
      size += chunk.length;
      if (end < 0 && size > LONGEST_ANSWER) return fail(new Error("its answer has no end"));
      if (end < 0) return;
      socket.destroy();
      const decoder = new TextDecoder();
      const text = parts.map((part) => decoder.decode(part, { stream: true })).join("");
      resolve(text + decoder.decode());
    });
    socket.once("close", () => {
      signal?.removeEventListener("abort", hangUp);
      reject(new HungUpError());
    });
  });
}

function isBroken(cause: Error): boolean {
  return "code" in cause && (cause.code === "ECONNRESET" || cause.code === "EPIPE");
}

const NEWLINE = 10;
