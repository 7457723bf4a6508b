import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { describe, it } from "node:test";
import { OwnedError, ownerOf, takeOwnership } from "../../../src/platform/owner/owner-lock.ts";
import { scratch } from "../../event/scratch.ts";
import { runArgs } from "../../run-args.ts";
import { sized } from "../../sized.ts";

const LOCK = "owner.lock";

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

const emptyLock = (directory: string) => writeFileSync(join(directory, LOCK), "");

const locks = (directory: string) => readdirSync(directory).filter((name) => name.includes("lock"));

describe("the owner of a directory", () => {
  it("is one: a second is refused, and the error names the first", async () => {
    const directory = join(scratch(), "new");
    const lock = await takeOwnership(directory, "runtime_a");
    await assert.rejects(takeOwnership(directory, "runtime_b"), (cause) => {
      assert.ok(cause instanceof OwnedError);
      assert.ok(cause.message.startsWith(
        `Cannot open "${directory}": another runtime of this process owns it; `,
      ));
      assert.equal(cause.owner.runtimeId, "runtime_a");
      return true;
    });
    assert.deepEqual(locks(directory), [LOCK]);
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    assert.equal(statSync(join(directory, LOCK)).mode & 0o777, 0o600);
    lock.release();
    lock.release();
    assert.equal(await ownerOf(directory), undefined);
    assert.deepEqual(locks(directory), []);
    (await takeOwnership(directory, "runtime_b")).release();
  });

  it("does not share it with other users", async (test) => {
    if (process.platform === "win32") return test.skip("there are no modes");
    const directory = join(scratch(), "open");
    mkdirSync(directory);
    chmodSync(directory, 0o750);
    const message = /^Cannot use ".*open": other users have access to it; run chmod 700 ".*open"/;
    await assert.rejects(takeOwnership(directory, "runtime_a"), { message });
    chmodSync(directory, 0o700);
    (await takeOwnership(directory, "runtime_a")).release();
    if (process.getuid?.() !== 0) return;
    chownSync(directory, 12345, 12345);
    const foreign = { message: /^Cannot use ".*open": it belongs to another user$/ };
    await assert.rejects(takeOwnership(directory, "runtime_a"), foreign);
    writeFileSync(join(directory, LOCK), JSON.stringify({ pid: 1, runtimeId: "runtime_a" }));
    await assert.rejects(ownerOf(directory), foreign);
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
    third.forgetDead();
    third.release();
    assert.deepEqual((await takeOwnership(directory, "runtime_d")).dead, []);
  });

  const found = [
    ["the last one dead", killedOwner, sized(8, 20), ["runtime_first"]],
    ["a lock without a record", emptyLock, sized(4, 8), []],
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
        assert.deepEqual(locks(directory), [LOCK]);
      } finally {
        await Promise.all(all.map((one) => end(one, "SIGKILL")));
      }
    });
  }

  it("is gone when its pid belongs to another process, or to another run of the machine", async () => {
    const directory = scratch();
    const lock = await takeOwnership(directory, "runtime_a");
    const file = join(directory, LOCK);
    const record = JSON.parse(readFileSync(file, "utf8"));
    for (const change of [{ startTime: "1" }, { bootId: "another" }]) {
      writeFileSync(file, JSON.stringify({ ...record, ...change }));
      assert.equal(await ownerOf(directory), undefined);
    }
    writeFileSync(file, JSON.stringify(record));
    assert.equal((await ownerOf(directory))?.pid, process.pid);
    lock.release();
  });

  it("may live where its pid has no meaning here, and nothing else shows it", async () => {
    const directory = scratch();
    const lock = await takeOwnership(directory, "runtime_a");
    const path = join(directory, LOCK);
    const record = JSON.parse(readFileSync(path, "utf8"));
    const elsewhere = [
      [{ bootId: "another", machine: "another" }, "on another machine"],
      [{ bootId: "another", machine: undefined }, "on another machine"],
      [{ pidNamespace: "another" }, "in another pid namespace"],
    ] as const;
    for (const [change, where] of elsewhere) {
      writeFileSync(path, JSON.stringify({ ...record, ...change }));
      // An owner in another pid namespace may begin to listen; one on another machine cannot be asked.
      if (where === "on another machine") await assert.rejects(ownerOf(directory), OwnedError);
      else assert.equal((await ownerOf(directory))?.pid, process.pid);
      await assert.rejects(takeOwnership(directory, "runtime_b"), (cause) => {
        assert.ok(cause instanceof OwnedError);
        const { message } = cause;
        const start = `Cannot open "${directory}": process ${process.pid} ${where} owned it last`;
        assert.ok(message.startsWith(start), message);
        assert.ok(message.endsWith(`remove "${path}" if it does not`), message);
        return true;
      });
    }
    lock.release();
    assert.equal(await ownerOf(directory), undefined);
  });

  it("is gone when its lock holds no record, as after a loss of power", async () => {
    for (const torn of ["", '{"pid":12', '{"pid":-1,"runtimeId":"r"}', "[]"]) {
      const directory = scratch();
      writeFileSync(join(directory, LOCK), torn);
      assert.equal(await ownerOf(directory), undefined);
      const lock = await takeOwnership(directory, "r");
      assert.equal((await ownerOf(directory))?.runtimeId, "r");
      lock.release();
    }
  });

  it("may live when its lock cannot be read", async () => {
    const directory = scratch();
    // What no permissions keep the superuser from reading, either.
    mkdirSync(join(directory, LOCK), { recursive: true });
    const message = new RegExp(`^Cannot read "${directory}/${LOCK}": EISDIR$`);
    await assert.rejects(takeOwnership(directory, "r"), { message });
    await assert.rejects(ownerOf(directory), { message });
  });
});
