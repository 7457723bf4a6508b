import { chmodSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { lineSplitter } from "./line-splitter.ts";

/** The server side of a connection. */
export interface LineConnection {
  /** Send a line besides the answers; resolves once it is on its way, and rejects when the connection has ended. */
  send(line: string): Promise<void>;
  /** Aborts when the connection ends, by either side. */
  readonly closed: AbortSignal;
}

/** How lines that come over a socket are answered. */
export interface LineServerOptions {
  /** Answers a line by a line; must not reject. */
  readonly answer: (line: string, connection: LineConnection) => Promise<string>;
  /** The longest line that is taken, in bytes. */
  readonly longestLine: number;
  /** The answer to a longer one, before the connection is closed. */
  readonly tooLong: string;
}

/** Listens on a socket until it is closed. */
export interface LineServer {
  /** Take no more connections, and end those that are there once their answers have been sent. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 256;
/** Answers that one connection may wait for; nothing more is read from it meanwhile. */
const MAX_WAITING = 16;
/** How long the end waits for answers that are due, in milliseconds. */
const LAST_ANSWERS_MS = 500;

/**
 * Answer lines over a UNIX socket that only this user can connect to.
 *
 * It does not keep the process alive.
 *
 * @param path Where, in a directory of this user alone; nothing may be there.
 */
export function serveLines(path: string, options: LineServerOptions): Promise<LineServer> {
  const conversations = new Set<Conversation>();
  const server = createServer((socket) => {
    const conversation = converse(socket, options);
    conversations.add(conversation);
    socket.once("close", () => void conversations.delete(conversation));
    socket.unref();
  });
  server.maxConnections = MAX_CONNECTIONS;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      chmodSync(path, 0o600);
      server.off("error", reject);
      server.on("error", () => {}); // a connection that could not be taken
      resolve({
        close: async () => {
          const closed = new Promise<void>((done) => server.close(() => done()));
          await Promise.all([...conversations].map((conversation) => conversation.end()));
          await closed;
        },
      });
    });
    server.unref();
  });
}

interface Conversation {
  /** Send the answers that are due, and end the connection. */
  end(): Promise<void>;
}

function converse(
  socket: Socket,
  { answer, longestLine, tooLong }: LineServerOptions,
): Conversation {
  const ended = new AbortController();
  const waiting = new Set<Promise<void>>();
  const send = (line: string) =>
    new Promise<void>((resolve, reject) => {
      if (!socket.writable) return reject(new Error("Cannot send: the connection has ended"));
      socket.write(`${line}\n`, (cause) => cause ? reject(cause) : resolve());
    });
  const connection: LineConnection = { send, closed: ended.signal };
  const take = (line: string) => {
    if (line.trim() === "") return;
    const answered = answer(line, connection).then(send).catch(() => {}).finally(() => {
      if (waiting.size === MAX_WAITING) socket.resume();
      waiting.delete(answered);
    });
    waiting.add(answered);
    if (waiting.size === MAX_WAITING) socket.pause();
  };
  const split = lineSplitter(longestLine, take);
  socket.on("error", () => socket.destroy());
  socket.once("close", () => ended.abort(new Error("The connection has ended")));
  socket.on("data", (chunk: Uint8Array) => {
    if (split(chunk)) return;
    socket.removeAllListeners("data");
    socket.resume();
    socket.end(`${tooLong}\n`);
  });
  return {
    end: async () => {
      let late: ReturnType<typeof setTimeout> | undefined;
      const timeout = new Promise<void>((resolve) => {
        late = setTimeout(resolve, LAST_ANSWERS_MS);
      });
      await Promise.race([Promise.all(waiting), timeout]);
      clearTimeout(late);
      socket.destroy();
    },
  };
}
