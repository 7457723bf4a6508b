import { connect } from "node:net";
import { lineSplitter } from "./line-splitter.ts";

/** In bytes; the connection ends with a longer one. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The client side of a connection over which lines are answered. */
export interface LineConversation {
  /** Send a line. */
  send(line: string): void;
  /**
   * The next line; `undefined` when the connection is over. Nothing more is read before the lines that
   * came were taken, so that a slow reader slows the writer down.
   */
  next(): Promise<string | undefined>;
  /** End the connection. Idempotent. */
  close(): void;
}

/**
 * Connect to a UNIX socket.
 *
 * @throws {Error} When no process listens.
 */
export function openLines(path: string): Promise<LineConversation> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const lines: string[] = [];
    let over = false;
    let wake = () => {};
    const split = lineSplitter(MAX_LINE_BYTES, (line) => void lines.push(line));
    socket.on("error", (cause) => {
      reject(cause);
      socket.destroy();
    });
    socket.once("close", () => {
      over = true;
      reject(new Error("it hung up"));
      wake();
    });
    socket.on("data", (chunk: Uint8Array) => {
      if (!split(chunk)) socket.destroy();
      if (lines.length > 0) socket.pause();
      wake();
    });
    socket.once("connect", () =>
      resolve({
        send: (line) => {
          if (socket.writable) socket.write(`${line}\n`);
        },
        next: async () => {
          while (lines.length === 0 && !over) {
            socket.resume();
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
          return lines.shift();
        },
        close: () => socket.destroy(),
      }));
  });
}
