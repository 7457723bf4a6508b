import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { living, uniqueSeconds } from "../runtime/state/world.ts";
import { cleanUp } from "../clean-up.ts";
import { ROOT } from "../root.ts";
import { NEVER_MS, until } from "../until.ts";
import { shellflow, startCli } from "./shellflow.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-serve-test-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));

/** A `shellflow serve` to talk to. */
function serve(...options: readonly string[]) {
  const child = startCli(["serve", "--cwd", scratch, ...options]);
  const messages: unknown[] = [];
  let wake = () => {};
  assert.ok(child.stdin && child.stdout && child.stderr);
  const { stdin } = child;
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text) => err += text);
  createInterface({ input: child.stdout }).on("line", (line) => {
    messages.push(JSON.parse(line));
    wake();
  });
  const closed = once(child, "close");
  cleanUp(() => void child.kill("SIGKILL"));
  return {
    child,
    send: (line: string) => void stdin.write(`${line}\n`),
    /** The first message that is accepted; the others stay. */
    receive: async (accepts: (message: unknown) => boolean): Promise<unknown> => {
      const end = performance.now() + NEVER_MS;
      for (;;) {
        const found = messages.findIndex(accepts);
        const [message] = found < 0 ? [] : messages.splice(found, 1);
        if (message !== undefined) return message;
        const left = end - performance.now();
        if (left <= 0) {
          throw new Error(`It never came; there is ${JSON.stringify(messages)} ${err}`);
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, Math.min(left, 1_000)).unref();
        });
      }
    },
    end: async (): Promise<number | null> => {
      stdin.end();
      const [code] = await closed;
      assert.equal(err, "");
      return code;
    },
    closed,
    rest: () => messages.splice(0),
  };
}

/** Whether a message has what a pattern shows; values behind `$` are kept by their names. */
function matches(pattern: unknown, message: unknown, kept: Map<string, string>): boolean {
  if (typeof pattern === "string") {
    if (typeof message !== "string") return false;
    const names: string[] = [];
    const source = pattern.split(/(…|\$[a-z]\w*)/).map((part) => {
      if (part === "…") return "[\\s\\S]*";
      if (!/^\$[a-z]/.test(part)) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
      const value = kept.get(part);
      if (value !== undefined) return value.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
      names.push(part);
      return "([\\w.-]+)";
    }).join("");
    const found = message.match(new RegExp(`^${source}$`));
    for (const [i, name] of names.entries()) if (found) kept.set(name, found[i + 1] ?? "");
    return found !== null;
  }
  if (typeof pattern !== "object" || pattern === null) return pattern === message;
  if (typeof message !== "object" || message === null) return false;
  if (Array.isArray(pattern)) {
    // What ends at once comes in any order.
    return Array.isArray(message) && message.length === pattern.length &&
      pattern.every((part) => message.some((one) => matches(part, one, kept)));
  }
  const given = new Map<string, unknown>(Object.entries(message));
  return Object.entries(pattern).every(([name, value]) => matches(value, given.get(name), kept));
}

describe("shellflow serve", () => {
  it("holds the conversation that its document shows", async () => {
    const text = readFileSync(new URL("docs/serve.md", ROOT), "utf8");
    const lines = [...text.matchAll(/```serve\n([\s\S]*?)```/g)]
      .flatMap(([, block = ""]) => block.trim().split("\n"));
    assert.ok(lines.length > 50);
    const options = ["--permission-mode", "bypass", "--log", join(scratch, "log")];
    const kept = new Map<string, string>();
    let server = serve(...options);
    for (const [i, line] of lines.entries()) {
      const message = line.slice(3).replaceAll(/\$[a-z]\w*/g, (name) => kept.get(name) ?? name);
      if (line === "-> EOF") {
        assert.equal(await server.end(), 0);
        if (i < lines.length - 1) server = serve(...options);
      } else if (line.startsWith("->")) server.send(message);
      else {
        const pattern: unknown = JSON.parse(line.slice(3));
        await server.receive((given) => matches(pattern, given, kept)).catch((cause) => {
          throw new Error(`Nothing matches ${message}`, { cause });
        });
      }
    }
    assert.equal(kept.size, 13);
  });

  it("leaves out lines that say little, unless an option keeps them", async () => {
    const command = "git init -q a && cd a; touch untracked-file-{1..60}";
    for (const options of [[], ["--no-shorten"]]) {
      const server = serve("--permission-mode", "bypass", ...options);
      server.send(JSON.stringify({ id: 1, tool: "bash", input: { command } }));
      await server.receive((message) => matches({ id: 1 }, message, new Map()));
      server.send('{"id":2,"tool":"bash","input":{"command":"cd a && git status"}}');
      const text = options.length > 0
        ? "…untracked-file-45…"
        : "…[40 of … lines of git are left out…";
      await server.receive((message) => matches({ id: 2, result: { text } }, message, new Map()));
      assert.equal(await server.end(), 0);
    }
  });

  it("runs a line first in each shell with a name", async () => {
    const { send, receive, end } = serve(
      "--allow",
      "Bash(echo *)",
      "--on-session",
      "export A=given",
    );
    for (const [id, shellId] of [[1, "named"], [2, undefined]] as const) {
      send(JSON.stringify({ id, tool: "bash", input: { command: 'echo "[$A]"', shellId } }));
      const answer = await receive((message) => (message as { id?: number }).id === id);
      const { result: { text } } = answer as { readonly result: { readonly text: string } };
      assert.equal(text, `[${shellId === undefined ? "" : "given"}]\nexit code 0`);
    }
    assert.equal(await end(), 0);
  });

  it("denies what is still asked at the end of its input, and answers its call", async () => {
    const server = serve("--ask-over-stdio");
    server.send('{"id":1,"tool":"bash","input":{"command":"touch late","shellId":"s"}}');
    server.send('{"id":2,"tool":"bash","input":{"command":"touch later","shellId":"s"}}');
    const kept = new Map<string, string>();
    await server.receive((message) => matches({ ask: { command: "touch late" } }, message, kept));
    assert.equal(await server.end(), 0);
    const answers = server.rest();
    for (const id of [1, 2]) {
      const text = "(no output)\nnot run: denied: …the client has ended its input…";
      assert.ok(answers.some((answer) => matches({ id, result: { text } }, answer, kept)));
    }
  });

  it("asks over its streams, and denies what it cannot ask", async () => {
    const server = serve("--ask-over-stdio");
    server.send('{"id":1,"tool":"bash","input":{"command":"echo asked; touch a"}}');
    const kept = new Map<string, string>();
    await server.receive((message) =>
      matches(
        {
          ask: {
            id: 1,
            askId: "$ask",
            command: "echo asked; touch a",
            suggestions: ["Bash(touch a)"],
          },
        },
        message,
        kept,
      )
    );
    server.send(`{"answer":"${kept.get("$ask")}","with":"once"}`);
    await server.receive((message) =>
      matches({ id: 1, result: { text: "asked\nexit code 0" } }, message, kept)
    );
    server.send(`{"id":2,"answer":"${kept.get("$ask")}","with":"once"}`);
    await server.receive((message) =>
      matches(
        { id: 2, error: { message: "Cannot answer …no such question is open" } },
        message,
        kept,
      )
    );
    assert.equal(await server.end(), 0);
    const strict = serve();
    strict.send('{"id":1,"tool":"bash","input":{"command":"echo asked; touch a"}}');
    await strict.receive((message) =>
      matches(
        { id: 1, result: { text: "(no output)\nnot run: denied: …", isError: true } },
        message,
        kept,
      )
    );
    assert.equal(await strict.end(), 0);
  });

  it("asks about what is typed, with the call that types and the line of the command", async () => {
    const server = serve("--ask-over-stdio", "--allow", "Bash(bash *)", "--allow", "Bash(bash)");
    const kept = new Map<string, string>();
    const receive = (expected: unknown) =>
      server.receive((message) => matches(expected, message, kept));
    const shell = { command: "bash", input: true, mode: "async", shellId: "typed" };
    server.send(JSON.stringify({ id: 1, tool: "bash", input: shell }));
    await receive({ id: 1, result: { details: { status: "working" } } });
    const typed = { shellId: "typed", input: "touch typed; echo done{enter}", until: "/done/" };
    server.send(JSON.stringify({ id: 2, tool: "write_bash", input: typed }));
    await receive({ ask: { id: 2, askId: "$ask", typedInto: "bash" } });
    server.send('{"cancel":2}');
    const text = 'Cannot wait until "typed" has its input: the call was aborted…';
    await receive({ id: 2, result: { text, isError: true } });
    server.send(`{"answer":"${kept.get("$ask")}","with":"session"}`);
    const more = { ...typed, input: "touch more; echo done{enter}", until: "/done/" };
    server.send(JSON.stringify({ id: 3, tool: "write_bash", input: more }));
    await receive({ id: 3, result: { text: "done\n…" } });
    assert.equal(await server.end(), 0);
  });

  it("keeps the rules of the answer always in a file, for the next one", async () => {
    const store = ["--rule-store", join(scratch, "rules.json")];
    const call = '{"id":1,"tool":"bash","input":{"command":"mkdir -p kept"}}';
    const done = (message: unknown) =>
      matches({ id: 1, result: { isError: false } }, message, new Map());
    const asking = serve("--ask-over-stdio", ...store);
    asking.send(call);
    const kept = new Map<string, string>();
    await asking.receive((message) => matches({ ask: { askId: "$ask" } }, message, kept));
    asking.send(`{"answer":"${kept.get("$ask")}","with":"always"}`);
    await asking.receive(done);
    assert.equal(await asking.end(), 0);
    const later = serve(...store);
    later.send(call);
    await later.receive(done);
    assert.equal(await later.end(), 0);
  });

  it("takes the default limit of commands from a variable", async () => {
    const call = JSON.stringify({ id: 1, tool: "bash", input: { command: "true" } });
    const mode = ["--permission-mode", "bypass"];
    const limitOf = async (variable: string, ...options: readonly string[]) => {
      const env = { SHELLFLOW_TIMEOUT: variable };
      const { out } = await shellflow(["serve", ...mode, ...options], { input: call, env });
      const answers = out.trimEnd().split("\n").map((line) => JSON.parse(line));
      return answers.find(({ id }) => id === 1)?.result.details.timeout;
    };
    assert.deepEqual(await limitOf("7"), { requested: 7, effective: 7 });
    assert.deepEqual(await limitOf("7", "--timeout", "9"), { requested: 9, effective: 9 });
    assert.deepEqual(await limitOf(""), { requested: 300, effective: 300 });
  });

  it("names a variable that is no limit", async () => {
    const { code, err } = await shellflow(["serve"], { env: { SHELLFLOW_TIMEOUT: "abc" } });
    assert.match(err, /value 'abc' from env 'SHELLFLOW_TIMEOUT' is invalid/);
    assert.equal(code, 2);
  });

  it("sends events and updates on request", async () => {
    const server = serve("--permission-mode", "bypass", "--events");
    server.send('{"id":1,"tool":"bash","input":{"command":"echo hi"},"updates":true}');
    const kept = new Map<string, string>();
    await server.receive((message) =>
      matches({ update: { id: 1, type: "output", text: "hi\n" } }, message, kept)
    );
    await server.receive((message) =>
      matches({ update: { id: 1, type: "exited" } }, message, kept)
    );
    await server.receive((message) =>
      matches({ event: { event: { type: "execution.exited" } } }, message, kept)
    );
    assert.equal(await server.end(), 0);
  });

  it("ends with 143 at SIGTERM, and answers first what still waits; nothing of it goes on", async () => {
    const server = serve("--permission-mode", "bypass");
    const seconds = uniqueSeconds();
    server.send(`{"id":1,"tool":"bash","input":{"command":"sleep ${seconds}","mode":"async"}}`);
    server.send(`{"id":2,"tool":"bash","input":{"command":"sleep ${seconds}"}}`);
    await server.receive((message) => matches({ id: 1 }, message, new Map()));
    await until(() => living(`sleep ${seconds}`).length === 2);
    // By its pid: what Deno is asked to kill, it reports as killed.
    process.kill(server.child.pid ?? 0, "SIGTERM");
    await server.receive((message) =>
      matches({ id: 2, result: { isError: true } }, message, new Map())
    );
    const [code] = await server.closed;
    assert.equal(code, 143);
    assert.deepEqual(living(`sleep ${seconds}`), []);
  });

  it("ends with all that it runs when its client is killed, although a call waits", async () => {
    const server = serve("--permission-mode", "bypass");
    const seconds = uniqueSeconds();
    const command = `sleep ${seconds}`;
    const input = { command, initial_wait: 600, timeout: 0 };
    server.send(JSON.stringify({ id: 1, tool: "bash", input }));
    await until(() => living(command).length === 1);
    server.child.stdout?.destroy();
    server.child.stdin?.destroy();
    await server.closed;
    assert.deepEqual(living(command), []);
  });

  it("ends at the second SIGTERM although its answers are not read", async () => {
    const child = startCli(["serve", "--cwd", scratch, "--permission-mode", "bypass"]);
    cleanUp(() => void child.kill("SIGKILL"));
    const seconds = uniqueSeconds();
    for (let id = 0; id < 10; id++) {
      const command = `seq -f %060g 450; sleep ${seconds}`;
      child.stdin?.write(`${JSON.stringify({ id, tool: "bash", input: { command } })}\n`);
    }
    const exited = once(child, "exit");
    await until(() => living(`sleep ${seconds}`).length === 10);
    process.kill(child.pid ?? 0, "SIGTERM");
    await until(() => living(`sleep ${seconds}`).length === 0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(child.exitCode, null, "its answers wait for their reader");
    process.kill(child.pid ?? 0, "SIGTERM");
    // Deno writes in its only thread: there the signal waits until its output is read.
    if ("Deno" in globalThis) child.stdout?.resume();
    assert.equal((await exited)[0], 143);
  });
});
