import { chmodSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { lineSplitter } from "./line-splitter.ts";

/** Somebody who sends lines. */
export interface LineConnection {
  /** Send a line besides the answers; resolves once it is on its way, and rejects when nobody is there any more. */
  say(line: string): Promise<void>;
  /** Aborts when the connection ends, whoever ended it. */
  readonly closed: AbortSignal;
}

/** How lines that come over a socket are answered. */
export interface LineServerOptions {
  /** Answers a line by a line; must not reject. */
  readonly answer: (line: string, connection: LineConnection) => Promise<string>;
  /** The longest line that is taken, in bytes. */
  readonly longestLine: number;
  /** What is said to whoever sends a longer one, before the connection is closed. */
  readonly tooLong: string;
}

/** Listens on a socket until it is closed. */
export interface LineServer {
  /** Take no more connections, and end those that are there once what was answered has been sent. */
  close(): Promise<void>;
}

const MOST_CONNECTIONS = 256;
/** Answers that one connection may wait for; nothing more is read from it meanwhile. */
const MOST_WAITING = 16;
/** How long the end waits for answers that are due, and for who does not take them, in milliseconds. */
const LAST_WORDS_MS = 500;

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
  server.maxConnections = MOST_CONNECTIONS;
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
  /** Say what is still to be said, and hang up. */
  end(): Promise<void>;
}

function converse(
  socket: Socket,
  { answer, longestLine, tooLong }: LineServerOptions,
): Conversation {
  const hungUp = new AbortController();
  const waiting = new Set<Promise<void>>();
  const say = (line: string) =>
    new Promise<void>((resolve, reject) => {
      if (!socket.writable) return reject(new Error("Cannot tell: the other side hung up"));
      socket.write(`${line}\n`, (cause) => cause ? reject(cause) : resolve());
    });
  const connection: LineConnection = { say, closed: hungUp.signal };
  const heard = (line: string) => {
    if (line.trim() === "") return;
    const answered = answer(line, connection).then(say).catch(() => {}).finally(() => {
      if (waiting.size === MOST_WAITING) socket.resume();
      waiting.delete(answered);
    });
    waiting.add(answered);
    if (waiting.size === MOST_WAITING) socket.pause();
  };
  const split = lineSplitter(longestLine, heard);
  socket.on("error", () => socket.destroy());
  socket.once("close", () => hungUp.abort(new Error("The other side hung up")));
  socket.on("data", (chunk: Uint8Array) => {
    if (split(chunk)) return;
    socket.removeAllListeners("data");
    socket.resume();
    socket.end(`${tooLong}\n`);
  });
  return {
    end: async () => {
      let late: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise<void>((resolve) => {
        late = setTimeout(resolve, LAST_WORDS_MS);
      });
      await Promise.race([Promise.all(waiting), patience]);
      clearTimeout(late);
      socket.destroy();
    },
  };
}
