import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import { shown } from "../../value/shown.ts";
import { codeOf, messageOf } from "../failure.ts";
import { type Dial, dialListed, RefusedError } from "./dial.ts";
import { listedHost, type Place, placeText, readPlace } from "./listed-hosts.ts";

/** A connection that was refused. */
export interface RefusedConnection {
  /** The host and the port; what was asked for, where that is no host. */
  readonly to: string;
  readonly reason: string;
}

/** In each direction; each connection takes a descriptor of this process. */
const MOST_CONNECTIONS = 256;
/** So many places that were refused are reported. */
const MOST_REFUSED = 20;
/** What is about one connection alone, or about the proxy itself (RFC 9110, 7.6.1). */
const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-.*|te|trailer|upgrade|expect|http2-settings)$/;
/** Where a body ends is never about one connection: without it, a body would be the next request. */
const FRAMING = /^(?:content-length|transfer-encoding)$/;

/**
 * Listen at a path as a proxy for HTTP, `CONNECT` included, that connects to the hosts of a list alone.
 *
 * When it returns, connections are taken.
 *
 * @param refused Called once for each place that was refused, for the first ones.
 * @returns Ends all connections, and removes the path.
 */
export function openProxy(
  path: string,
  hosts: readonly string[],
  refused: (connection: RefusedConnection) => void,
): () => void {
  const sockets = new Set<Duplex>();
  let closed = false;
  const keep = (socket: Duplex) => {
    // An error that nothing listens for would end this process.
    socket.on("error", () => {});
    if (closed) return void socket.destroy();
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  const dial = atMost(
    MOST_CONNECTIONS,
    dialListed(hosts.flatMap((host) => listedHost(host) ?? []), { names: hosts, made: keep }),
  );
  const reported = new Set<string>();
  const failure = (cause: unknown, target: string) => {
    if (!(cause instanceof RefusedError)) {
      const text = `Cannot connect to "${shown(target)}": ${messageOf(cause)}\n`;
      return { status: 502, text } as const;
    }
    const { to, message: reason } = cause;
    if (!reported.has(to) && reported.size < MOST_REFUSED) {
      reported.add(to);
      refused({ to, reason });
    }
    const text = `The sandbox refused a connection to "${to}": ${reason}\n`;
    return { status: 403, text } as const;
  };

  // An upload may take long, and a client may come back to a connection at any time.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 0 }, (incoming, response) => {
    forward(incoming, response, dial).catch((cause) => {
      const { status, text } = failure(cause, incoming.url ?? "");
      if (response.headersSent) return void response.destroy();
      response.writeHead(status, { "content-type": "text/plain" }).end(text);
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on("connection", (client) => {
    keep(client);
    // Each request on it that has no answer yet listens for its end.
    client.setMaxListeners(0);
  });
  server.on("connect", ({ url = "" }: IncomingMessage, client: Duplex, head: Uint8Array) => {
    tunnel(client, head, () => dial(placeOf(url))).catch((cause) => {
      const { status, text } = failure(cause, url);
      const reason = status === 403 ? "Refused by the sandbox" : codeOf(cause) ?? "Bad Gateway";
      client.end(`HTTP/1.1 ${status} ${reason}\r\ncontent-type: text/plain\r\n\r\n${text}`);
      // Or its end would never be seen.
      client.resume();
    });
  });
  // Bubblewrap, which is to mount the path, says that it is missing.
  server.on("error", () => {});
  // Not where the first process of a cluster listens for all, at a later time.
  server.listen({ path, exclusive: true });
  return () => {
    closed = true;
    server.close();
    for (const socket of sockets) socket.destroy();
  };
}

/** Limit how many connections are open: each request that is pipelined on one connection opens its own. */
function atMost(most: number, dial: Dial): Dial {
  let count = 0;
  return async (place) => {
    if (count >= most) throw new Error(`${most} connections are open`);
    count++;
    try {
      const socket = await dial(place);
      return socket.once("close", () => count--);
    } catch (cause) {
      count--;
      throw cause;
    }
  };
}

/** Where a text leads to. */
function placeOf(text: string, defaultPort?: number): Place {
  const { host, port = defaultPort } = readPlace(text) ?? {};
  if (host !== undefined && port !== undefined) return { host, port };
  throw unreadable(text, "it is no host with a port");
}

/** Names and passwords of users are left out of messages. */
function unreadable(text: string, reason: string): RefusedError {
  return new RefusedError(shown(text.replace(/[^/]*@/g, "…@")), reason);
}

/** Pass bytes on in both directions, each until its own end. */
async function tunnel(client: Duplex, head: Uint8Array, dial: () => ReturnType<Dial>) {
  const remote = await dial();
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  if (head.length > 0) remote.write(head);
  pipeline(client, remote, client, () => {});
}

/** Pass one request on: the next one on its connection may lead elsewhere. */
async function forward(incoming: IncomingMessage, response: ServerResponse, dial: Dial) {
  incoming.on("error", () => {});
  const { method, url = "", headers } = incoming;
  const [, authority, path = ""] = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(url) ?? [];
  if (authority === undefined) throw unreadable(url, "it is no URL of http");
  const place = placeOf(authority, 80);
  const socket = await dial(place);
  endWith(incoming.socket, socket);
  response.once("close", () => socket.destroy());
  const outgoing = request({
    createConnection: () => socket,
    method,
    path: path.startsWith("/") ? path : `/${path}`,
    // What the URL says counts, and no other host that the client names.
    headers: { ...endToEnd(headers), host: placeText(place).replace(/:80$/, "") },
  });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.on("error", reject);
    outgoing.once("response", resolve);
    // Also where the host changes to a protocol that was not asked for.
    outgoing.once("close", () => reject(new Error("the connection was closed without an answer")));
    pipeline(incoming, outgoing, () => {});
  });
  // A client of HTTP/1.0 takes no chunks; for others, they are made again.
  const { "transfer-encoding": _, ...kept } = endToEnd(answer.headers);
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, kept);
  pipeline(answer, response, () => {});
}

/** End a connection with its client: a response that waits behind another one has no event for that. */
function endWith(client: Socket, socket: Socket): void {
  const end = () => socket.destroy();
  if (client.destroyed) return void end();
  client.once("close", end);
  socket.once("close", () => client.off("close", end));
}

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = headers.connection?.toLowerCase().split(/\s*,\s*/) ?? [];
  const all = Object.entries(headers);
  return Object.fromEntries(
    all.filter(([name]) => FRAMING.test(name) || (!HOP_BY_HOP.test(name) && !named.includes(name))),
  );
}
