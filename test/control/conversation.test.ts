import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as v from "valibot";
import { Conversation } from "../../src/control/conversation.ts";
import { RefusedError } from "../../src/control/conversation-errors.ts";
import { type Method, method, type RequestKind } from "../../src/control/method.ts";
import { toolFormat } from "../../src/integration/serve/tool-methods.ts";
import { channelPair } from "./channel-pair.ts";

const echo: RequestKind<string, string> = {
  method: "echo",
  params: v.string(),
  result: v.string(),
};
const wait: RequestKind<string, string> = { ...echo, method: "wait" };
const steps: RequestKind<number, number> = {
  method: "steps",
  params: v.number(),
  result: v.number(),
};

/** Answers once it is cancelled. */
const waiting = method(
  wait,
  (text, { signal }) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(`${text} cancelled`))),
);

function pair(methods: readonly Method[], others: readonly Method[] = []) {
  const [here, there] = channelPair();
  const client = new Conversation(here, { methods: others });
  const server = new Conversation(there, { methods });
  const ended = Promise.allSettled([client.read(), server.read()]);
  return { client, server, ended };
}

describe("a conversation", () => {
  it("answers requests in the order in which they are ready, in both directions", async () => {
    const back = method(echo, (text) => `${text}?`);
    const { client } = pair(
      [waiting, method(echo, async (text, { request }) => await request(echo, text))],
      [back],
    );
    const cancelled = new AbortController();
    const first = client.request(wait, "first", { signal: cancelled.signal });
    assert.equal(await client.request(echo, "second"), "second?");
    cancelled.abort();
    assert.equal(await first, "first cancelled");
  });

  it("loses no other request when a cancellation arrives after the answer", async () => {
    const cancelled = new AbortController();
    const late = method(echo, (text) => {
      cancelled.abort(); // the answer is on its way before the cancellation arrives
      return text;
    });
    const { client } = pair([late, waiting]);
    const other = new AbortController();
    const waits = client.request(wait, "other", { signal: other.signal });
    assert.equal(await client.request(echo, "x", { signal: cancelled.signal }), "x");
    assert.equal(await client.request(echo, "y"), "y");
    other.abort();
    assert.equal(await waits, "other cancelled");
  });

  it("delivers updates in order before the answer, and waits for a slow reader of them", async () => {
    let sent = 0;
    const { client } = pair([method(steps, async (count, { update }) => {
      for (sent = 0; sent < count; sent++) await update({ step: sent });
      return sent;
    })]);
    const seen: unknown[] = [];
    let ahead = 0;
    const count = await client.request(steps, 100, {
      onUpdate: async (update) => {
        seen.push(v.parse(v.object({ step: v.number() }), update).step);
        await new Promise((resolve) => setImmediate(resolve));
        ahead = Math.max(ahead, sent - seen.length);
      },
    });
    assert.equal(count, 100);
    assert.deepEqual(seen, Array.from({ length: 100 }, (_, i) => i));
    assert.ok(ahead < 10, `${ahead} updates were sent ahead of their reader`);
  });

  it("refuses with the reason, and says when the request had no effect", async () => {
    const { client, server } = pair([waiting]);
    await assert.rejects(client.request(echo, "x"), {
      message: 'Cannot answer "echo": there is no such method',
      closing: false,
    });
    const waits = client.request(wait, "x");
    waits.catch(() => {});
    await assert.rejects(client.request({ ...wait, params: v.any() }, 5), {
      message: `Cannot answer "${wait.method}": params 5: it must be a string`,
    });
    const late = new Promise<void>((resolve) => setImmediate(resolve));
    const finished = server.finish(late);
    await assert.rejects(client.request(echo, "y"), { name: "RefusedError", closing: true });
    await finished;
    await assert.rejects(waits, { name: "DisconnectedError" });
    await assert.rejects(client.request(echo, "z"), { name: "DisconnectedError" });
  });

  it("says that it is closing when nothing waits any more", async () => {
    const { client, server } = pair([]);
    await server.finish(new Promise(() => {}));
    await assert.rejects(
      client.request(echo, "x"),
      (cause) => cause instanceof Error && (!(cause instanceof RefusedError) || cause.closing),
    );
  });

  it("takes a line of `serve` as the method that a field names", () => {
    assert.deepEqual(toolFormat.read({ id: 1, tool: "bash", input: {} }), {
      id: 1,
      method: "tool",
      params: { tool: "bash", input: {} },
    });
    assert.deepEqual(toolFormat.read({ cancel: 1 }), { method: "cancel", params: { cancel: 1 } });
    assert.equal(toolFormat.read({ id: 1 }), undefined);
    assert.match(
      toolFormat.form,
      /one of the fields tool, cancel, promote, .* as id, .* a string or a /,
    );
    assert.deepEqual(toolFormat.write({ method: "notice", params: { id: "n" } }), {
      notice: { id: "n" },
    });
    assert.deepEqual(toolFormat.write({ id: 1, result: true }), { id: 1, result: true });
  });
});
