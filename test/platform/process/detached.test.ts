import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import {
  type DetachedProcess,
  type DetachedSpec,
  detachedStarter,
} from "../../../src/platform/process/detached/detached-processes.ts";
import { readExit } from "../../../src/platform/process/detached/detached-files.ts";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import { scratch } from "../../event/scratch.ts";
import { textOf } from "../../runtime/state/world.ts";
import { until } from "../../until.ts";

/** A program until its wrapper has ended. */
async function run(
  spec: Pick<DetachedSpec, "file" | "args" | "env">,
  { path }: { readonly path?: string } = {},
): Promise<DetachedProcess & { readonly code: number | undefined }> {
  const start = detachedStarter(scratch(), path);
  let over = false;
  const end = () => void (over = true);
  const started = start(
    { ...spec, taskId: "t", command: "c", at: 0, cwd: "/" },
    { exit: end, failed: end },
  );
  // Nothing of it holds the event loop.
  await until(() => over);
  assert.ok(started);
  return { ...started, code: readExit(started.pidFile)?.code };
}

/** A directory with programs that note their names before they do what is theirs to do. */
function noting(...names: readonly string[]): { directory: string; noted: () => string } {
  const directory = join(scratch(), "bin");
  const notes = join(directory, "notes");
  mkdirSync(directory);
  for (const name of names) {
    const program = findProgram(name, process.env["PATH"] ?? "") ?? "false";
    writeFileSync(
      join(directory, name),
      `#!/bin/sh\necho ${name} "$1" >> "${notes}"\nexec ${program} "$@"\n`,
      { mode: 0o700 },
    );
  }
  return { directory, noted: () => textOf(notes) };
}

const ENV = findProgram("env", process.env["PATH"] ?? "") ?? "env";

describe("a detached process", () => {
  it("runs with the PATH that it was given, whatever is there, and with none", async () => {
    const { directory, noted } = noting("cat", "mkfifo", "mv", "rm", "sleep", "sync", "tee");
    for (const PATH of [undefined, "", "/nonexistent", `${directory}:/usr/bin:/bin`, "a b:$HOME"]) {
      const env = { X: "y", ...(PATH !== undefined && { PATH }) };
      const { log, code } = await run({ file: ENV, args: [], env });
      const shown = textOf(log).split("\n").filter((line) => /^(PATH|X)=/.test(line));
      const expected = PATH === undefined ? ["X=y"] : [`PATH=${PATH}`, "X=y"];
      assert.deepEqual([code, shown.sort()], [0, expected], String(PATH));
    }
    assert.equal(noted(), "");
  });

  it("is found on its own PATH by its name", async () => {
    const { directory, noted } = noting("true");
    const { code } = await run({ file: "true", args: ["it"], env: { PATH: directory } });
    assert.deepEqual([code, noted()], [0, "true it\n"]);
  });

  it("has its exit code on the disk, under its name, when it has ended", async () => {
    const { directory, noted } = noting("sync");
    const path = `${directory}:${process.env["PATH"]}`;
    const { pidFile, code } = await run({ file: "false", args: [], env: { PATH: path } }, { path });
    const exit = pidFile.replace(/pid$/, "exit");
    assert.equal(code, 1);
    // What it notes at its start comes before.
    assert.ok(noted().endsWith(`sync ${exit}.new\nsync ${dirname(exit)}\n`), noted());
    assert.equal(textOf(exit), "1\n");
  });

  for (const name of ["mkfifo", "rm"]) {
    it(`records that a signal during ${name} kept its command from starting`, async () => {
      const directory = join(scratch(), "bin");
      mkdirSync(directory);
      writeFileSync(
        join(directory, name),
        `#!/bin/sh\nmkdir "$0.once" && kill -TERM 0\nexec ${
          findProgram(name, "/usr/bin:/bin")
        } "$@"\n`,
        { mode: 0o700 },
      );
      const path = `${directory}:/usr/bin:/bin`;
      const { log, pidFile, code } = await run({
        file: ENV,
        args: ["sleep", "5"],
        env: { PATH: path },
      }, { path });
      assert.equal(code, 143, textOf(log));
      await until(() => !existsSync(pidFile.replace(/pid$/, "fifo")));
    });
  }
});
