import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type Clock, systemClock } from "../../../src/platform/clock.ts";
import { Conversation } from "../../../src/control/conversation.ts";
import { connectLines, listenLines } from "../../../src/platform/control/line-channel.ts";
import { controlPath } from "../../../src/platform/control/control-path.ts";
import { outsideProof } from "../../../src/platform/control/outside-proof.ts";
import { method, type RequestSender } from "../../../src/control/method.ts";
import { ownerMethods } from "../../../src/runtime/control/owner-methods.ts";
import { channelPair } from "../../control/channel-pair.ts";
import { control, CONTROL_VERSION, type ReadRange } from "../../../src/runtime/control/protocol.ts";
import { OwnedError, ownerOf } from "../../../src/platform/owner/owner-lock.ts";
import { withOwner } from "../../../src/runtime/control/with-owner.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { scratch } from "../../event/scratch.ts";
import { living, marked, startHost } from "./world.ts";
import { cleanUp } from "../../clean-up.ts";
import { until } from "../../until.ts";

const opened = (log: string): Promise<Runtime> =>
  createRuntime({ mode: "bypass", log, cwd: "/", graceMs: 300 });

/** Requests to the owner of a directory. */
function ownerIn(log: string, clock: Clock = systemClock) {
  const request: RequestSender = (...args) =>
    withOwner(log, (owner) => owner.request(...args), { clock });
  return {
    ps: () => request(control.ps, {}),
    read: (taskId: string, range: ReadRange = {}) => request(control.read, { taskId, ...range }),
    stop: (taskId: string) => request(control.stop, { taskId }),
  };
}

/** A connection whose ping was answered. */
async function connected(log: string) {
  const channel = await connectLines(join(log, "control.sock"));
  const params = { version: CONTROL_VERSION, proof: outsideProof(log) };
  await channel.send(JSON.stringify({ id: 0, method: "ping", params }));
  const lines = channel.lines[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await lines.next()).value));
  assert.deepEqual(await next(), { id: 0, result: { guests: false } });
  return { send: channel.send, next };
}

/** The first line that is answered to a line. */
async function answerTo(log: string, line: string) {
  const { send, next } = await connected(log);
  await send(line);
  return await next();
}

const text = ({ base64 }: { readonly base64: string }) => Buffer.from(base64, "base64").toString();

describe("the owner of a state directory", () => {
  it("is one, and listens for this user alone until it closes", async () => {
    const log = scratch();
    const first = await opened(log);
    const socket = join(log, "control.sock");
    assert.equal(statSync(socket).mode & 0o777, 0o600);
    assert.ok(statSync(socket).isSocket());
    await assert.rejects(opened(log), OwnedError);
    assert.equal((await first.run("echo still here")).output, "still here\n");
    await first.close();
    assert.ok(!existsSync(socket));
    assert.equal(await ownerOf(log), undefined);
    await (await opened(log)).close();
  });

  it("closes also where its directory takes nothing any more", async () => {
    const log = scratch();
    const moved = join(scratch(), "moved");
    await using runtime = await opened(log);
    renameSync(log, moved);
    // Where the system has no files that are none, permissions refuse, though not a superuser.
    if (existsSync("/sys")) symlinkSync("/sys", log);
    else mkdirSync(log, { mode: 0o500 });
    assert.throws(() => writeFileSync(join(log, "any"), ""), { code: "EACCES" });
    await runtime.close();
    rmSync(log, { recursive: true });
    renameSync(moved, log);
    // It could not say that it is over.
    await assert.rejects(opened(log), OwnedError);
  });

  it("closes also where something that it cannot remove stands in the place of its socket", async () => {
    const log = scratch();
    await using runtime = await opened(log);
    const socket = join(log, "control.sock");
    rmSync(socket);
    mkdirSync(join(socket, "in-the-way"), { recursive: true });
    await runtime.close();
    assert.ok(existsSync(socket));
    assert.equal(await ownerOf(log), undefined);
  });

  it("lists, reads and stops tasks for another process", async () => {
    const log = scratch();
    const what = marked();
    const host = await startHost({
      log,
      attached: [`echo attached; ${what}; :`],
      detached: [`echo detached; ${what}; :`],
    });
    try {
      const owner = ownerIn(log);
      const ids = [...host.news.attached, ...host.news.detached];
      const listed = await owner.ps();
      assert.deepEqual(
        listed.map(({ id, status }) => [id, status]),
        ids.map((id) => [id, "running"]),
      );
      for (const [i, id] of ids.entries()) {
        const words = ["attached\n", "detached\n"][i] ?? "";
        let read = await owner.read(id);
        for (; read.total === 0; read = await owner.read(id)) await pause(10);
        const { from, to, gaps, total, ended, ...bytes } = read;
        assert.deepEqual([from, to, gaps, total, ended], [0, words.length, [], to, false]);
        assert.equal(text(bytes), words);
        const part = await owner.read(id, { from: 2, maxBytes: 3 });
        assert.deepEqual([part.from, part.to, text(part)], [2, 5, words.slice(2, 5)]);
      }
      await until(() => living(what).length >= 2);
      for (const id of ids) {
        const { outcome, leftovers } = await owner.stop(id);
        assert.deepEqual([outcome.type, leftovers], ["signaled", []]);
        assert.equal((await owner.read(id)).ended, true);
      }
      assert.deepEqual(living(what), []);
      await assert.rejects(
        owner.stop("task_none"),
        /Cannot stop "task_none": there is no such task/,
      );
      await assert.rejects(
        owner.read("task_none"),
        /Cannot read "task_none": there is no such task/,
      );
    } finally {
      await host.kill();
    }
    assert.equal(await ownerOf(log), undefined);
  });

  it("refuses as closing what it cannot end any more", async () => {
    const log = scratch();
    const what = marked();
    const runtime = await opened(log);
    const { taskId } = await runtime.run(`${what}; :`, { detach: true });
    const slow = runtime.start(`trap '' TERM; echo ready; ${what}; ${what}`);
    await until(() => runtime.output(slow.taskId)?.total === 6);
    const owner = ownerIn(log);
    const closed = runtime.close();
    await assert.rejects(owner.stop(taskId), { name: "RefusedError", closing: true });
    await closed;
    assert.ok(living(what).length > 0);
  });

  it("refuses as closing also what fails because its log is closed", async () => {
    const runtime = await opened(scratch());
    const what = marked();
    const { taskId } = await runtime.run(what, { detach: true });
    await runtime.close();
    assert.ok("closing" in runtime && runtime.closing === true);
    const [here, there] = channelPair();
    const owner = new Conversation(there, {
      methods: ownerMethods({ ...runtime, closing: true }, {}),
    });
    const client = new Conversation(here);
    void Promise.all([client.read(), owner.read()]);
    await assert.rejects(client.request(control.stop, { taskId }), {
      name: "RefusedError",
      closing: true,
    });
  });

  it("has another version than its client, which is a clear error", async () => {
    const log = scratch();
    await using runtime = await opened(log);
    await runtime.run("true");
    const path = controlPath(log);
    rmSync(path);
    const ping = method(control.ping, ({ version }) => {
      throw new Error(`Cannot answer version ${version}: this owner has version 5`);
    });
    const other = await listenLines(path, {
      maxLineBytes: 1_000,
      onChannel: (channel) => void new Conversation(channel, { methods: [ping] }).read(),
    });
    await assert.rejects(ownerIn(log).ps(), /version 4: this owner has version 5/);
    await other.close();
  });

  it("is not waited for when it is stopped", async () => {
    const log = scratch();
    const host = await startHost({ log, attached: [marked()], detached: [] });
    cleanUp(host.kill);
    const [taskId = ""] = host.news.attached;
    const hasty: Clock = { ...systemClock, after: (ms, call) => systemClock.after(ms / 3, call) };
    const owner = ownerIn(log, hasty);
    const pid = (await ownerOf(log))?.pid ?? 0;
    process.kill(pid, "SIGSTOP");
    const state = new RegExp(
      `"${log}": process ${pid} has given no sign of life for 5 s; .*kill -CONT ${pid}`,
    );
    await Promise.all([
      assert.rejects(owner.ps(), state),
      assert.rejects(owner.read(taskId), state),
      assert.rejects(owner.stop(taskId), state),
    ]);
    process.kill(pid, "SIGCONT");
    assert.deepEqual((await ownerIn(log).ps()).map(({ id }) => id), [taskId]);
  });

  it("answers nothing without a proof that the client is in no sandbox", async () => {
    const log = scratch();
    await using runtime = await opened(log);
    const { taskId } = runtime.start("sleep 60");
    const proof = outsideProof(scratch());
    for (
      const [method, params] of [
        ["ping", { version: CONTROL_VERSION }],
        ["ping", { version: CONTROL_VERSION, proof }],
        ["ps", {}],
        ["stop", { taskId }],
      ]
    ) {
      const channel = await connectLines(join(log, "control.sock"));
      await channel.send(JSON.stringify({ id: 1, method, params }));
      for await (const line of channel.lines) {
        assert.match(
          line,
          new RegExp(`"Cannot answer \\\\"${method}\\\\": it comes from a sandbox`),
        );
        break;
      }
    }
    assert.equal(runtime.tasks.current.byId.get(taskId)?.endedAt, undefined);
  });

  it("answers garbage with a clear error, and lives", async () => {
    const log = scratch();
    await using runtime = await opened(log);
    const socket = join(log, "control.sock");
    const rows: readonly (readonly [string, RegExp])[] = [
      ["garbage", /Cannot read the line as JSON: "garbage"/],
      ["\u0000\u001b[31m\ufffd", /as JSON/],
      ["[]", /as a message/],
      ["null", /as a message/],
      ['{"id":1,"op":"ps"}', /as a message/],
      ['{"id":1,"method":"format"}', /Cannot answer "format": there is no such method/],
      ['{"id":1,"method":"ping","params":{"version":1}}', /version 1: this owner has version 4/],
      ['{"id":1,"method":"stop","params":{}}', /^Cannot answer "stop": taskId: it is missing$/],
      [
        '{"id":1,"method":"stop","params":{"taskId":{"a":1}}}',
        /: taskId {"a":1}: it must be a string$/,
      ],
      [
        '{"id":1,"method":"read","params":{"taskId":"x","from":-1}}',
        /: from -1: it must be 0 or more$/,
      ],
      ['{"id":1,"method":"read","params":{"taskId":"x","from":1e300}}', /: from 1e\+300: /],
      [
        '{"id":1,"method":"read","params":{"taskId":"x","maxBytes":0}}',
        /: maxBytes 0: it must be 1 or more$/,
      ],
      ["x".repeat(5_000_000), /as JSON: "\(a line of more than 4194304 bytes\)"/],
    ];
    for (const [line, message] of rows) {
      const { id, error } = await answerTo(log, line);
      assert.match(error.message, message);
      assert.equal(id, line.startsWith("{") ? 1 : undefined);
    }
    // A damaged line loses nothing but itself.
    const { send, next } = await connected(log);
    for (const line of ["{", '{"id":"a","method":"ps"}', '{"method":"ps","id":"b","params":{}}']) {
      await send(line);
    }
    const answers = [await next(), await next(), await next()];
    assert.deepEqual(answers.at(-1), { id: "b", result: [] });
    // Clients that disconnect in the middle of a line or a long one, and before the answer.
    const taskId = runtime.start("sleep 60").taskId;
    for (
      const said of [
        '{"id":1,"method":',
        "y".repeat(200_000),
        `{"id":1,"method":"stop","params":{"taskId":"z"}}\n`,
      ]
    ) {
      await new Promise<void>((resolve) => {
        const client = connect(socket, () => client.write(said, () => client.destroy()));
        client.on("error", () => {});
        client.once("close", () => resolve());
      });
    }
    const owner = ownerIn(log);
    const many = await Promise.all(Array.from({ length: 40 }, () => owner.ps()));
    assert.ok(many.every(([task]) => task?.id === taskId));
  });

  it("listens elsewhere when the path of its directory is too long for a socket", async () => {
    const log = join(scratch(), "x".repeat(120));
    const runtime = await opened(log);
    const { taskId } = await runtime.run("echo far");
    const socket = (await ownerOf(log))?.socket ?? "";
    assert.ok(!existsSync(join(log, "control.sock")));
    assert.equal(statSync(dirname(socket)).mode & 0o777, 0o700);
    assert.equal(text(await ownerIn(log).read(taskId)), "far\n");
    await runtime.close();
    assert.ok(!existsSync(socket));
  });
});
