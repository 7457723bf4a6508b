import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { auditTime } from "rxjs";
import * as v from "valibot";
import { messageOf } from "../../platform/failure.ts";
import { randomIds } from "../../platform/ids.ts";
import { checkFields } from "../../value/check-fields.ts";
import { inspectorPage } from "./inspector-page.ts";
import { type Inspected, Inspection } from "./inspection.ts";

/** How the inspector is served. */
export interface InspectorOptions {
  /** The port on the loopback interface; default 0: any that is free. */
  readonly port?: number;
  /** How many of the newest events the time line keeps; default 100 000. */
  readonly maxEvents?: number;
}

/** An inspector that is served. */
export interface Inspector {
  /** The address of the page, with the token that every request needs. */
  readonly url: string;
  /** Serve it no more. Idempotent. */
  close(): Promise<void>;
  /** The same as {@linkcode Inspector.close}, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const schema = v.strictObject({
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65535)), 0),
  maxEvents: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 100_000),
});

/** How often a page hears of new events at most, in milliseconds. */
const NEWS_MS = 100;

/**
 * Serve a page that shows sessions, tasks and terminals as they are, and as they were at any moment.
 *
 * It is served on the loopback interface, to those who know its address, in which a token is. It shows
 * commands and their output as they are, with secrets that are in them.
 *
 * @param inspected A runtime; closing the inspector does not close it.
 * @throws {TypeError} When an option cannot be used, or what is given cannot be inspected.
 * @throws {Error} When the port cannot be used.
 *
 * @example Look at a runtime
 * ```ts
 * import { createRuntime } from "shellflow";
 * import { serveInspector } from "shellflow/inspector";
 *
 * await using runtime = await createRuntime({ mode: "bypass" });
 * await using inspector = await serveInspector(runtime);
 * const page = await fetch(inspector.url); // or open it in a browser
 * if (!(await page.text()).startsWith("<!doctype html>")) throw new Error("unexpected");
 * ```
 */
export async function serveInspector(
  inspected: Inspected,
  options: InspectorOptions = {},
): Promise<Inspector> {
  const { port, maxEvents } = checkFields(schema, options, "Cannot serve the inspector with");
  if (typeof inspected?.events?.subscribe !== "function" || typeof inspected.read !== "function") {
    throw new TypeError("Cannot inspect what has no events or no read(): give a runtime");
  }
  const token = randomIds.next("inspect");
  const inspection = new Inspection(inspected, maxEvents);
  let host = "";

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url = "", headers } = request;
    // A page of another site can reach this one by a name of its own.
    if (headers.host !== host || !url.startsWith(`/${token}/`)) {
      return sendJson(response, 404, {
        error: "Cannot show this: it is not the inspector's address",
      });
    }
    const [path = "", query] = url.slice(token.length + 2).split("?");
    if (method === "GET" && path === "") return sendPage(response, token);
    if (method === "GET" && path === "news") return sendNews(response, inspection);
    const answer = await inspection.answer(`${method} ${path}`, new URLSearchParams(query));
    if (answer !== undefined) return sendJson(response, 200, answer);
    sendJson(response, 404, { error: `Cannot ${method} "${path}": there is nothing like that` });
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((cause: unknown) =>
      sendJson(response, cause instanceof TypeError ? 400 : 500, { error: messageOf(cause) })
    );
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((cause: unknown) => {
    inspection.close();
    throw new Error(`Cannot serve the inspector on port ${port}: ${messageOf(cause)}`, { cause });
  });
  const address = server.address();
  host = `127.0.0.1:${typeof address === "object" ? address?.port : port}`;

  let closing: Promise<void> | undefined;
  const close = () =>
    closing ??= new Promise<void>((resolve) => {
      inspection.close();
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://${host}/${token}/`, close, [Symbol.asyncDispose]: close };
}

const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

function sendPage(response: ServerResponse, nonce: string): void {
  response.writeHead(200, {
    ...HEADERS,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; connect-src 'self'; img-src data:; ` +
      `script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`,
  });
  response.end(inspectorPage.replaceAll("NONCE", nonce));
}

/** What is known, now and after new events, as server-sent events. */
function sendNews(response: ServerResponse, inspection: Inspection): void {
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream" });
  const send = () => void response.write(`data: ${JSON.stringify(inspection.summary())}\n\n`);
  send();
  const news = inspection.news.pipe(auditTime(NEWS_MS)).subscribe(send);
  response.on("close", () => news.unsubscribe());
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  // First, as it can fail: a head that was sent cannot be taken back.
  const text = JSON.stringify(value);
  response.writeHead(status, { ...HEADERS, "content-type": "application/json" });
  response.end(text);
}
