import assert from "node:assert/strict";
import { once } from "node:events";
import process from "node:process";
import { describe, it } from "node:test";
import { createRuntime } from "../../src/mod.ts";
import { natsWorkers } from "../../src/nats.ts";
import { cleanUp } from "../clean-up.ts";
import { noServer, startServer } from "../integration/nats/server.ts";
import { until } from "../until.ts";
import { shellflow, startCli } from "./shellflow.ts";

const server = noServer === false ? await startServer() : undefined;

describe("shellflow worker", { skip: noServer }, () => {
  if (server === undefined) return;

  it("runs the commands of a pool until it is stopped", async () => {
    const child = startCli(["worker", "--server", server.address, "--pool", "cli"]);
    cleanUp(() => void child.kill("SIGKILL"));
    assert.ok(child.stdout);
    const [line] = await once(child.stdout, "data");
    assert.match(String(line), /^worker_\w+ takes commands\n$/);
    const executor = natsWorkers({ ...await server.connect(), pool: "cli" });
    const runtime = await createRuntime({ mode: "bypass", executor });
    assert.equal((await runtime.run("echo $PPID")).output, `${child.pid}\n`);
    const running = runtime.start("sleep 3600");
    await until(() => runtime.tasks.current.byId.get(running.taskId)?.status === "running");
    process.kill(child.pid ?? 0, "SIGTERM");
    assert.deepEqual((await running.result).outcome, { type: "aborted", by: "close" });
    assert.deepEqual(await once(child, "exit"), [143, null]);
    await runtime.close();
  });

  it("says what cannot be used, and that there is no server", async () => {
    const wrong = await shellflow(["worker", "--server", server.address, "--pool", "a.b"]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /^Cannot work with pool "a\.b": it must have letters/);
    const absent = await shellflow(["worker", "--server", "127.0.0.1:1"]);
    assert.equal(absent.code, 1);
    assert.match(absent.err, /^Cannot connect to NATS "127\.0\.0\.1:1": .+\n$/);
    const creds = ["worker", "--server", server.address, "--creds", "/no/such/file"];
    assert.match((await shellflow(creds)).err, /^Cannot connect to NATS ".+": .*\/no\/such\/file/);
    const plain = await startServer({ jetStream: false });
    const { err } = await shellflow(["worker", "--server", plain.address]);
    assert.match(err, /^Cannot work for pool "default": jetstream is not enabled\n$/);
  });
});
