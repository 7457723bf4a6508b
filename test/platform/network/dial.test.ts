import assert from "node:assert/strict";
import { createServer, type Socket } from "node:net";
import { describe, it } from "node:test";
import { dialListed } from "../../../src/platform/network/dial.ts";
import { listedHost } from "../../../src/platform/network/listed-hosts.ts";
import { cleanUp } from "../../clean-up.ts";

const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
cleanUp(() => server.close());
await new Promise((resolve) => server.once("listening", resolve));
const address = server.address();
assert.ok(typeof address === "object" && address !== null);
const { port } = address;

/** Connect to `rebound.example`, which is at these addresses; answers where that led to. */
async function reached(names: readonly string[], addresses: readonly string[]): Promise<string> {
  const lookups: string[] = [];
  const made: Socket[] = [];
  const dial = dialListed(names.flatMap((name) => listedHost(name) ?? []), {
    names,
    made: (socket) => made.push(socket),
    addressesOf: (host) => {
      lookups.push(host);
      return Promise.resolve(addresses);
    },
  });
  try {
    const socket = await dial({ host: "rebound.example", port });
    assert.deepEqual(lookups, ["rebound.example"]);
    return socket.remoteAddress ?? "";
  } catch (cause) {
    if (made.length > 0) throw cause;
    return String(cause);
  } finally {
    for (const socket of made) socket.destroy();
  }
}

describe("a connection to a listed name", () => {
  const name = `rebound.example:${port}`;

  it("leads to no address that is not public", async () => {
    for (const at of ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "fe80::1"]) {
      const why = `Error: "rebound.example" is at ${at}, which is neither public nor listed`;
      assert.equal(await reached([name], [at]), why);
    }
  });

  it("leads to one that is listed itself, and past those that are not", async () => {
    const listed = [name, `127.0.0.1:${port}`];
    assert.equal(await reached(listed, ["10.0.0.1", "127.0.0.1"]), "127.0.0.1");
    assert.equal(await reached([name, `localhost:${port}`], ["127.0.0.1"]), "127.0.0.1");
    assert.match(await reached([name, "127.0.0.1"], ["127.0.0.1"]), /neither public nor listed$/);
  });

  it("is not even looked up where the name is not listed", async () => {
    assert.equal(
      await reached(["other.example"], []),
      'Error: commands reach only "other.example"',
    );
  });
});
