import { chmodSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import process from "node:process";

/** How lines that come over a socket are answered. */
export interface LineServerOptions {
  /** Answers a line by a line; must not reject. */
  readonly answer: (line: string) => Promise<string>;
  /** The longest line that is taken, in bytes. */
  readonly longestLine: number;
  /** What is said to whoever sends a longer one, before the connection is closed. */
  readonly tooLong: string;
}

/** Listens on a socket until it is closed. */
export interface LineServer {
  /** Take no more connections, and end those that are there. */
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 64;
/** Answers that one connection may wait for; nothing more is read from it meanwhile. */
const MOST_WAITING = 16;

/**
 * Answer lines over a UNIX socket that only this user can connect to.
 *
 * It does not keep the process alive.
 *
 * @param path Where; nothing may be there.
 */
export function serveLines(path: string, options: LineServerOptions): Promise<LineServer> {
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.unref();
    converse(socket, options);
  });
  server.maxConnections = MOST_CONNECTIONS;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // The socket is never open to others, not even until its mode is set.
    const mask = process.umask(0o177);
    try {
      server.listen(path, () => {
        chmodSync(path, 0o600);
        server.off("error", reject);
        server.on("error", () => {}); // a connection that could not be taken
        resolve({
          close: () =>
            new Promise((closed) => {
              server.close(() => closed());
              for (const socket of connections) socket.destroy();
            }),
        });
      });
      server.unref();
    } finally {
      process.umask(mask);
    }
  });
}

function converse(socket: Socket, { answer, longestLine, tooLong }: LineServerOptions): void {
  let rest = new Uint8Array(0);
  let waiting = 0;
  const say = (line: string) => {
    if (socket.writable) socket.write(`${line}\n`);
  };
  const heard = (line: string) => {
    if (line.trim() === "") return;
    if (++waiting === MOST_WAITING) socket.pause();
    void answer(line).then((text) => {
      say(text);
      if (waiting-- === MOST_WAITING) socket.resume();
    });
  };
  socket.on("data", (chunk: Uint8Array) => {
    let bytes = rest.length === 0 ? chunk : concatenated(rest, chunk);
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE)) {
      if (at > longestLine) break;
      heard(decoder.decode(bytes.subarray(0, at)));
      bytes = bytes.subarray(at + 1);
    }
    rest = bytes.slice();
    if (rest.length <= longestLine) return;
    rest = new Uint8Array(0);
    socket.removeAllListeners("data");
    socket.resume();
    socket.end(`${tooLong}\n`);
  });
}

const NEWLINE = 10;
const decoder = new TextDecoder();

function concatenated(one: Uint8Array, other: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}
