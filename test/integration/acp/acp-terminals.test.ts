import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { acpTerminals } from "../../../src/acp.ts";
import {
  createRuntime,
  type Recorded,
  type Runtime,
  type RuntimeOptions,
} from "../../../src/mod.ts";
import { createTools } from "../../../src/tools.ts";
import { MISSING } from "../../../src/integration/acp/new-output.ts";
import { cleanUp } from "../../clean-up.ts";
import { hasStarted, living, uniqueSeconds } from "../../execution/world.ts";
import { gate } from "../../gate.ts";
import { until } from "../../until.ts";
import { type Answering, type Asked, type Client, startClient } from "./client.ts";

interface Given {
  readonly answering?: Answering;
  readonly outputByteLimit?: number;
  readonly options?: RuntimeOptions;
}

/** A runtime whose commands run in a client, and what was recorded of them. */
async function started(
  { answering, options, outputByteLimit }: Given = {},
): Promise<{ client: Client; runtime: Runtime; events: Recorded[] }> {
  const client = startClient(answering);
  const limit = outputByteLimit === undefined ? {} : { outputByteLimit };
  const executor = acpTerminals(client.agent.client, { sessionId: "s1", pollMs: 20, ...limit });
  const runtime = await createRuntime({ mode: "bypass", executor, ...options });
  cleanUp(() => runtime.close());
  const events: Recorded[] = [];
  runtime.events.subscribe((event) => events.push(event));
  return { client, runtime, events };
}

const never = <T>(): Promise<T> => new Promise(() => {});
const without = (...missing: Asked[]): Answering => (asked, usual) =>
  missing.includes(asked) ? never() : usual();
const failing = (...broken: Asked[]): Answering => (asked, usual) =>
  broken.includes(asked) ? Promise.reject(new Error("broken")) : usual();
describe("a runtime whose commands run in terminals of a client", () => {
  it("asks the client for the line as it was judged, with its directory and its variables", async () => {
    const { client, runtime } = await started({ options: { cwd: "/tmp" } });
    const result = await runtime.run(`printf '%s\\n' "$A" "$PWD"; exit 3`, { env: { A: "b c" } });
    assert.deepEqual([result.output, result.exitCode], ["b c\n/tmp\n", 3]);
    const [created] = client.created;
    assert.equal(created?.sessionId, "s1");
    const line = `printf '%s\\n' "$A" "$PWD"; exit 3`;
    assert.deepEqual(created?.args, ["--noprofile", "--norc", "-c", "--", line, "bash"]);
    assert.equal(created?.cwd, "/tmp");
    assert.ok(created?.env?.some(({ name, value }) => name === "A" && value === "b c"));
    await until(() => client.open.size === 0);
  });

  it("names the terminal before it is released, for the tool call of the agent", async () => {
    const { client, runtime, events } = await started();
    await runtime.run("true");
    const ids = events.flatMap(({ event }) =>
      event.type === "execution.started" ? [event.terminalId] : []
    );
    assert.deepEqual(ids, ["terminal-1"]);
    await until(() => client.asked.includes("release"));
    const others = client.asked.filter((what) => what !== "output");
    assert.deepEqual(others, ["create", "waitForExit", "release"]);
  });

  it("runs nothing that was not allowed", async () => {
    const { client, runtime } = await started({ options: { mode: "default" } });
    assert.equal((await runtime.run("touch /etc/x")).outcome.type, "denied");
    assert.deepEqual(client.asked, []);
  });

  it("has output while the command runs, and ends silence by its limit", async () => {
    const { runtime } = await started();
    const { wait, open } = gate();
    const { taskId, result } = runtime.start(`echo one; ${wait}; echo two`);
    await until(() => runtime.tasks.current.byId.get(taskId)?.totalBytes === 4);
    open();
    assert.equal((await result).output, "one\ntwo\n");
    const silent = await runtime.run("echo a; sleep 3000", { idleTimeoutMs: 300 });
    assert.deepEqual(silent.outcome, { type: "idleTimedOut", limitMs: 300 });
    assert.equal(silent.output, "a\n");
  });

  it("has every byte of long output, also of characters in many bytes", async () => {
    const { runtime } = await started({ outputByteLimit: 4_000_000 });
    const { taskId, totalBytes } = await runtime.run(
      'for i in {1..60000}; do echo "$i äöü€𝄞"; done',
    );
    const whole = Array.from({ length: 60_000 }, (_, i) => `${i + 1} äöü€𝄞\n`).join("");
    assert.equal(totalBytes, new TextEncoder().encode(whole).length);
    const { bytes } = await runtime.read(taskId, { from: totalBytes - 20 });
    assert.ok(whole.endsWith(new TextDecoder().decode(bytes).replace(/^\uFFFD+/, "")));
  });

  it("says what is missing where the client keeps too little", async () => {
    const { runtime } = await started({ outputByteLimit: 2_000 });
    const { output } = await runtime.run("seq 1 2000; echo end");
    assert.ok(output.includes(MISSING), output);
    assert.ok(output.endsWith("2000\nend\n"));
    const slow = await runtime.run("for i in {1..100}; do echo line $i; sleep 0.005; done");
    const lines = slow.output.split("\n").filter((line) => line.startsWith("line"));
    assert.equal(new Set(lines).size, lines.length);
  });

  it("ends with the limit of time, a stop, an abort and the runtime, and keeps what was printed", async () => {
    const { client, runtime, events } = await started();
    const what = `sleep ${uniqueSeconds()}`;
    const late = await runtime.run(`echo a; ${what}`, { timeoutMs: 200 });
    assert.deepEqual(late.outcome, { type: "timedOut", limitMs: 200 });
    assert.equal(late.output, "a\n");
    const { taskId, result } = runtime.start(what);
    await until(() => hasStarted(what));
    // Such a command takes no signal.
    runtime.signal(taskId, "SIGINT");
    await runtime.stop(taskId);
    assert.ok(!events.some(({ event }) => event.type === "command.signalled"));
    const { outcome } = await result;
    const killed = { type: "signaled", signal: "SIGKILL", by: "stop", coreDump: false };
    assert.deepEqual(outcome, killed);
    const abort = new AbortController();
    const aborted = runtime.start(what, { signal: abort.signal });
    await until(() => hasStarted(what));
    abort.abort();
    assert.deepEqual((await aborted.result).outcome, { type: "aborted", by: "abort" });
    const last = runtime.start(what);
    await until(() => hasStarted(what));
    await runtime.close();
    assert.deepEqual((await last.result).outcome, { type: "aborted", by: "close" });
    assert.deepEqual([client.open.size, living(what)], [0, []]);
    const steps = events.flatMap(({ event }) =>
      event.type === "execution.stopping" ? [event.signal] : []
    );
    assert.deepEqual(new Set(steps), new Set(["terminal/kill"]));
  });

  it("serves tools, which offer no input, terminal or shell", async () => {
    const { runtime } = await started();
    const tools = createTools(runtime);
    const { text, isError } = await tools.call("bash", { command: "echo hi" });
    assert.deepEqual([text, isError], ["hi\nexit code 0", false]);
    const killed = await tools.call("bash", { command: "kill -9 $$" });
    assert.match(killed.text, /SIGKILL/);
    const sleeping = await tools.call("bash", { command: "sleep 60", mode: "async" });
    const { text: listed } = await tools.call("list_bash", {});
    assert.match(listed, / async {2}running {2}started .* sleep 60$/m);
    await tools.call("stop_bash", { shellId: sleeping.details.taskId });
    const schema = JSON.stringify([...tools].map((tool) => tool.schema));
    assert.doesNotMatch(schema, /"pty"|"input"|"detach"/);
  });

  it("refuses what a terminal of the client cannot do", async () => {
    const { client, runtime } = await started();
    const reasonOf = async (options: object) => {
      const { outcome } = await runtime.run("true", options);
      return "reason" in outcome ? outcome.reason : outcome;
    };
    const cannot = `a terminal of the client`;
    assert.match(String(await reasonOf({ pty: true })), new RegExp(`${cannot} takes no input`));
    assert.match(String(await reasonOf({ input: true })), new RegExp(`${cannot} takes no input`));
    await assert.rejects(runtime.run("true", { detach: true }), /detach/);
    await assert.rejects(
      runtime.run("true", { split: true }),
      /^RequestError: .* with split true: /,
    );
    assert.deepEqual(client.asked, []);
  });

  it("runs what is for a shell in a process of its own, and says so", async () => {
    const { runtime, events } = await started({ options: { defaultExecutor: "auto" } });
    assert.equal((await runtime.run("echo hi", { sessionId: "work" })).output, "hi\n");
    const [fellBack] = events.flatMap(({ event }) =>
      event.type === "execution.fellBack" ? [event.reason] : []
    );
    assert.equal(fellBack, "a terminal of the client keeps no shell");
  });

  it("says which option cannot be used", () => {
    const { agent } = startClient();
    const cannot = /^TypeError: Cannot use terminals of the client with /;
    const use = (options: unknown) => () =>
      acpTerminals(agent.client, options as { sessionId: "" });
    for (
      const options of [{}, { sessionId: "" }, { sessionId: "s", outputByteLimit: 3 }, undefined]
    ) {
      assert.throws(use(options), cannot);
    }
    assert.throws(use({ sessionId: "s", pollMs: 0 }), /pollMs 0/);
    assert.throws(use({ sessionId: "s", poll: 1 }), /there are sessionId, outputByteLimit/);
    const none = {} as typeof agent.client;
    assert.throws(() => acpTerminals(none, { sessionId: "s" }), /has no createTerminal/);
  });
});

describe("a client that does not do what the protocol asks of it", () => {
  it("refuses a terminal: the command could not start", async () => {
    const { runtime, client } = await started({ answering: failing("create") });
    const { outcome } = await runtime.run("true");
    assert.equal(outcome.type, "spawnFailed");
    assert.match("reason" in outcome ? outcome.reason : "", /^Cannot start ".*bash" in ".*": /);
    assert.deepEqual(client.asked, ["create"]);
  });

  it("never answers: the command waits until it is given up", async () => {
    const { runtime } = await started({ answering: without("create") });
    const { taskId, result } = runtime.start("true");
    await runtime.stop(taskId);
    assert.equal((await result).outcome.type, "aborted");
    const hangs = runtime.start("true");
    const before = performance.now();
    await runtime.close();
    assert.equal((await hangs.result).outcome.type, "aborted");
    assert.ok(performance.now() - before < 3_000);
  });

  it("answers after the command was given up: what it started is killed and released", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    let answer: () => void = () => {};
    const answered = new Promise<void>((resolve) => answer = resolve);
    const { runtime, client } = await started({
      answering: async (asked, usual) => {
        const usually = await usual();
        if (asked === "create") await answered;
        return usually;
      },
    });
    const { taskId, result } = runtime.start(what);
    await until(() => client.open.size === 1);
    await runtime.stop(taskId);
    assert.equal((await result).outcome.type, "aborted");
    answer();
    await until(() => client.open.size === 0);
    assert.deepEqual(client.asked, ["create", "kill", "release"]);
    await until(() => living(what).length === 0);
  });

  it("leaves the wait for the exit unanswered, or refuses it: the output has the exit", async () => {
    for (const answering of [without("waitForExit"), failing("waitForExit")]) {
      const { runtime, client } = await started({ answering });
      const { output, exitCode } = await runtime.run("echo a; sleep 0.1; echo b; exit 3");
      assert.deepEqual([output, exitCode], ["a\nb\n", 3]);
      const what = `sleep ${uniqueSeconds()}`;
      const { taskId, result } = runtime.start(what);
      await until(() => hasStarted(what));
      await runtime.stop(taskId);
      assert.equal((await result).outcome.type, "signaled");
      await until(() => client.open.size === 0);
    }
  });

  it("gives no output: that is said, and the exit is known", async () => {
    const { runtime, client } = await started({ answering: failing("output") });
    const { output, exitCode } = await runtime.run("echo a; exit 3");
    assert.deepEqual([output, exitCode], [MISSING, 3]);
    await until(() => client.open.size === 0);
  });

  it("does not kill, or not report it: the command is over all the same, and released", async () => {
    const ends = async (answering: Answering, by: "timeout" | "stop") => {
      const what = `sleep ${uniqueSeconds()}`;
      const { runtime, client } = await started({ answering });
      const { taskId, result } = runtime.start(what, by === "timeout" ? { timeoutMs: 200 } : {});
      await until(() => hasStarted(what));
      if (by === "stop") await runtime.stop(taskId);
      const { outcome } = await result;
      await until(() => client.open.size === 0 && living(what).length === 0);
      return outcome;
    };
    const [one, two, three] = await Promise.all([
      ends(failing("kill"), "timeout"),
      ends(without("kill"), "stop"),
      ends(without("kill", "output"), "stop"),
    ]);
    const reason = "The client did not report its end within 2 s after terminal/kill";
    assert.deepEqual([one, two, three], [
      { type: "timedOut", limitMs: 200 },
      { type: "unknown", reason },
      { type: "unknown", reason },
    ]);
  });

  it("does not release: the end is reported, and the command is closed a second later", async () => {
    for (const answering of [failing("release"), without("release")]) {
      const { runtime, events, client } = await started({ answering });
      assert.equal((await runtime.run("echo a")).output, "a\n");
      await until(() => events.some(({ event }) => event.type === "execution.closed"));
      assert.ok(client.asked.includes("release"));
    }
  });

  it("is gone in the middle: the command is lost, with what was read of it", async () => {
    const { runtime, client, events } = await started();
    const { taskId, result } = runtime.start(`echo a; sleep ${uniqueSeconds()}`);
    await until(() => runtime.tasks.current.byId.get(taskId)?.totalBytes === 2);
    client.die();
    const { outcome, output } = await result;
    assert.equal(outcome.type, "lost");
    assert.match("reason" in outcome ? outcome.reason : "", /^The client no longer answers /);
    assert.equal(output, `a\n${MISSING}`);
    await until(() => events.at(-1)?.event.type === "session.closed");
    const next = await runtime.run("true");
    assert.equal(next.outcome.type, "spawnFailed");
    const before = performance.now();
    await runtime.close();
    assert.ok(performance.now() - before < 1_000);
  });

  it("reports neither code nor signal: the outcome is not known", async () => {
    const { runtime } = await started({
      answering: async (asked, usual) =>
        asked === "waitForExit" ? (await usual(), {} as never) : usual(),
    });
    const { outcome, exitCode } = await runtime.run("true");
    assert.equal(outcome.type, "unknown");
    assert.equal(exitCode, null);
  });

  it("answers nonsense: nothing breaks", async () => {
    const nonsense = (what: Asked): Answering => async (asked, usual) =>
      asked === what ? (await usual(), null as never) : usual();
    for (const what of ["create", "output", "waitForExit", "kill", "release"] as const) {
      const { runtime, events } = await started({ answering: nonsense(what) });
      const { outcome } = await runtime.run("echo a");
      const expected = { create: "spawnFailed", waitForExit: "unknown" };
      assert.equal(outcome.type, expected[what as keyof typeof expected] ?? "exited", what);
      assert.ok(!events.some(({ event }) => JSON.stringify(event).includes("internal error")));
    }
  });
});
