import { connect } from "node:net";
import { lineSplitter } from "./line-splitter.ts";

/** A line that is longer than this is none, in bytes. */
const LONGEST_LINE = 64 * 1024 * 1024;

/** A connection to whoever answers lines, from the side that asks. */
export interface LineConversation {
  /** Send a line. */
  say(line: string): void;
  /**
   * The next line; `undefined` when the connection is over. Nothing more is read before the lines
   * that came were taken, so that a slow listener slows the speaker down.
   */
  next(): Promise<string | undefined>;
  /** Hang up. Idempotent. */
  close(): void;
}

/**
 * Connect to a UNIX socket.
 *
 * @throws {Error} When nobody listens.
 */
export function openLines(path: string): Promise<LineConversation> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let lines: string[] = [];
    let over = false;
    let wake = () => {};
    const split = lineSplitter(LONGEST_LINE, (line) => void lines.push(line));
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
        say: (line) => {
          if (socket.writable) socket.write(`${line}\n`);
        },
        next: async () => {
          while (lines.length === 0 && !over) {
            socket.resume();
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
          const [first, ...others] = lines;
          lines = others;
          return first;
        },
        close: () => socket.destroy(),
      }));
  });
}
