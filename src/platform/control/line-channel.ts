import { Buffer } from "node:buffer";
import { chmodSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";

/** Lines of text in both directions. */
export interface LineChannel {
  /** Lines of the other side until it ends. They are read when they are taken, so a slow reader slows the writer. */
  readonly lines: AsyncIterable<string>;
  /** Resolves once the line is on its way; rejects when it cannot be sent. */
  send(line: string): Promise<void>;
  /** End both directions at once. Idempotent. */
  close(): void;
}

/** A UNIX socket that takes connections. */
export interface LineListener {
  /** Take no more connections; resolves when all channels are closed. */
  close(): Promise<void>;
}

/** How connections are taken. */
export interface ListenOptions {
  readonly maxLineBytes: number;
  readonly onChannel: (channel: LineChannel) => void;
}

/** For lines of the process that listens, which belongs to the same user. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const MAX_CONNECTIONS = 256;

/**
 * Connect to a UNIX socket.
 *
 * @throws {Error} When no process listens.
 */
export function connectLines(path: string): Promise<LineChannel> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(channelOf(socket, MAX_LINE_BYTES)));
    socket.once("error", reject);
  });
}

/**
 * Listen on a UNIX socket that only this user can connect to. It does not keep the process alive.
 *
 * @param path Where, in a directory of this user alone; nothing may be there.
 */
export function listenLines(
  path: string,
  { maxLineBytes, onChannel }: ListenOptions,
): Promise<LineListener> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.unref());
    socket.once("close", () => open.delete(socket));
    onChannel(channelOf(socket, maxLineBytes));
  });
  server.maxConnections = MAX_CONNECTIONS;
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      chmodSync(path, 0o600);
      server.off("error", reject);
      server.on("error", () => {}); // a connection that could not be taken
      resolve({
        close: () => {
          // The process stays until its close has an end.
          for (const socket of open) socket.ref();
          return new Promise((done) => void server.close(() => done()));
        },
      });
    });
    server.unref();
  });
}

function channelOf(socket: Socket, maxLineBytes: number): LineChannel {
  socket.on("error", () => {}); // its lines end, and nothing more can be sent
  return {
    lines: splitLines(chunksOf(socket), maxLineBytes),
    send: (line) =>
      new Promise((resolve, reject) => {
        if (!socket.writable) return reject(new Error("Cannot send: the connection has ended"));
        socket.write(`${line}\n`, (cause) => cause ? reject(cause) : resolve());
      }),
    close: () => void socket.destroy(),
  };
}

async function* chunksOf(socket: Socket): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* socket;
  } catch {
    // A connection that breaks off has ended.
  }
}

const NEWLINE = 10;

/**
 * Cut bytes into lines of UTF-8, without their ends. What follows the last newline is no line.
 *
 * @param maxBytes A longer line is discarded; a text that says so takes its place.
 */
async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string, void, undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const keep = (part: Uint8Array) => {
    if (size <= maxBytes) parts.push(part);
    size += part.length;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, end));
      yield size > maxBytes
        ? `(a line of more than ${maxBytes} bytes)`
        : Buffer.concat(parts).toString();
      parts = [];
      size = 0;
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
}
