import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import process from "node:process";
import { describe, it } from "node:test";
import { createRuntime, type Runtime } from "../../../src/mod.ts";
import { natsWorker, natsWorkers, type NatsWorkersOptions } from "../../../src/nats.ts";
import { cleanUp } from "../../clean-up.ts";
import { hasStarted, living, uniqueSeconds } from "../../execution/world.ts";
import { gate } from "../../gate.ts";
import { until } from "../../until.ts";
import { started } from "./fixture-process.ts";
import { type NatsServer, noServer, startServer } from "./server.ts";

describe("workers over NATS, when something goes wrong", { skip: noServer }, () => {
  let count = 0;
  const nextPool = () => `fault-${++count}`;
  const hostOf = async (options: NatsWorkersOptions): Promise<Runtime> => {
    const runtime = await createRuntime({ mode: "bypass", executor: natsWorkers(options) });
    cleanUp(() => runtime.close());
    return runtime;
  };
  const openWorld = async (server: NatsServer, options: Partial<NatsWorkersOptions> = {}) => {
    const pool = nextPool();
    const [atHost, atWorker] = [await server.connect(), await server.connect()];
    const worker = await natsWorker({ ...atWorker, pool });
    cleanUp(() => worker.close());
    return {
      pool,
      atHost,
      atWorker,
      worker,
      runtime: await hostOf({ ...atHost, pool, ...options }),
    };
  };
  const isRunning = (runtime: Runtime, taskId: string) =>
    until(() => runtime.tasks.current.byId.get(taskId)?.status === "running");

  it("they go on with a server that is started again", async () => {
    const server = await startServer();
    const { runtime } = await openWorld(server);
    const { wait, open } = gate();
    const running = runtime.start(`echo before; ${wait}; echo after`, { sessionId: "a" });
    const stopped = runtime.start("sleep 3600", { sessionId: "b" });
    const reading = runtime.start("cat", { sessionId: "c", input: true });
    for (const { taskId } of [running, stopped, reading]) await isRunning(runtime, taskId);
    await server.kill();
    const stop = runtime.stop(stopped.taskId);
    const typed = runtime.input(reading.taskId, "typed\n", { end: true });
    open();
    await server.startAgain();
    await Promise.all([stop, typed]);
    const { outcome } = await stopped.result;
    assert.ok(outcome.type === "signaled" && outcome.by === "stop");
    assert.equal((await running.result).output, "before\nafter\n");
    assert.equal((await reading.result).output, "typed\n");
    assert.equal((await runtime.run("echo next")).output, "next\n");
  });

  it("they go on with a server that has lost what it kept", async () => {
    const server = await startServer();
    const { runtime } = await openWorld(server);
    const { wait, open } = gate();
    const running = runtime.start(`echo before; ${wait}; echo after`);
    await isRunning(runtime, running.taskId);
    await server.kill();
    open();
    await server.startAgain({ emptied: true });
    assert.equal((await running.result).output, "before\nafter\n");
    assert.equal((await runtime.run("echo next")).output, "next\n");
  });

  it("they go on with a server that was away when the first command came", async () => {
    const server = await startServer();
    const { runtime } = await openWorld(server);
    await server.kill();
    const first = runtime.run("echo first");
    await server.startAgain();
    assert.equal((await first).output, "first\n");
    assert.equal((await runtime.run("echo next")).output, "next\n");
  });

  it("they go on with a server that was away for longer than one answer may take", async () => {
    const { runtime, atHost } = await openWorld(await startServer());
    const { publish } = atHost.jetstream;
    let tries = 0;
    atHost.jetstream.publish = (subject, payload) =>
      ++tries > 2
        ? publish.call(atHost.jetstream, subject, payload)
        : Promise.reject(Object.assign(new Error("timeout"), { name: "TimeoutError" }));
    assert.equal((await runtime.run("echo late")).output, "late\n");
    assert.equal(tries, 3);
  });

  it("they take output and input of any size over a server that takes little at once", async () => {
    const { runtime } = await openWorld(await startServer({ maxPayload: 16 * 1024 }));
    const { taskId, result } = runtime.start("cat", { input: true });
    await isRunning(runtime, taskId);
    const text = "0123456789abcde\n".repeat(20_000);
    await runtime.input(taskId, text, { end: true });
    assert.equal((await result).totalBytes, text.length);
    const { outcome } = await runtime.run("true", { env: { LONG: "x".repeat(20_000) } });
    assert.ok(outcome.type === "spawnFailed");
    assert.match(outcome.reason, /the server does not take the command: .*max_payload/);
    assert.equal((await runtime.run("echo next")).output, "next\n");
  });

  it("a worker that is closed while it takes a command says so", async () => {
    const { runtime, atWorker, worker } = await openWorld(await startServer());
    const { request } = atWorker.connection;
    let close = Promise.resolve();
    atWorker.connection.request = async (...args) => {
      close = worker.close();
      return await request.apply(atWorker.connection, args);
    };
    const { outcome } = await runtime.run("echo x");
    assert.ok(outcome.type === "spawnFailed");
    assert.match(outcome.reason, new RegExp(`${worker.id} was closed`));
    await close;
  });

  it("a worker runs a command once whose order or its question for that was lost on the way", async () => {
    const { runtime, atWorker } = await openWorld(await startServer());
    const { request } = atWorker.connection;
    for (const isAsked of [true, false]) {
      let lost = 0;
      atWorker.connection.request = async (...args) => {
        if (lost++ > 0) return await request.apply(atWorker.connection, args);
        if (isAsked) await request.apply(atWorker.connection, args);
        throw new Error("the server is being started again");
      };
      const { output } = await runtime.run("echo once");
      assert.equal(output, "once\n");
    }
  });

  it("a worker keeps a command whose ticket it is given again", async () => {
    const { pool, runtime, atHost } = await openWorld(await startServer(), { silenceMs: 60_000 });
    const { publish } = atHost.jetstream;
    const tickets: string[] = [];
    atHost.jetstream.publish = (subject, payload) => {
      tickets.push(payload);
      return publish.call(atHost.jetstream, subject, payload);
    };
    const { taskId, result } = runtime.start("sleep 3600");
    await isRunning(runtime, taskId);
    await publish.call(atHost.jetstream, `shellflow.${pool}.tickets`, `${tickets[0]}`);
    await runtime.run("true", { sessionId: "other" }); // by then the worker has that ticket
    await runtime.stop(taskId);
    const { outcome } = await result;
    assert.ok(outcome.type === "signaled" && outcome.by === "stop");
  });

  it("a worker whose connection is closed ends its commands", async () => {
    const server = await startServer();
    const { pool, atHost, atWorker, worker } = await openWorld(server);
    await worker.close();
    const patient = await natsWorker({ ...atWorker, pool, silenceMs: 2_000 });
    const runtime = await hostOf({ ...atHost, pool, silenceMs: 2_000 });
    const what = `sleep ${uniqueSeconds()}`;
    const result = runtime.run(what);
    await until(() => hasStarted(what));
    await atWorker.connection.close();
    assert.equal((await result).outcome.type, "lost");
    await patient.close();
    assert.deepEqual(living(what), []);
  });

  it("a worker that was stopped ends what its host has given up", async () => {
    const server = await startServer();
    const pool = nextPool();
    const [child] = await started("worker", [server.address, pool, "3600000"]);
    const runtime = await hostOf({ ...await server.connect(), pool, silenceMs: 2_000 });
    const what = `sleep ${uniqueSeconds()}`;
    const result = runtime.run(what);
    await until(() => hasStarted(what));
    process.kill(child.pid ?? 0, "SIGSTOP");
    assert.equal((await result).outcome.type, "lost");
    assert.notDeepEqual(living(what), []);
    process.kill(child.pid ?? 0, "SIGCONT");
    await until(() => living(what).length === 0);
  });

  it("messages of other clients change nothing", async () => {
    const { pool, runtime, atHost, worker } = await openWorld(await startServer());
    const { connection, jetstream } = atHost;
    const { wait, open } = gate();
    const seen: { subject: string; text: string }[] = [];
    connection.subscribe(`shellflow.${pool}.to.*`, {
      callback: (_, { subject, data }) => {
        const text = new TextDecoder().decode(data);
        if (text.startsWith('{"type":"frame"')) seen.push({ subject, text });
      },
    });
    const { result } = runtime.start(`echo a; ${wait}; echo b`);
    await until(() => seen.length === 2);
    const { subject: host = "", text = "" } = seen[1] ?? {};
    const { run } = JSON.parse(text.slice(0, text.indexOf("\n")));
    connection.publish(host, text); // a frame that the host has had
    const foreign = [
      ...["", "\n", "x", "\xff", "{}", '{"type":"beat","runs":["x"]}', '{"type":"take","run":1}'],
      JSON.stringify({ type: "frame", run, number: 7 }),
      JSON.stringify({ type: "frame", run, number: 2, event: { type: "x" } }),
      JSON.stringify({ type: "frame", run, number: 2, event: { type: "execution.exited" } }),
      JSON.stringify({ type: "input", run, number: 0, end: "x" }),
      JSON.stringify({ type: "signal", run, signal: "SIGNOTHING" }),
    ];
    for (const to of [host, `shellflow.${pool}.to.${worker.id}`]) {
      for (const message of foreign) connection.publish(to, Buffer.from(message, "latin1"));
    }
    for (const ticket of ["", "{}", '{"run":"a b","host":"c d"}', '{"run":"*","host":">"}']) {
      await jetstream.publish(`shellflow.${pool}.tickets`, ticket);
    }
    assert.equal((await runtime.run("echo other", { sessionId: "b" })).output, "other\n");
    open();
    assert.equal((await result).output, "a\nb\n");
  });
});
