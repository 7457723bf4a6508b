import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import { fifoName, fifoPool } from "../../../src/platform/pipe/fifo-pool.ts";
import { openOutput } from "../../../src/platform/pipe/pipes.ts";
import { openFiles } from "../../execution/world.ts";
import { runArgs } from "../../run-args.ts";
import { until } from "../../until.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const host = new URL("../fixture/bare-host.ts", import.meta.url);

/** A directory that has these programs and no others. */
function pathOf(...programs: readonly string[]): string {
  const directory = mkdtempSync(join(scratch, "bin-"));
  for (const name of programs) {
    const file = findProgram(name, process.env["PATH"] ?? "");
    if (file !== undefined) symlinkSync(file, join(directory, name));
  }
  return directory;
}

/** Run commands in a host with this PATH; the host must end by itself. */
async function hostWith(
  path: string,
  commands: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const { stdout } = await promisify(execFile)(process.execPath, [...runArgs(host), ...commands], {
    env: { ...process.env, PATH: path, ...env },
  });
  const answer: { warnings: string[]; results: [string, string, string][] } = JSON.parse(stdout);
  return answer;
}

describe("pipes of our own", () => {
  it("are made when they are needed, serve once, and leave no files", async () => {
    const before = openFiles();
    const pool = fifoPool("shellflow-test");
    const opened = () => {
      let end = () => {};
      const ended = new Promise<void>((resolve) => (end = resolve));
      return { pipe: openOutput(pool, { data: () => {}, end }), ended };
    };
    const [first, second] = [opened(), opened()];
    assert.match(first.pipe.name, /shellflow-test-.* \(deleted\)$/);
    assert.notEqual(second.pipe.name, first.pipe.name);
    first.pipe.closeWriteEnd();
    second.pipe.release();
    await Promise.all([first.ended, second.ended]);
    pool.close();
    await until(() => openFiles() <= before);
  });

  it("bring nothing more once they were released, however fast they are written to", async () => {
    const pool = fifoPool("shellflow-test");
    for (const last of [1, 10, 50, 101, 202, 303]) {
      let chunks = 0;
      let writer: ReturnType<typeof spawn> | undefined;
      await new Promise<void>((end) => {
        const data = () => {
          if (++chunks === last) pipe.release();
        };
        const pipe = openOutput(pool, { data, end });
        writer = spawn("yes", { stdio: ["ignore", pipe.writeEnd, "ignore"] });
        pipe.closeWriteEnd();
      });
      assert.equal(chunks, last);
      await until(() => writer?.signalCode === "SIGPIPE");
    }
    pool.close();
  });
});

describe("pipes", () => {
  it("are made where no sandbox can exchange them", (test) => {
    if (!existsSync("/dev/shm")) return test.skip("there is no such memory");
    const pool = fifoPool("place");
    const name = pool.open((open) => {
      const fd = open(constants.O_RDWR | constants.O_NONBLOCK);
      const name = fifoName(fd);
      closeSync(fd);
      return name;
    });
    pool.close();
    assert.match(name, /^\/dev\/shm\/place-\w+\/\d+ \(deleted\)$/);
  });
});

describe("a host without a place for temporary files", () => {
  it("has its pipes in memory all the same", async (test) => {
    if (!existsSync("/dev/shm")) return test.skip("there is no such memory");
    const { warnings, results } = await hostWith(
      process.env["PATH"] ?? "",
      ["echo out; echo err >/dev/stderr"],
      { TMPDIR: join(scratch, "none") },
    );
    assert.deepEqual([warnings, results], [[], [["exited", "out\nerr\n", "execution.closed"]]]);
  });
});

describe("a host without descriptors", () => {
  it("fails its commands for so long, and has its pipes afterwards", async () => {
    const short = new URL("../fixture/short-host.ts", import.meta.url);
    const command = "echo out; echo err >/dev/stderr";
    const limited = ["-c", 'ulimit -n 200 && exec "$0" "$@"', process.execPath, ...runArgs(short)];
    const { stdout } = await promisify(execFile)("sh", [...limited, command]);
    const { results } = JSON.parse(stdout);
    const [[none], [few], enough] = results;
    for (const failed of [none, few]) {
      assert.match(failed, /^Error: Cannot start ".*" in "\/": .*too many files are open$/);
    }
    assert.deepEqual(enough, ["exited", "out\nerr\n"]);
  });
});

describe("a host without mkfifo and koffi", () => {
  it("fails its commands with the reason", async () => {
    const { results } = await hostWith(pathOf("sh", "bash", "sleep"), ["echo a"]);
    assert.match(
      results[0]?.[0] ?? "",
      /Cannot make pipes in .*: mkfifo is not on the PATH, and koffi/,
    );
  });
});

describe("a host without a shell for the watchdog", () => {
  it("works all the same, and says so once", async () => {
    const { warnings, results } = await hostWith(pathOf("mkfifo"), ["echo a", "echo b"]);
    assert.deepEqual(results.map(([, text]) => text), ["a\n", "b\n"]);
    assert.equal(warnings.length, 1, warnings.join("\n"));
    assert.match(warnings[0] ?? "", /\bsh\b/);
  });
});
