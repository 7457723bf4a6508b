import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createPlainServer, type Server } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { createRuntime, type Runtime, type RuntimeOptions } from "../../../src/mod.ts";
import { createTools } from "../../../src/tools.ts";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import { cleanUp } from "../../clean-up.ts";
import { shellflow } from "../../cli/shellflow.ts";
import { sized } from "../../sized.ts";
import { until } from "../../until.ts";

const scratch = realpathSync(mkdtempSync("/var/tmp/shellflow-hosts-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
const PATH = process.env["PATH"] ?? "";
const skip = findProgram("curl", PATH) === undefined;

const listen = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  cleanUp(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  return typeof address === "object" ? address?.port ?? 0 : 0;
};
const web = await listen(createServer(({ url }, response) => response.end(`web ${url}\n`)));
const plain = await listen(createPlainServer((socket) => {
  socket.on("data", (chunk) => socket.end(`plain ${chunk}`));
}));
const hosts = [`localhost:${web}`, `localhost:${plain}`, "*.listed.example"];

const printed = (runtime: Runtime, taskId: string, text: string) =>
  until(() => {
    const log = runtime.output(taskId);
    return new TextDecoder().decode(log?.peek(0, log.total)).includes(text);
  });

let count = 0;
const inSandbox = (
  { network = { hosts }, ...options }: RuntimeOptions & RuntimeOptions["sandbox"] = {},
): Promise<Runtime> => {
  const cwd = join(scratch, String(++count));
  mkdirSync(cwd);
  return createRuntime({ cwd, mode: "bypass", sandbox: { network }, ...options });
};
const lack = await inSandbox().then((runtime) => runtime.close(), String);

/** Says lines to the proxy in bash, and shows what it answers. */
const ASK =
  `ask() { exec 5<>/dev/tcp/127.0.0.1/3128; printf '%s\\r\\n' "$@" '' >&5; cat <&5; exec 5>&-; }; `;

describe("a sandbox with listed hosts", () => {
  if (lack !== undefined) {
    it("says clearly why it is not to be had here", () => {
      assert.match(lack, /^Error: Cannot use a sandbox: (?:bubblewrap|socat, which|bash, which)/);
    });
    return;
  }

  it("lets curl reach them, with and without a tunnel", { skip }, async () => {
    await using runtime = await inSandbox();
    const url = `http://localhost:${web}`;
    const lines = [`curl -sS ${url}/a ${url}/b`, `curl -sSp ${url}/c`];
    const { output } = await runtime.run(lines.join("; "));
    assert.equal(output, "web /a\nweb /b\nweb /c\n");
    const raw = `exec 5<>/dev/tcp/127.0.0.1/3128; cat <&5 & printf '%s\\r\\n' ` +
      `"CONNECT localhost:${plain} HTTP/1.0" '' data >&5; wait`;
    assert.match((await runtime.run(raw)).output, /^HTTP.*200 .*\r\n\r\nplain data\r\n$/);
  });

  it("refuses others, and says so to curl, programs and models", { skip }, async () => {
    await using runtime = await inSandbox();
    const events: unknown[] = [];
    runtime.events.subscribe(({ event }) => {
      if (event.type === "execution.refused") events.push([event.to, event.reason]);
    });
    const reason = `commands reach only ${hosts.map((host) => `"${host}"`).join(", ")}`;
    const refusal = `The sandbox refused a connection to "other.example:443": ${reason}`;
    const tunnel = "curl -sS https://other.example";
    const { exitCode, ...result } = await runtime.run(`${tunnel}; ${tunnel}`);
    assert.deepEqual([exitCode, result.refusal], [56, refusal]);
    assert.deepEqual(events, [["other.example:443", reason]]);
    assert.equal((await runtime.run(`${tunnel}; true`)).refusal, undefined);
    const request = await runtime.run(`curl -sS http://other.example`);
    assert.equal(request.output, `${refusal.replace("443", "80")}\n`);
    const direct = await runtime.run("curl --noproxy '*' -sS https://other.example");
    assert.equal(
      direct.refusal,
      `The sandbox may have refused the network: ${reason}, by HTTP and the proxy that their variables name`,
    );
    const tools = createTools(runtime);
    const bash = tools.tools.find(({ name }) => name === "bash");
    assert.ok(bash?.description.includes(`; ${reason}, by HTTP`), bash?.description);
    const { text } = await tools.call("bash", { command: tunnel });
    assert.ok(text.includes(refusal), text);
  });

  it("names its proxy in the variables, and no other", async () => {
    const line = "env | grep -iE '_(proxy|SANDBOX)='";
    const env = { set: { https_proxy: "http://own:1", NO_PROXY: "*", FTP_PROXY: "http://own:1" } };
    await using runtime = await inSandbox({ network: { hosts: ["a.example"] }, env });
    const { output } = await runtime.run(line);
    const small = ["all", "ftp", "http", "https"].map((each) => `${each}_proxy`);
    const expected = [
      ...[...small, ...small.map((name) => name.toUpperCase())]
        .map((name) => `${name}=http://127.0.0.1:3128`),
      ...["no_proxy", "NO_PROXY"].map((name) => `${name}=localhost,127.0.0.1,::1`),
      "NODE_USE_ENV_PROXY=1",
      "SHELLFLOW_SANDBOX=network-hosts",
    ];
    assert.deepEqual(output.trim().split("\n").sort(), expected.sort());
    await using other = await inSandbox({ network: { hosts: ["127.0.0.1:80"] } });
    assert.equal((await other.run("echo $no_proxy")).output, "localhost,::1\n");
  });

  it("reaches nothing but the proxy, and no proxy of another sandbox", async () => {
    await using runtime = await inSandbox();
    const { output } = await runtime.run(
      `echo x 2>/dev/null >/dev/tcp/127.0.0.1/${web} || echo no`,
    );
    assert.equal(output, "no\n");
    const { taskId, result } = runtime.start("echo ready; read x", { input: true });
    await printed(runtime, taskId, "ready");
    const sockets = "cd /tmp/shellflow-$(id -u) && ls";
    assert.match((await runtime.run(sockets)).output, /^proxy_\w+\.sock\n$/);
    await using none = await inSandbox({ network: "none" });
    assert.equal((await none.run(sockets)).output, "");
    await runtime.input(taskId, "\n");
    await result;
  });

  it("ends commands as they ended, and takes no part in their signals and jobs", async () => {
    await using runtime = await inSandbox();
    const lines = [
      ["exit 7", { type: "exited", code: 7 }],
      ["wait; jobs; sleep 1000 & exit 0", { type: "exited", code: 0 }],
      ["kill -TERM $$", { type: "exited", code: 143, guessedSignal: "SIGTERM" }],
    ] as const;
    for (const [line, outcome] of lines) {
      const result = await runtime.run(line);
      assert.deepEqual([result.outcome, result.output, result.leftovers], [outcome, "", []], line);
    }
    const line = `${ASK}trap 'echo hung up' HUP; echo ready; read x; ` +
      `ask "GET http://localhost:${web}/ HTTP/1.0" | tail -n 1`;
    const { taskId, result } = runtime.start(line, { input: true });
    await printed(runtime, taskId, "ready");
    runtime.signal(taskId, "SIGHUP");
    await printed(runtime, taskId, "hung up");
    await runtime.input(taskId, "\n");
    assert.equal((await result).output, "ready\nhung up\nweb /\n");
  });

  it("does not count the container and the bridge as readers of input", async () => {
    for (const network of ["none", { hosts }] as const) {
      const rules = { allow: ["Bash(echo *)", "Bash(cat)", "Bash(bash)"] };
      await using runtime = await inSandbox({ network, mode: "default", rules });
      const cat = runtime.start("echo ready; cat", { input: true });
      const bash = runtime.start("echo ready; bash", { input: true });
      await printed(runtime, cat.taskId, "ready");
      await printed(runtime, bash.taskId, "ready");
      await runtime.input(cat.taskId, "rm -rf /x\n", { end: true });
      assert.equal((await cat.result).output, "ready\nrm -rf /x\n");
      await assert.rejects(
        runtime.input(bash.taskId, "rm -rf /x\n"),
        /"rm" writes "\/x", which is outside/,
      );
      await runtime.stop(bash.taskId);
    }
  });

  it("serves many commands at once, each for itself", async () => {
    await using runtime = await inSandbox();
    const all = await Promise.all(Array.from({ length: sized(8, 50) }, async (_, i) => {
      const own = `"GET http://localhost:${web}/${i} HTTP/1.0"`;
      const line = `${ASK}ask ${own} | tail -n 1; ask "CONNECT h${i}:443 HTTP/1.0"; exit 1`;
      const { output, refusal = "" } = await runtime.run(line);
      return [output.split("\n")[0], /"h\d+:443"/.exec(refusal)?.[0]];
    }));
    assert.deepEqual(all, all.map((_, i) => [`web /${i}`, `"h${i}:443"`]));
  });

  it("lets more connections wait than it takes at once, and ends all with the command", async () => {
    await using runtime = await inSandbox();
    const open = `for i in {10..200}; do eval "exec $i<>/dev/tcp/127.0.0.1/3128" || exit 1; done`;
    assert.deepEqual((await runtime.run(open)).outcome, { type: "exited", code: 0 });
    const after = `${ASK}ask "GET http://localhost:${web}/ HTTP/1.0" | tail -n 1`;
    assert.equal((await runtime.run(after)).output, "web /\n");
  });

  it("needs hosts that are hosts, and socat", async () => {
    const such = 'it is no host, such as "example.com", "*.example.com" or "localhost:8080"';
    const cannot = async (network: unknown, why: string) =>
      // @ts-expect-error: a caller without types.
      await assert.rejects(inSandbox({ network }), {
        name: "TypeError",
        message: `Cannot create a runtime with sandbox.network${why}`,
      });
    await cannot(
      { hosts: ["a.example", "https://a.example"] },
      `.hosts.1 "https://a.example": ${such}`,
    );
    await cannot({ hosts: ["*"] }, `.hosts.0 "*": ${such}`);
    await cannot({}, ".hosts undefined: it is missing");
    await cannot(["a.example"], ' ["a.example"]: it is neither "none" nor "full" nor {hosts}');
    await cannot("some", ' "some": it is neither "none" nor "full" nor {hosts}');
    const programs = join(scratch, "programs");
    mkdirSync(programs);
    for (const name of ["bwrap", "bash", "true"]) {
      symlinkSync(findProgram(name, PATH) ?? "", join(programs, name));
    }
    process.env["PATH"] = programs;
    try {
      await assert.rejects(inSandbox(), {
        message: "Cannot use a sandbox: socat, which leads to the listed hosts, is not on the PATH",
      });
    } finally {
      process.env["PATH"] = PATH;
    }
  });

  it("is had on the command line", async () => {
    const line = `${ASK}ask "GET http://localhost:${web}/cli HTTP/1.0" | tail -n 1`;
    const list = `a.example,localhost:${web}`;
    const { out, err } = await shellflow(
      ["run", "--sandbox-hosts", list, "--permission-mode", "bypass", "--", line],
      { cwd: scratch },
    );
    assert.deepEqual([out, err], ["web /cli\n", ""]);
    const both = ["run", "--sandbox-hosts", list, "--sandbox", "offline", "--", "true"];
    assert.match((await shellflow(both)).err, /cannot be used with option '--sandbox <how>'/);
  });
});
