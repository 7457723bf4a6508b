import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { filter, take } from "rxjs";
import { createRuntime } from "../../src/runtime/create.ts";
import { shellflow } from "./shellflow.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-export-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const seen = join(scratch, "seen");
// The second part is printed when the host has recorded the first one, however busy it is.
const command =
  `printf '\\033[31mred\\n'; for i in $(seq 500); do [ -e '${seen}' ] && break; sleep 0.02; done; ` +
  "printf '10%%\\r20%%'; exit 3 # \x1b]0;t\x07";
let taskId = "";

before(async () => {
  await using runtime = await createRuntime({ log: scratch, mode: "bypass" });
  runtime.events.pipe(filter(({ event }) => event.type === "output.appended"), take(1))
    .subscribe(() => writeFileSync(seen, ""));
  ({ taskId } = await runtime.run(command));
});

describe("shellflow export --asciicast", () => {
  it("prints a recorded task as a recording that players show at its times", async () => {
    const args = ["export", taskId, "--asciicast", "--log", scratch, "--columns", "40"];
    const { code, out, err } = await shellflow(args);
    assert.equal(code, 0, err);
    const [header, first, second, exit] = out.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.equal(header.version, 3);
    assert.deepEqual([header.term, header.command], [{ cols: 40, rows: 24 }, command]);
    assert.deepEqual(first.slice(1), ["o", "\x1b[31mred\r\n"]);
    assert.deepEqual(second.slice(1), ["o", "10%\r20%"]);
    assert.ok(second[0] > 0, `${second[0]}`);
    assert.deepEqual(exit.slice(1), ["x", "3"]);
  });

  it("marks what is lost, and exits with 1 then", async () => {
    const log = join(scratch, "lossy");
    const output = { spill: false, headBytes: 10, tailBytes: 10, inlineBytes: 0 } as const;
    const runtime = await createRuntime({ log, mode: "bypass", output });
    const lossy = await runtime.run("seq 1 100");
    await runtime.close();
    const { code, out } = await shellflow(["export", lossy.taskId, "--asciicast", "--log", log]);
    assert.match(out, /\[[\d.]+,"m","bytes 0 to 292 are lost"\]/);
    assert.equal(code, 1);
  });

  it("says what is wrong", async () => {
    const unknown = await shellflow(["export", "task-none", "--asciicast", "--log", scratch]);
    assert.equal(unknown.code, 1);
    assert.ok(unknown.err.includes(`Cannot read "task-none": no such task; it has "${taskId}"`));
    const format = await shellflow(["export", taskId, "--log", scratch]);
    assert.equal(format.code, 2);
    assert.match(format.err, /--asciicast/);
    const size = ["export", taskId, "--asciicast", "--log", scratch, "--rows", "0"];
    const { code, err } = await shellflow(size);
    assert.equal(code, 2);
    assert.match(err, /^Cannot make an asciicast with rows 0: /);
  });
});

describe("a terminal obeys nothing that a command or its output holds", () => {
  it("when ps and replay print them", async () => {
    const listed = await shellflow(["ps", "--log", scratch]);
    const replayed = await shellflow(["replay", scratch]);
    // deno-lint-ignore no-control-regex
    const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;
    for (const { code, out } of [listed, replayed]) {
      assert.equal(code, 0);
      assert.doesNotMatch(out, controls);
    }
    assert.ok(replayed.out.includes("# \\u001b]0;t\\u0007\nred\n20%\n"), replayed.out);
  });
});
