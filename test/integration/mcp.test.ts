import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { McpCall } from "../../src/integration/mcp/mcp-call.ts";
import { McpQuestions } from "../../src/integration/mcp/mcp-questions.ts";
import { connectMcp } from "../../src/integration/mcp/serve-mcp.ts";
import type { Question } from "../../src/permission/asker.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";
import { createRuntime } from "../../src/runtime/create.ts";
import { startCli } from "../cli/shellflow.ts";
import { cleanUp } from "../clean-up.ts";
import { runArgs } from "../run-args.ts";
import { living, sweep, uniqueSeconds } from "../runtime/state/world.ts";
import { until } from "../until.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-mcp-test-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));

/** Calls a tool: its texts, and the data beside them. */
function caller(client: Client) {
  return async (
    name: string,
    input: Record<string, unknown>,
    how: Parameters<Client["callTool"]>[1] = {},
  ) => {
    const { content, isError, _meta } = await client.callTool({ name, arguments: input }, how);
    const texts = content.map((block) => block.type === "text" ? block.text : "");
    return { texts, isError, details: _meta?.["shellflow/details"] as Record<string, unknown> };
  };
}

/** A real client of a `shellflow mcp` that lets everything run. */
async function connect() {
  const client = new Client({ name: "test", version: "1" });
  const main = new URL("../../src/cli/main.ts", import.meta.url);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...runArgs(main), "mcp", "--cwd", scratch, "--permission-mode", "bypass"],
    env: { ...process.env as Record<string, string>, NO_COLOR: "1" },
  });
  await client.connect(transport);
  cleanUp(() => client.close());
  return { client, transport, call: caller(client) };
}

/** A client of a server in this process that asks what no rule decides. */
async function connectAsked(
  { answer, modern = false, clock, allow = [] }: {
    readonly answer?: "once" | "deny" | (() => Promise<"once">);
    readonly modern?: boolean;
    readonly clock?: Clock;
    readonly allow?: readonly string[];
  },
) {
  const questions = new McpQuestions({ ...(clock && { clock }) });
  const runtime = await createRuntime({ cwd: scratch, rules: { allow }, ask: questions.ask });
  cleanUp(() => runtime.close());
  const [transport, ours] = InMemoryTransport.createLinkedPair();
  connectMcp(runtime, { questions, transport: ours });
  const client = new Client({ name: "test", version: "1" }, {
    capabilities: answer === undefined ? {} : { elicitation: {} },
    ...(modern && { versionNegotiation: { mode: "auto" as const } }),
  });
  const asked: string[] = [];
  const withdrawn: string[] = [];
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq: { signal } }) => {
      asked.push(params.message);
      signal.addEventListener("abort", () => withdrawn.push(params.message));
      const given = typeof answer === "string" ? answer : await answer();
      return { action: "accept" as const, content: { answer: given } };
    });
  }
  await client.connect(transport);
  cleanUp(() => client.close());
  return { runtime, client, call: caller(client), asked, withdrawn };
}

const { client, call, transport } = await connect();

describe("shellflow mcp, with a real client", () => {
  it("runs a command, reports its progress, and lists the tools with their schemas", async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), [
      "bash",
      "read_bash",
      "write_bash",
      "stop_bash",
      "list_bash",
    ]);
    for (const { description = "", inputSchema } of tools) {
      assert.ok(description.length > 100 && description.length <= 1_500);
      assert.equal(inputSchema.type, "object");
    }
    assert.match(client.getInstructions() ?? "", /nonce="notice_/);
    const progress: (string | undefined)[] = [];
    const { texts, isError, details } = await call(
      "bash",
      { command: "echo a; until [ -e seen ]; do sleep 0.05; done; echo b" },
      {
        onprogress: ({ message }) => {
          progress.push(message);
          if (message === "a") writeFileSync(join(scratch, "seen"), "");
        },
      },
    );
    assert.deepEqual(texts, ["a\nb\nexit code 0"]);
    assert.equal(isError, false);
    assert.equal(details["exitCode"], 0);
    assert.match(progress[0] ?? "", /^started as process \d+$/);
    // What comes together with the result is no progress any more: the client drops it.
    assert.equal(progress[1], "a");
  });

  it("never lets a wait reach the time at which clients give up, and refuses wrong input", async () => {
    const { texts } = await call("bash", { command: "true", initial_wait: 120 });
    assert.match(texts[0] ?? "", /initial_wait 120 s is outside of 0 to 50 s: 50 s is used/);
    const wrong = await call("bash", { comand: "true" });
    assert.match(
      wrong.texts[0] ?? "",
      /^Invalid input \(nothing was run\): command: it is missing/,
    );
    assert.equal(wrong.isError, true);
  });

  it("ends the wait of a call that is cancelled, and not its command", async () => {
    const seconds = uniqueSeconds();
    const over = new AbortController();
    const cancelled = call("bash", { command: `echo begun; sleep ${seconds}` }, {
      signal: over.signal,
    });
    await until(() => living(`sleep ${seconds}`).length === 1);
    over.abort();
    await assert.rejects(cancelled);
    const listed = (await call("list_bash", {})).texts[0] ?? "";
    assert.match(listed, /^shell_\w+ {2}task_\w+ {2}promoted {2}running .* unread 6 bytes/);
    const read = await call("read_bash", { shellId: listed.split(" ")[0] });
    assert.match(read.texts[0] ?? "", /^begun\nstill running/);
    const stopped = await call("stop_bash", { shellId: listed.split(" ")[0] });
    assert.match(stopped.texts[0] ?? "", /ended by SIGTERM \(stop\)/);
    assert.deepEqual(living(`sleep ${seconds}`), []);
  });

  it("carries each notice with one result, the next after the command's end", async () => {
    const { details } = await call("bash", { command: "sleep 0.2; exit 4", mode: "async" });
    let notice: string | undefined;
    while (notice === undefined) notice = (await call("list_bash", {})).texts[1];
    const id = `${details["taskId"]}:failed`;
    assert.match(notice, new RegExp(`^<shell-notice nonce="notice_\\w+" id="${id}"`));
    assert.match(notice, /^It ended: exit code 4$/m);
    assert.equal((await call("list_bash", {})).texts.length, 1);
  });

  it("leaves its standard input to itself, and nothing running when its client goes away", async () => {
    const seconds = uniqueSeconds();
    const { texts } = await call("bash", { command: 'cat; read line; echo "[$line]"' });
    assert.equal(texts[0], "[]\nexit code 0");
    await call("bash", {
      command: `(setsid sleep ${seconds} &) ; sleep ${seconds}`,
      mode: "async",
    });
    await until(() => living(`sleep ${seconds}`).length === 2);
    const { pid } = transport;
    await client.close();
    await until(() => living(`sleep ${seconds}`).length === 0);
    assert.throws(() => process.kill(pid ?? 0, 0));
  });

  it("warns of a line that is no message, and answers what follows", async () => {
    const child = startCli(["mcp", "--cwd", scratch]);
    cleanUp(() => void child.kill("SIGKILL"));
    let out = "";
    let err = "";
    child.stdout?.on("data", (chunk) => out += chunk);
    child.stderr?.on("data", (chunk) => err += chunk);
    const ping = '{"jsonrpc":"2.0","id":7,"method":"ping"}';
    child.stdin?.write(`nothing\n[${ping}]\n{"id":8,"method":"ping"}\n${ping}\n`);
    await until(() => out.includes("\n") && err.includes("no JSON-RPC message"));
    assert.deepEqual(JSON.parse(out), { jsonrpc: "2.0", id: 7, result: {} });
    child.stdin?.end();
    await once(child, "close");
  });

  it("leaves nothing running when it dies itself", async () => {
    const { call, transport } = await connect();
    const seconds = uniqueSeconds();
    cleanUp(() => sweep(`sleep ${seconds}`));
    await call("bash", { command: `sleep ${seconds}`, mode: "async" });
    await until(() => living(`sleep ${seconds}`).length === 1);
    process.kill(transport.pid ?? 0, "SIGKILL");
    await until(() => living(`sleep ${seconds}`).length === 0);
  });
});

describe("what an MCP server asks its client", () => {
  const ASKED = `node -p '"asked"'`;

  for (const modern of [false, true]) {
    const protocol = modern ? "newer" : "older";
    it(`is what no rule decides, by the ${protocol} protocol`, async () => {
      const { client, call, asked } = await connectAsked({ answer: "once", modern });
      assert.equal(client.getNegotiatedProtocolVersion(), modern ? "2026-07-28" : "2025-11-25");
      const { texts } = await call("bash", { command: ASKED });
      assert.deepEqual(texts, ["asked\nexit code 0"]);
      assert.equal(asked.length, 1);
      assert.match(
        asked[0] ?? "",
        /^Run this in .*\?\n\nnode -p '"asked"'\n\n- no rule covers "node -p /,
      );
    });
  }

  for (const modern of [false, true]) {
    it(`is asked about what is typed, by the ${modern ? "newer" : "older"} protocol`, async () => {
      const { call, asked } = await connectAsked({ answer: "once", modern });
      const command = "read -r line; echo got; bash";
      await call("bash", { command, input: true, mode: "async", shellId: "typed" });
      const before = asked.length;
      const input = "touch typed{enter}";
      const { texts } = await call("write_bash", { shellId: "typed", input, until: "/got/" });
      assert.match(texts[0] ?? "", /^got\nstill running/);
      assert.ok(asked[before]?.startsWith(`Type this into "${command}"?\n\ntouch typed`));
      await call("stop_bash", { shellId: "typed" });
    });
  }

  it("about what is typed is denied where the client takes none, which the result says", async () => {
    const { call } = await connectAsked({ allow: ["Bash(bash)"] });
    await call("bash", { command: "bash", input: true, mode: "async", shellId: "quiet" });
    const { texts } = await call("write_bash", { shellId: "quiet", input: "touch typed{enter}" });
    assert.match(
      texts[0] ?? "",
      /^Cannot write to "task_.*", and the question could not be asked: the MCP client takes no questions/,
    );
    await call("stop_bash", { shellId: "quiet" });
  });

  it("is denied where the client denies it or takes no questions, with the reason", async () => {
    const denying = await connectAsked({ answer: "deny" });
    const denied = await denying.call("bash", { command: ASKED });
    assert.match(denied.texts[0] ?? "", /^\(no output\)\nnot run: denied: /);
    const silent = await connectAsked({});
    const { texts, isError } = await silent.call("bash", { command: ASKED });
    assert.match(texts[0] ?? "", /the MCP client takes no questions/);
    assert.equal(isError, true);
  });

  const NEVER = () => new Promise<never>(() => {});
  const IN_SHELL = { command: ASKED, shellId: "s" };
  const READS = { command: "echo hi", shellId: "s" };

  it("is denied and withdrawn once its call is cancelled, so that its shell goes on", async () => {
    const { call, asked, withdrawn } = await connectAsked({ answer: NEVER });
    const over = new AbortController();
    const cancelled = call("bash", IN_SHELL, { signal: over.signal });
    await until(() => asked.length === 1);
    over.abort();
    await assert.rejects(cancelled);
    const { texts } = await call("read_bash", { shellId: "s" });
    assert.match(texts[0] ?? "", /not run: denied: .*its call was cancelled/);
    assert.equal((await call("bash", READS)).texts[0], "hi\nexit code 0");
    await until(() => withdrawn.length === 1);
  });

  it("is denied where the client answers with an error, which the result says", async () => {
    const { call } = await connectAsked({
      answer: () => Promise.reject(new Error("there is no window")),
    });
    const { texts, isError } = await call("bash", IN_SHELL);
    assert.match(
      texts[0] ?? "",
      /^\(no output\)\nnot run: denied: .*, and the question could not be asked: the client gave no answer: .*there is no window$/,
    );
    assert.equal(isError, true);
    assert.equal((await call("bash", READS)).texts[0], "hi\nexit code 0");
  });

  for (const modern of [false, true]) {
    it(`is denied without an answer in ten minutes, by the ${modern ? "newer" : "older"} protocol`, async () => {
      const clock = new VirtualClock();
      const { call, asked } = await connectAsked({ answer: NEVER, modern, clock });
      call("bash", IN_SHELL).catch(() => {}); // by the newer protocol its client waits for ever
      await until(() => asked.length === 1);
      clock.advance(600_000);
      assert.equal((await call("bash", READS)).texts[0], "hi\nexit code 0");
    });
  }

  it("leaves a notice for the next result where its client reads none of a cancelled call", async () => {
    const { runtime, call } = await connectAsked({ allow: ["Bash(*)"] });
    const isOver = (status: string, command: string) =>
      until(() =>
        [...runtime.tasks.current.byId.values()].some((task) =>
          task.status === status && task.command === command
        )
      );
    await call("bash", { command: "sleep 0.3; exit 4", mode: "async" });
    const over = new AbortController();
    const cancelled = call("bash", { command: "sleep 60" }, { signal: over.signal });
    await isOver("running", "sleep 60");
    await isOver("ended", "sleep 0.3; exit 4");
    over.abort();
    await assert.rejects(cancelled);
    const { texts } = await call("list_bash", {});
    assert.match(texts[1] ?? "", /^It ended: exit code 4$/m);
  });

  it("is answered by what was said to it, and by no answer to an earlier one", async () => {
    const call = new McpCall(true, () => new Promise(() => {}));
    const question = (askId: string): Question => ({
      askId,
      commandId: "task_1",
      order: {
        sessionId: "s",
        command: askId,
        cwd: "/",
        dialect: "bash",
        origin: "model",
        limits: {},
      },
      summary: "",
      concerns: [],
      suggestions: [],
    });
    const clock = new VirtualClock();
    const withdrawn = new AbortController();
    const first = call.ask(question("first"), { signal: withdrawn.signal, clock });
    const early = await call.step();
    assert.ok("question" in early && early.question.askId === "first");
    withdrawn.abort();
    await assert.rejects(first, /withdrawn/);
    const late = call.ask(question("late"), { signal: withdrawn.signal, clock });
    await assert.rejects(late, /withdrawn/);
    const { signal } = new AbortController();
    const second = call.ask(question("second"), { signal, clock });
    early.answer("once");
    const step = await call.step();
    assert.ok("question" in step && step.question.askId === "second");
    step.answer("deny");
    assert.equal(await second, "deny");
  });
});
