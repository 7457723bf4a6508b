import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { RECORD } from "../../../src/platform/owner/lock-record.ts";
import { OwnedError, ownerOf, takeOwnership } from "../../../src/platform/owner/owner-lock.ts";
import { scratch } from "../../event/scratch.ts";
import { runArgs } from "../../run-args.ts";

interface Contender {
  readonly child: ChildProcess;
  readonly next: () => Promise<string>;
}

/** A process that wants to own the directory. */
function contender(args: readonly string[]): Contender {
  const file = new URL("./contender.ts", import.meta.url);
  const child = spawn(process.execPath, [...runArgs(file), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: async () => String((await lines.next()).value) };
}

async function end({ child }: Contender, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await gone;
}

async function killedOwner(directory: string): Promise<void> {
  const go = join(directory, "go");
  writeFileSync(go, "");
  const first = contender([directory, "runtime_first", go]);
  assert.equal(await first.next(), "ready");
  assert.equal(await first.next(), "owns []");
  await end(first, "SIGKILL");
}

const emptyLock = (directory: string) => mkdirSync(join(directory, "owner-7.lock"));

const lockOf = (directory: string) =>
  readdirSync(directory).filter((name) => name.startsWith("owner-"));

describe("the owner of a directory", () => {
  it("is one: a second is refused and told who the first is", async () => {
    const directory = join(scratch(), "new");
    const lock = await takeOwnership(directory, "runtime_a");
    await assert.rejects(takeOwnership(directory, "runtime_b"), (cause) => {
      assert.ok(cause instanceof OwnedError);
      assert.ok(cause.message.startsWith(
        `Cannot open "${directory}": process ${process.pid} owns it; `,
      ));
      assert.equal(cause.owner.runtimeId, "runtime_a");
      return true;
    });
    lock.publish("/somewhere/control.sock");
    assert.equal((await ownerOf(directory))?.socket, "/somewhere/control.sock");
    const [name = "", ...others] = lockOf(directory);
    assert.deepEqual(others, []);
    assert.equal(statSync(join(directory, name)).mode & 0o777, 0o700);
    assert.equal(statSync(join(directory, name, RECORD)).mode & 0o777, 0o600);
    lock.release();
    lock.release();
    assert.equal(await ownerOf(directory), undefined);
    (await takeOwnership(directory, "runtime_b")).release();
  });

  it("is remembered when it died, until what it left is gone", async () => {
    const directory = scratch();
    const go = join(directory, "go");
    writeFileSync(go, "");
    for (const id of ["runtime_a", "runtime_b"]) {
      const host = contender([directory, id, go]);
      assert.equal(await host.next(), "ready");
      assert.equal(await host.next(), `owns ${id === "runtime_a" ? "[]" : '["runtime_a"]'}`);
      await assert.rejects(takeOwnership(directory, "other"), OwnedError);
      await end(host, "SIGKILL");
    }
    const third = await takeOwnership(directory, "runtime_c");
    assert.deepEqual(third.dead, ["runtime_a", "runtime_b"]);
    third.buried();
    third.release();
    assert.deepEqual((await takeOwnership(directory, "runtime_d")).dead, []);
  });

  const found = [
    ["the last one dead", killedOwner, 20, ["runtime_first"]],
    ["a lock that says nothing", emptyLock, 8, []],
  ] as const;
  for (const [state, leave, count, dead] of found) {
    it(`is one of ${count} that find ${state} at the same moment`, async () => {
      const directory = scratch();
      await leave(directory);
      const start = join(directory, "start");
      const all = Array.from({ length: count }, (_, i) => contender([directory, `r${i}`, start]));
      try {
        for (const { next } of all) assert.equal(await next(), "ready");
        writeFileSync(start, "");
        const answers = await Promise.all(all.map(({ next }) => next()));
        const owners = answers.flatMap((answer, i) => answer.startsWith("owns") ? [i] : []);
        assert.deepEqual(owners.map((i) => answers[i]), [`owns ${JSON.stringify(dead)}`]);
        const pid = all[owners[0] ?? -1]?.child.pid;
        assert.equal((await ownerOf(directory))?.pid, pid);
        const others = answers.filter((answer) => !answer.startsWith("owns"));
        assert.ok(others.every((answer) => answer.includes(`process ${pid} owns it`)), others[0]);
        assert.equal(lockOf(directory).length, 1);
      } finally {
        await Promise.all(all.map((one) => end(one, "SIGKILL")));
      }
    });
  }

  it("is gone when its pid belongs to another process, or to another run of the machine", async () => {
    const directory = scratch();
    const lock = await takeOwnership(directory, "runtime_a");
    const [name = ""] = lockOf(directory);
    const file = join(directory, name, RECORD);
    const record = JSON.parse(readFileSync(file, "utf8"));
    for (const change of [{ startTime: "1" }, { bootId: "another" }]) {
      writeFileSync(file, JSON.stringify({ ...record, ...change }));
      assert.equal(await ownerOf(directory), undefined);
    }
    writeFileSync(file, JSON.stringify(record));
    assert.equal((await ownerOf(directory))?.pid, process.pid);
    lock.release();
  });

  it("may live where its pid says nothing here, and nothing else tells", async () => {
    const directory = scratch();
    const lock = await takeOwnership(directory, "runtime_a");
    const path = join(directory, ...lockOf(directory));
    const record = JSON.parse(readFileSync(join(path, RECORD), "utf8"));
    const elsewhere = [
      [{ bootId: "another", machine: "another" }, "another machine"],
      [{ bootId: "another", machine: undefined }, "another machine"],
      [{ pidNamespace: "another" }, "another pid namespace"],
      [{ pidNamespace: "another", socket: join(directory, "control.sock") }, "another pid"],
    ] as const;
    for (const [change, where] of elsewhere) {
      writeFileSync(join(path, RECORD), JSON.stringify({ ...record, ...change }));
      // Who is in another pid namespace may begin to listen, and nobody hears another machine.
      if (where === "another machine") await assert.rejects(ownerOf(directory), OwnedError);
      else assert.equal((await ownerOf(directory))?.pid, process.pid);
      await assert.rejects(takeOwnership(directory, "runtime_b"), (cause) => {
        assert.ok(cause instanceof OwnedError);
        const { message } = cause;
        const start = `Cannot open "${directory}": process ${process.pid} of ${where}`;
        assert.ok(message.startsWith(start), message);
        assert.ok(message.endsWith(`remove "${path}" if it does not`), message);
        return true;
      });
    }
    lock.release();
    assert.equal(await ownerOf(directory), undefined);
  });

  it("is gone when its lock says nothing that an owner would have said", async () => {
    for (const torn of ["", '{"pid":12', '{"pid":-1,"runtimeId":"r"}', "[]"]) {
      const directory = scratch();
      mkdirSync(join(directory, "owner-7.lock"));
      writeFileSync(join(directory, "owner-7.lock", RECORD), torn);
      assert.equal(await ownerOf(directory), undefined);
      const lock = await takeOwnership(directory, "r");
      assert.deepEqual(lockOf(directory), ["owner-8.lock"]);
      lock.release();
    }
    const directory = scratch();
    writeFileSync(join(directory, "owner-7.lock"), "");
    (await takeOwnership(directory, "r")).release();
    assert.deepEqual(lockOf(directory), ["owner-8.lock"]);
  });

  it("is known by a lock that is a file, as those of an older version are", async () => {
    const directory = scratch();
    await takeOwnership(directory, "runtime_a");
    const path = join(directory, ...lockOf(directory));
    const record = readFileSync(join(path, RECORD));
    rmSync(path, { recursive: true });
    writeFileSync(path, record);
    assert.equal((await ownerOf(directory))?.pid, process.pid);
    await assert.rejects(takeOwnership(directory, "runtime_b"), OwnedError);
  });

  it("leaves no draft of a lock that somebody died over", async () => {
    const directory = scratch();
    const draft = (number: number) => `owner-${number}.lock.77.0123456789ab`;
    mkdirSync(join(directory, "owner-7.lock"));
    mkdirSync(join(directory, draft(7)));
    writeFileSync(join(directory, draft(6)), "");
    // Somebody may be about to make a lock of it.
    mkdirSync(join(directory, draft(8)));
    (await takeOwnership(directory, "r")).release();
    assert.deepEqual(lockOf(directory).sort(), ["owner-8.lock", draft(8)]);
  });

  it("may live when its lock cannot be read", async () => {
    const directory = scratch();
    // What no permissions keep the superuser from reading, either.
    mkdirSync(join(directory, "owner-7.lock", RECORD), { recursive: true });
    const message = new RegExp(`^Cannot read "${directory}/owner-7.lock", by which .*: EISDIR$`);
    await assert.rejects(takeOwnership(directory, "r"), { message });
    await assert.rejects(ownerOf(directory), { message });
  });
});
