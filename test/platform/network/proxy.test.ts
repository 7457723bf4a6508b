import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openProxy, type RefusedConnection } from "../../../src/platform/network/proxy.ts";
import { cleanUp } from "../../clean-up.ts";
import { scratch } from "../../event/scratch.ts";
import { until } from "../../until.ts";

const directory = scratch();
const listen = async (server: Server): Promise<number> => {
  // The proxy cuts connections off when it is closed.
  server.on("connection", (socket) => socket.on("error", () => {}));
  server.listen(0, "127.0.0.1");
  cleanUp(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return typeof address === "object" ? address?.port ?? 0 : 0;
};
const web = await listen(createHttpServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => body += chunk);
  request.on("end", () => {
    const { method, url, headers } = request;
    response.end(`[${method} ${url} ${headers.host} ${Object.keys(headers).join()} ${body}]`);
  });
}));
/** Says hello, and at the end of its input how much that was. */
const plain = await listen(createServer({ allowHalfOpen: true }, (socket) => {
  let bytes = 0;
  socket.write("hello ");
  socket.on("data", (chunk) => bytes += chunk.length);
  socket.on("end", () => socket.end(`${bytes} bytes`));
}));

let count = 0;
const world = (hosts: readonly string[]) => {
  const path = join(directory, `${++count}.sock`);
  const refused: RefusedConnection[] = [];
  const close = openProxy(path, hosts, (connection) => refused.push(connection));
  /** What the proxy answers to a text, until it ends the connection. */
  const ask = (text: string, { end = false } = {}): Promise<string> =>
    new Promise((resolve) => {
      let answer = "";
      const client = connect({ path, allowHalfOpen: true }, () => {
        client.write(text);
        if (end) client.end();
      });
      client.on("data", (chunk) => answer += chunk);
      client.on("error", () => {});
      client.on("end", () => client.end());
      client.on("close", () => resolve(answer));
    });
  return { path, refused, close, ask };
};
const CLOSE = "Connection: close\r\n\r\n";

describe("the proxy for listed hosts", () => {
  const { refused, ask, close } = world([`localhost:${web}`, `127.0.0.1:${plain}`, "*.example"]);
  cleanUp(close);
  const get = (url: string) => ask(`GET ${url} HTTP/1.1\r\nHost: other\r\n${CLOSE}`);

  it("passes a request on to the host of its URL, whatever else it names", async () => {
    const answer = await get(`http://LOCALHOST.:${web}/x/../y?z`);
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
    assert.ok(answer.endsWith(`[GET /x/../y?z localhost:${web} host,connection ]`), answer);
    assert.match(
      await get(`http://%6cocalhost:${web}`),
      /\[GET \/ localhost:\d+ host,connection \]$/,
    );
    const headers = "Proxy-Authorization: x\r\nX-A: x\r\nX-B: x\r\nConnection: close, X-A\r\n\r\n";
    const other = await ask(`GET http://localhost:${web}/ HTTP/1.1\r\nHost: x\r\n${headers}`);
    assert.match(other, / host,x-b,connection \]$/);
  });

  it("passes bodies on, and looks at each request of a connection", async () => {
    const first = `POST http://localhost:${web}/a HTTP/1.1\r\nHost: x\r\n`;
    const second = `GET http://else.where/ HTTP/1.1\r\nHost: localhost:${web}\r\n${CLOSE}`;
    const chunked = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    for (const body of ["Content-Length: 3\r\n\r\nabc", chunked]) {
      const answer = await ask(`${first}${body}${second}`);
      assert.match(answer, /\[POST \/a .* abc\]HTTP\/1\.1 403 Forbidden\r\n/);
      assert.match(answer, /The sandbox refused a connection to "else\.where:80": commands reach/);
    }
    const both = `Content-Length: 3\r\n${chunked}${second}`;
    assert.match(await ask(`${first}${both}`), /^HTTP\/1\.1 400 Bad Request\r\n[^[]*$/);
  });

  it("keeps the end of a body, whatever else the client names as its own", async () => {
    const line = `DELETE http://localhost:${web}/a HTTP/1.1\r\nHost: x\r\n`;
    const body = `GET / HTTP/1.1\r\nHost: other\r\n\r\n`;
    const length = `Content-Length: ${body.length}\r\nConnection: close, content-length\r\n\r\n`;
    assert.match(
      await ask(`${line}${length}${body}`),
      /^HTTP\/1\.1 200 .*\[DELETE \/a .* GET \/ /s,
    );
  });

  it("makes no chunks of an answer for a client of HTTP/1.0", async () => {
    const port = await listen(createHttpServer((_, response) => {
      response.write("a");
      response.end("b");
    }));
    const { ask, close } = world([`localhost:${port}`]);
    const url = `http://localhost:${port}/`;
    assert.match(await ask(`GET ${url} HTTP/1.0\r\n\r\n`), /\r\n\r\nab$/);
    const answer = await ask(`GET ${url} HTTP/1.1\r\nHost: x\r\n${CLOSE}`);
    assert.match(answer, /\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n$/);
    close();
  });

  it("answers when a host changes to a protocol that was not asked for", async () => {
    const port = await listen(createServer((socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n");
    }));
    const { ask, close } = world([`localhost:${port}`]);
    const answer = await ask(`GET http://localhost:${port}/ HTTP/1.1\r\nHost: x\r\n${CLOSE}`);
    assert.match(answer, /^HTTP\/1\.1 502 [^]*: the connection was closed without an answer\n/);
    close();
  });

  it("opens a number of connections for requests that follow one another, and ends all", async () => {
    let open = 0;
    const port = await listen(createServer((socket) => {
      open++;
      socket.on("close", () => open--).resume();
    }));
    const { path, ask, close } = world([`localhost:${port}`]);
    const line = `GET http://localhost:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`;
    const few = connect({ path }, () => few.write(line.repeat(3)));
    await until(() => open === 3);
    few.destroy();
    await until(() => open === 0);
    const many = connect({ path }, () => many.write(line.repeat(300)));
    many.on("error", () => {}).resume();
    await until(() => open === 256);
    const answer = await ask(`CONNECT localhost:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.match(answer, /^HTTP\/1\.1 502 Bad Gateway\r\n[^]*": 256 connections are open\n$/);
    assert.equal(open, 256);
    close();
    await until(() => open === 0);
  });

  it("makes tunnels, of which each direction ends by itself", async () => {
    const text = `CONNECT 127.0.0.1:${plain} HTTP/1.1\r\nHost: x\r\n\r\nabc`;
    const established = "HTTP/1.1 200 Connection established\r\n\r\n";
    assert.equal(await ask(text, { end: true }), `${established}hello 3 bytes`);
  });

  it("refuses everything else, and says what", async () => {
    refused.length = 0;
    const connections = [
      "LOCALHOST",
      "localhost:22",
      `a:secret@localhost:${web}`,
      `localhost:${web}/x`,
      `localhost:${web}:80`,
      `[::ffff:127.0.0.1]:${plain}`,
      "example:443",
      "x.example.org:443",
      "169.254.169.254:80",
    ];
    for (const to of connections) {
      const answer = await ask(`CONNECT ${to} HTTP/1.1\r\nHost: localhost:${web}\r\n\r\n`);
      assert.match(answer, /^HTTP\/1\.1 403 Refused by the sandbox\r\n/, to);
    }
    const urls = ["/", `https://localhost:${web}/`, `http://a:secret@localhost:${web}/`];
    for (const url of urls) assert.match(await get(url), /^HTTP\/1\.1 403 Forbidden\r\n/, url);
    assert.deepEqual(refused.map(({ to }) => to), [
      "LOCALHOST",
      "localhost:22",
      `…@localhost:${web}`,
      `localhost:${web}/x`,
      `localhost:${web}:80`,
      `[::ffff:7f00:1]:${plain}`,
      "example:443",
      "x.example.org:443",
      "169.254.169.254:80",
      "/",
      `https://localhost:${web}/`,
    ]);
    for (
      const line of ["", `connect localhost:${web}`, "GET", "CONNECT evil.org:443#x.example:443"]
    ) {
      assert.match(await ask(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`), /^HTTP\/1\.1 400 /, line);
    }
    const long = `http://localhost:${web}/${"x".repeat(20_000)}`;
    assert.match(await get(long), /^HTTP\/1\.1 431 /);
  });

  it("says that a host cannot be reached, which is no refusal", async () => {
    const closed = createServer();
    const port = await listen(closed);
    await new Promise((resolve) => closed.close(resolve));
    const { ask, refused, close } = world([`localhost:${port}`]);
    const tunnel = await ask(`CONNECT localhost:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.match(tunnel, /^HTTP\/1\.1 502 ECONNREFUSED\r\n[^]*Cannot connect to "localhost:/);
    const plain = await ask(`GET http://localhost:${port}/ HTTP/1.1\r\nHost: x\r\n${CLOSE}`);
    assert.match(plain, /^HTTP\/1\.1 502 Bad Gateway\r\n/);
    assert.deepEqual(refused, []);
    close();
  });

  it("reports each place once, and only the first ones", async () => {
    const { ask, refused, close } = world([]);
    for (let i = 0; i < 50; i++) {
      await ask(`CONNECT h${i >> 1}.example:443 HTTP/1.1\r\nHost: x\r\n\r\n`);
    }
    assert.deepEqual(
      refused.map(({ to }) => to),
      Array.from({ length: 20 }, (_, i) => `h${i}.example:443`),
    );
    assert.equal(refused[0]?.reason, "commands reach no host");
    close();
  });

  it("ends what it has when it is closed, and leaves nothing at its path", async () => {
    const { ask, path, close } = world([`localhost:${plain}`]);
    const open = ask(`CONNECT localhost:${plain} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const idle = ask("");
    // It is taken after the others.
    await ask("CONNECT x HTTP/1.1\r\nHost: x\r\n\r\n");
    close();
    await open;
    assert.equal(await idle, "");
    assert.ok(!existsSync(path));
  });
});
