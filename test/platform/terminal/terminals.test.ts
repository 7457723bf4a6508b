import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import process from "node:process";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { living, openFiles, uniqueSeconds } from "../../execution/world.ts";
import { sized } from "../../sized.ts";
import { until } from "../../until.ts";
import { open, terminals } from "./open-terminal.ts";

/** Run so many at a time, and answer what each came to. */
async function inTurns<T>(count: number, atOnce: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let started = 0;
  const work = async () => {
    while (started++ < count) results.push(await run());
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}

describe("a terminal", () => {
  it("runs a program that has it for its controlling terminal, with the size that was asked for", async () => {
    const it = open("tty; stty size; test -t 0 && test -t 1 && test -t 2 && echo yes >/dev/tty");
    const { outputPipe } = it.terminal;
    await Promise.all([it.ended, it.exited]);
    assert.equal(it.text(), `${outputPipe}\r\n24 80\r\nyes\r\n`);
  });

  it("reports the code or the signal that ended the program", async () => {
    assert.deepEqual(await open("exit 7").exited, { code: 7, signal: null });
    assert.deepEqual(await open("kill -KILL $$").exited, { code: null, signal: "SIGKILL" });
  });

  it("does not hang up on a program that closes it and goes on, or opens it again", async () => {
    const it = open("exec <&- >&- 2>&-; sleep 0.2; echo back >/dev/tty; exit 5");
    assert.deepEqual(await it.exited, { code: 5, signal: null });
    await it.ended;
    assert.equal(it.text(), "back\r\n");
  });

  it("has no device any more once it is closed, as the next terminal may get its number", async () => {
    const it = open("exec sleep 1000");
    assert.match(it.terminal.outputPipe ?? "", /^\/dev\/pts\/\d+$/);
    it.terminal.release();
    assert.equal(it.terminal.outputPipe, undefined);
    await it.exited;
  });

  it("takes input and a new size", async () => {
    const it = open(
      "trap 'stty size; exit 5' WINCH; read -p 'name? ' name; echo hi $name; sleep 1000 & wait",
    );
    await until(() => it.text() === "name? ");
    await it.type("you\n");
    await until(() => it.text().endsWith("hi you\r\n"));
    it.terminal.resize({ columns: 132, rows: 50 });
    assert.deepEqual(await it.exited, { code: 5, signal: null });
    await it.ended;
    assert.match(it.text(), /50 132\r\n$/);
  });

  it("loses no byte of short commands, twenty at a time", async () => {
    const bytes = 8_192;
    const counts = await inTurns(sized(20, 1_000), 20, async () => {
      const it = open(`head -c ${bytes} /dev/zero | tr '\\0' x`);
      await it.ended;
      return it.bytes();
    });
    assert.deepEqual(counts.filter((count) => count !== bytes), []);
  });

  it("loses no byte of a program that ends at once after a lot of output", async () => {
    const lines = 152_000; // some more than 1 MiB
    const text = Array.from({ length: lines }, (_, i) => `${i + 1}\r\n`).join("");
    const expected = createHash("sha256").update(text).digest("hex");
    const hashes = await inTurns(sized(4, 100), 2, async () => {
      const hash = createHash("sha256");
      const it = open(`exec seq 1 ${lines}`, { data: (chunk) => hash.update(chunk) });
      await it.ended;
      return hash.digest("hex");
    });
    assert.deepEqual(hashes.filter((hash) => hash !== expected), []);
  });

  it("loses no byte that was held back when the program ended", async () => {
    const it = open("seq 1 2000; exit 3");
    it.terminal.pause();
    assert.deepEqual(await it.exited, { code: 3, signal: null });
    await pause(300); // node-pty itself closes the terminal after 200 ms
    it.terminal.resume();
    await it.ended;
    assert.equal(it.text(), Array.from({ length: 2_000 }, (_, i) => `${i + 1}\r\n`).join(""));
  });

  it("makes the program wait while it is paused", async () => {
    const it = open("exec yes");
    await until(() => it.bytes() > 0);
    it.terminal.pause();
    await pause(50);
    const before = it.bytes();
    await pause(200);
    assert.ok(it.bytes() - before <= 65_536, "at most what was already read");
    process.kill(it.terminal.pid, "SIGKILL");
    it.terminal.resume();
    await it.ended;
  });

  it("keeps what a background child writes after the program has ended", async () => {
    const it = open("trap '' HUP; (sleep 0.5; seq 1 1000; echo late) & exit 0");
    await it.exited;
    await it.ended;
    assert.match(it.text(), /1000\r\nlate\r\n$/);
  });

  for (const mode of ["canonical", "raw"]) {
    it(`takes a paste of 1 MB whole in ${mode} mode`, async () => {
      const text = Array.from({ length: 20_000 }, (_, i) => `${i} ${"x".repeat(44)}\n`).join("")
        .slice(0, 999_999) + "\n";
      const setting = mode === "raw" ? "raw -echo" : "-echo";
      const it = open(`stty ${setting}; echo ready; exec head -c ${text.length} | sha256sum`);
      await until(() => it.text().includes("ready"));
      await it.type(text);
      await it.ended;
      const expected = createHash("sha256").update(text).digest("hex");
      assert.match(it.text(), new RegExp(expected));
    });
  }

  it("never blocks when nothing reads what is typed", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const it = open(`stty raw; echo ready; exec ${what}`);
    await until(() => it.text().includes("ready"));
    const start = performance.now();
    const typed = it.type("x".repeat(1_000_000));
    assert.ok(performance.now() - start < 1_000);
    it.terminal.release();
    await assert.rejects(typed, /^Error: Cannot write to the terminal: it is closed$/);
    await it.exited;
  });

  it("hangs up when it is released, and takes no more input", async () => {
    const it = open("echo ready; exec sleep 1000");
    await until(() => it.text().includes("ready"));
    it.terminal.release();
    it.terminal.release();
    await it.ended;
    assert.deepEqual(await it.exited, { code: null, signal: "SIGHUP" });
    await assert.rejects(it.type("x"), /it is closed/);
    it.terminal.resize({ columns: 10, rows: 10 });
  });

  it("gives back descriptors, memory and processes", async () => {
    const [atOnce, rounds] = [sized(10, 100), sized(3, 20)];
    const what = `sleep ${uniqueSeconds()}`;
    const round = async () => {
      const all = Array.from({ length: atOnce }, () => open(`echo up; ${what}`));
      await until(() => all.every((one) => one.text() === "up\r\n"));
      all.forEach((one) => one.terminal.release());
      await Promise.all(all.flatMap((one) => [one.ended, one.exited]));
    };
    await round(); // what is loaded and made once
    const [files, memory] = [openFiles(), process.memoryUsage().rss];
    for (let i = 0; i < rounds; i++) await round();
    assert.deepEqual(living(what), []);
    await until(() => openFiles() <= files);
    assert.ok(process.memoryUsage().rss - memory < 32e6, "less than 32 MB more");
  });

  it("looks for a program from the directory that it is to run in", async () => {
    const events = { data: () => {}, end: () => {} };
    const status = await new Promise((exit) => {
      const spec = { file: "bin/sh", cwd: "/usr", args: ["-c", "exit 7"], env: {} };
      terminals.open({ ...spec, size: { columns: 80, rows: 24 } }, { ...events, exit });
    });
    assert.deepEqual(status, { code: 7, signal: null });
  });

  it("is not opened for a program or in a directory that is not there", () => {
    const spec = { args: [], env: { PATH: "/bin" }, size: { columns: 80, rows: 24 } };
    const events = { data: () => {}, end: () => {}, exit: () => {} };
    assert.throws(
      () => terminals.open({ ...spec, file: "no-such-program", cwd: "/" }, events),
      /^Error: there is no such program$/,
    );
    assert.throws(
      () => terminals.open({ ...spec, file: "bash", cwd: "/no/such" }, events),
      /^Error: no such directory$/,
    );
  });
});
