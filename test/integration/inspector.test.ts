import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createServer, request as httpRequest } from "node:http";
import { Script } from "node:vm";
import { createRuntime, type Recorded } from "../../src/mod.ts";
import { type Inspector, serveInspector } from "../../src/inspector.ts";
import { playback, scripted } from "../../src/testing.ts";

const ask = async ({ url }: Inspector, path: string) => {
  const answer = await fetch(`${url}${path}`);
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};

describe("the inspector", () => {
  it("shows sessions and tasks as they are, and as they were", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    await using inspector = await serveInspector(runtime);
    const { taskId } = await runtime.run("printf 'one\\ntwo\\n'; exit 3", { sessionId: "s" });
    const events: Recorded[] = [];
    runtime.events.subscribe((recorded) => events.push(recorded)).unsubscribe();

    const now = (await ask(inspector, "state")).body;
    assert.equal(now.seq, events.length);
    assert.equal(now.sessions[0].id, "s");
    assert.deepEqual(now.tasks[0].outcome, { type: "exited", code: 3 });

    const started = events.find(({ event }) => event.type === "execution.started");
    const then = (await ask(inspector, `state?seq=${started?.seq}`)).body;
    assert.equal(then.seq, started?.seq);
    assert.equal(then.last, events.length);
    assert.equal(then.tasks[0].status, "running");
    assert.deepEqual((await ask(inspector, "state?at=0")).body.tasks, []);

    const task = (await ask(inspector, `task?id=${taskId}`)).body;
    assert.equal(task.text, "one\ntwo");
    assert.equal(task.events[0].event.type, "command.requested");
    const before = (await ask(inspector, `task?id=${taskId}&seq=${started?.seq}`)).body;
    assert.equal(before.text, "");
    assert.equal(before.events.at(-1).seq, started?.seq);
  });

  it("shows the screen of a terminal, with its colours", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    await using inspector = await serveInspector(runtime);
    const { taskId } = await runtime.run("printf '\\033[31mred\\033[m'", { pty: true });
    const { screen } = (await ask(inspector, `task?id=${taskId}`)).body;
    assert.equal(screen.lines[0], "red");
    assert.deepEqual(screen.styled[0][0], { text: "red", style: { foreground: 1 } });
  });

  it("ends a task", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    await using inspector = await serveInspector(runtime);
    const { taskId, result } = runtime.start("sleep 36");
    const answer = await fetch(`${inspector.url}stop?id=${taskId}`, { method: "POST" });
    assert.deepEqual(await answer.json(), { stopped: taskId });
    assert.equal((await result).outcome.type, "signaled");
    // A link that is followed ends nothing.
    assert.equal((await ask(inspector, `stop?id=${taskId}`)).status, 404);
  });

  it("tells the page of new events, and that none follow", async () => {
    const runtime = await createRuntime({
      mode: "bypass",
      ...playback([scripted("make", { output: "built\n" })]),
    });
    await using inspector = await serveInspector(runtime);
    const stream = await fetch(`${inspector.url}news`);
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    const news = async () =>
      JSON.parse(String((await reader?.read())?.value).slice("data: ".length));
    assert.equal((await news()).last, 0);
    await runtime.run("make");
    let last = await news();
    await runtime.close();
    while (!last.ended) last = await news();
    assert.equal(last.canStop, false);
    await reader?.cancel();
    // What was recorded stays to be seen.
    const [task] = (await ask(inspector, "state")).body.tasks;
    assert.equal(task.command, "make");
  });

  it("answers its own address alone", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    await using inspector = await serveInspector(runtime);
    const { origin, port, pathname } = new URL(inspector.url);
    assert.equal((await ask(inspector, "nothing")).status, 404);
    for (const path of ["/", "/state", "/inspect_0/state", "//state"]) {
      const answer = await fetch(`${origin}${path}`);
      assert.equal(answer.status, 404, path);
      await answer.body?.cancel();
    }
    // A name of another site that leads to this machine.
    const status = await new Promise((resolve, reject) => {
      const headers = { host: `evil.example:${port}` };
      httpRequest({ host: "127.0.0.1", port, path: pathname, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on("error", reject).end();
    });
    assert.equal(status, 404);
  });

  it("refuses a query that it cannot read, by its field", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    await using inspector = await serveInspector(runtime);
    const { taskId } = await runtime.run("echo hi");
    const { last } = (await ask(inspector, "state")).body;
    const rows: readonly (readonly [path: string, why: string])[] = [
      ["state?seq=abc", 'seq "abc": it must be a whole number, 0 or more'],
      ["state?seq=-1", 'seq "-1": it must be a whole number, 0 or more'],
      ["state?seq=1.5", 'seq "1.5": it must be a whole number, 0 or more'],
      ["state?seq=", 'seq "": it must be a whole number, 0 or more'],
      ["state?at=now", 'at "now": it must be a time in milliseconds, 0 or more'],
      ["state?sec=1", 'sec "1": there is no such option; there are seq, at, id'],
      [`task?id=${taskId}&seq=abc`, 'seq "abc": it must be a whole number, 0 or more'],
    ];
    for (const [path, why] of rows) {
      const { status, body } = await ask(inspector, path);
      assert.deepEqual([status, body.error], [400, `Cannot GET ${path.split("?")[0]} with ${why}`]);
    }
    assert.equal((await ask(inspector, `state?seq=${last}`)).status, 200);
    assert.equal((await ask(inspector, "task?id=none")).status, 404);
  });

  it("serves a page that loads nothing from elsewhere", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    await using inspector = await serveInspector(runtime);
    const page = await fetch(inspector.url);
    const policy = page.headers.get("content-security-policy") ?? "";
    const text = await page.text();
    const [, nonce = "none"] = /<script [^>]*nonce="([^"]+)"/.exec(text) ?? [];
    assert.match(policy, /^default-src 'none';/);
    assert.ok(policy.includes(`script-src 'nonce-${nonce}'`));
    assert.doesNotMatch(text, /https?:|\/\/[a-z]+\./);
    // It can be parsed, and makes no HTML of what it shows.
    const [, script = ""] = /<script [^>]*>(.*)<\/script>/s.exec(text) ?? [];
    assert.doesNotThrow(() => new Script(script));
    assert.match(script, /EventSource/);
    assert.doesNotMatch(script, /innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
  });

  it("says whether the runtime of what it shows is gone", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const { events } = runtime;
    const read = runtime.read.bind(runtime);
    const rows = [[undefined, false], [true, false], [false, true]] as const;
    for (const [hasOwner, gone] of rows) {
      const asked = hasOwner === undefined ? {} : { hasOwner: () => Promise.resolve(hasOwner) };
      await using inspector = await serveInspector({ events, read, ...asked });
      assert.equal((await ask(inspector, "state")).body.ownerGone, gone);
    }
  });

  it("says why an output cannot be shown", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const { taskId } = await runtime.run("echo hi");
    const read = () => Promise.reject(new Error("Cannot read it"));
    await using inspector = await serveInspector({ events: runtime.events, read });
    const task = (await ask(inspector, `task?id=${taskId}`)).body;
    assert.equal(task.unreadable, "Cannot read it");
    assert.equal((await ask(inspector, "state")).body.canStop, false);
  });

  it("refuses options that cannot be used, and a port that is taken", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    await assert.rejects(serveInspector(runtime, { port: 70_000 }), /with port 70000/);
    await assert.rejects(serveInspector(runtime, { maxEvents: 0 }), /with maxEvents 0/);
    const nothing: unknown = {};
    await assert.rejects(
      serveInspector(nothing as Parameters<typeof serveInspector>[0]),
      /^TypeError: Cannot inspect what has no events/,
    );
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" ? address?.port ?? 0 : 0;
    await assert.rejects(
      serveInspector(runtime, { port }),
      new RegExp(`^Error: Cannot serve the inspector on port ${port}: .*EADDRINUSE`),
    );
    await new Promise((resolve) => other.close(resolve));
  });
});
