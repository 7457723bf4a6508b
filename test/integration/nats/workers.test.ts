import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { describe, it } from "node:test";
import { filter, firstValueFrom, map } from "rxjs";
import {
  createExecutor,
  createRuntime,
  type Runtime,
  type RuntimeOptions,
} from "../../../src/mod.ts";
import { natsWorker, natsWorkers, type NatsWorkersOptions } from "../../../src/nats.ts";
import { cleanUp } from "../../clean-up.ts";
import { gate } from "../../gate.ts";
import { hasStarted, living, uniqueSeconds } from "../../execution/world.ts";
import { until } from "../../until.ts";
import { started } from "./fixture-process.ts";
import { noServer, startServer } from "./server.ts";

async function kill(child: ChildProcess): Promise<void> {
  process.kill(child.pid ?? 0, "SIGKILL");
  await once(child, "exit");
}

const world = noServer === false ? await openWorld() : undefined;

async function openWorld() {
  const server = await startServer();
  return { server, atHost: await server.connect(), atWorker: await server.connect() };
}

describe("the workers of a pool", { skip: noServer }, () => {
  if (world === undefined) return;
  const { server, atHost, atWorker } = world;
  let count = 0;
  const nextPool = () => `pool-${++count}`;

  const hostOf = async (
    options: Partial<NatsWorkersOptions> & { readonly pool: string },
    others: RuntimeOptions = {},
  ): Promise<Runtime> => {
    const executor = natsWorkers({ ...atHost, ...options });
    const runtime = await createRuntime({ mode: "bypass", ...others, executor });
    cleanUp(() => runtime.close());
    return runtime;
  };
  const workerOf = async (pool: string, atOnce = 16) => {
    const worker = await natsWorker({ ...atWorker, pool, atOnce });
    cleanUp(() => worker.close());
    return worker;
  };

  it("run what a runtime has judged, with its directory and variables", async () => {
    const pool = nextPool();
    const { id } = await workerOf(pool);
    const runtime = await hostOf({ pool }, {
      mode: "default",
      rules: { allow: ["Bash(echo *)"] },
      env: { inherit: "none", set: { GIVEN: "by the host", HOME: "/elsewhere" } },
    });
    const { output, exitCode } = await runtime.run('echo "$GIVEN, $PWD, $HOME"', { cwd: "/tmp" });
    assert.deepEqual([output, exitCode], [`by the host, /tmp, ${process.env["HOME"]}\n`, 0]);
    const remote = await runtime.run('echo "$SHELLFLOW_SESSION $SHELLFLOW_REMOTE"');
    assert.equal(remote.output, `${remote.sessionId} ${id}\n`);
    assert.equal((await runtime.run("touch x")).outcome.type, "denied");
    const begun = await firstValueFrom(runtime.events.pipe(
      map(({ event }) => event),
      filter((event) => event.type === "execution.started"),
    ));
    assert.deepEqual([begun.executor, begun.pid, begun.worker], ["nats", 0, id]);
  });

  it("say that a directory is not there, and take no terminal", async () => {
    const pool = nextPool();
    await workerOf(pool);
    const runtime = await hostOf({ pool });
    const { outcome } = await runtime.run("echo x", { cwd: "/no/such/place" });
    assert.ok(outcome.type === "spawnFailed");
    assert.match(outcome.reason, /^Cannot start ".*bash" in "\/no\/such\/place": /);
    const fellBack = firstValueFrom(runtime.events.pipe(
      map(({ event }) => event),
      filter((event) => event.type === "execution.fellBack"),
    ));
    assert.equal((await runtime.run("tty", { pty: true })).output, "not a tty\n");
    assert.equal((await fellBack).reason, "a worker has no terminal");
  });

  it("share the commands, each of which runs once", async () => {
    const pool = nextPool();
    const workers = [await workerOf(pool, 2), await workerOf(pool, 2)];
    const runtime = await hostOf({ pool });
    const used = new Set<string | undefined>();
    runtime.events.subscribe(({ event }) => {
      if (event.type === "execution.started") used.add(event.worker);
    });
    const results = await Promise.all(
      Array.from(
        { length: 12 },
        (_, i) => runtime.run(`sleep 0.05; echo ${i}`, { sessionId: `${i}` }),
      ),
    );
    assert.deepEqual(results.map(({ output }) => output), results.map((_, i) => `${i}\n`));
    assert.deepEqual([...used].sort(), workers.map(({ id }) => id).sort());
  });

  it("are waited for, but not for ever", async () => {
    const pool = nextPool();
    const runtime = await hostOf({ pool, startMs: 200 });
    const { outcome } = await runtime.run("echo x");
    assert.ok(outcome.type === "spawnFailed");
    assert.match(outcome.reason, /no worker of the pool "pool-\d+" took it within 200 ms$/);
    const late = await hostOf({ pool });
    const waiting = late.run("echo came");
    const stopped = late.start("echo never", { sessionId: "other" });
    await until(() => late.tasks.current.byId.get(stopped.taskId)?.status !== "queued");
    await late.stop(stopped.taskId);
    assert.equal((await stopped.result).output, "");
    await workerOf(pool);
    assert.equal((await waiting).output, "came\n");
  });

  it("are given up when they are silent, and leave nothing behind", async () => {
    const pool = nextPool();
    const [child, id] = await started("worker", [server.address, pool]);
    const runtime = await hostOf({ pool, silenceMs: 2_000 });
    const what = `sleep ${uniqueSeconds()}`;
    const { taskId, result } = runtime.start(`echo before; ${what}`);
    await until(() => (runtime.tasks.current.byId.get(taskId)?.totalBytes ?? 0) > 0);
    await kill(child);
    const { outcome, output } = await result;
    assert.deepEqual([outcome, output], [
      { type: "lost", reason: `Its worker ${id} was silent for 2000 ms` },
      "before\n",
    ]);
    await until(() => living(what).length === 0);
  });

  it("end the commands of a host that is gone", async () => {
    const pool = nextPool();
    const patient = await natsWorker({ ...atWorker, pool, silenceMs: 2_000 });
    cleanUp(() => patient.close());
    const what = `sleep ${uniqueSeconds()}`;
    const [child] = await started("host", [server.address, pool, `setsid ${what} & ${what}`]);
    await until(() => hasStarted(what));
    await kill(child);
    await until(() => living(what).length === 0);
  });

  it("end their commands when they are closed, and tell the host", async () => {
    const pool = nextPool();
    const worker = await workerOf(pool);
    const runtime = await hostOf({ pool });
    const what = `sleep ${uniqueSeconds()}`;
    const result = runtime.run(what);
    await until(() => hasStarted(what));
    await worker.close();
    assert.deepEqual((await result).outcome, { type: "aborted", by: "close" });
    assert.deepEqual(living(what), []);
  });

  it("leave nothing of a command on the server", async () => {
    const pool = nextPool();
    await workerOf(pool);
    const runtime = await hostOf({ pool });
    const stored: string[] = [];
    const { publish } = atHost.jetstream;
    atHost.jetstream.publish = (subject, payload) => {
      stored.push(payload);
      return publish.call(atHost.jetstream, subject, payload);
    };
    await runtime.run("echo open", { env: { TOKEN: "sesame" } });
    atHost.jetstream.publish = publish;
    assert.equal(stored.length, 1);
    assert.doesNotMatch(stored.join(), /sesame|echo|open/);
  });

  it("keep both streams apart where that is wanted", async () => {
    const pool = nextPool();
    await workerOf(pool);
    const runtime = await hostOf({ pool });
    const line = "echo a; echo b >&2; echo c";
    const { streams } = await runtime.run(line, { split: true });
    assert.deepEqual([streams?.stdout, streams?.stderr], ["a\nc\n", "b\n"]);
    assert.equal((await runtime.run(line)).output, "a\nb\nc\n");
  });

  it("say that they cannot keep both streams apart", async () => {
    const pool = nextPool();
    const own = await createExecutor();
    const executor = { ...own, capabilities: { ...own.capabilities, splits: false } };
    const worker = await natsWorker({ ...atWorker, pool, executor });
    cleanUp(() => worker.close());
    const { outcome } = await (await hostOf({ pool })).run("echo a", { split: true });
    assert.ok(outcome.type === "spawnFailed");
    assert.match(outcome.reason, new RegExp(`${worker.id} gives both streams as one$`));
  });

  it("take input as soon as the output of a command can be had", async () => {
    const pool = nextPool();
    await workerOf(pool);
    const runtime = await hostOf({ pool });
    const { taskId, output, result } = runtime.start("cat", { input: true });
    await output;
    await runtime.input(taskId, "typed\n", { end: true });
    assert.equal((await result).output, "typed\n");
  });

  it("refuse a pool and times that cannot be, by name and value", async () => {
    const usual = atHost;
    const refused = (options: object) => () => natsWorkers({ ...usual, ...options });
    assert.throws(refused({ pool: "a.b" }), {
      name: "TypeError",
      message:
        'Cannot use workers with pool "a.b": it must have letters, digits, - and _, 60 at most',
    });
    assert.throws(refused({ silenceMs: 1 }), /^TypeError: Cannot use workers with silenceMs 1: /);
    assert.throws(refused({ polls: 1 }), /polls 1: there is no such option; there are connection/);
    assert.throws(
      refused({ jetstream: {} }),
      /jetstream .*: it must be what jetstream\(connection\)/,
    );
    await assert.rejects(natsWorker({ ...usual, atOnce: 0 }), /Cannot work with atOnce 0: /);
  });

  it("go on when the server was away for a while", async () => {
    const pool = nextPool();
    await workerOf(pool);
    const runtime = await hostOf({ pool });
    const { wait, open } = gate();
    const running = runtime.start(`echo before; ${wait}; echo after`);
    await until(() => runtime.tasks.current.byId.get(running.taskId)?.status === "running");
    process.kill(server.pid(), "SIGSTOP");
    open();
    await once(spawn("sleep", ["0.5"]), "exit");
    process.kill(server.pid(), "SIGCONT");
    assert.equal((await running.result).output, "before\nafter\n");
  });
});
