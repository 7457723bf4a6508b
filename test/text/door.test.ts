import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  createRuntime,
  lines,
  search,
  type SearchResult,
  sourceOf,
  TextView,
  textView,
  type ViewLine,
} from "../../src/mod.ts";

const textsOf = (lines: readonly ViewLine[]) => lines.map(({ text }) => text);

describe("what a program can do with the output of its commands", () => {
  it("is to search it, to read lines of it, and to see a window of it as text", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const { taskId } = await runtime.run("seq 100000; printf ' 10%%\\r100%%\\n'");
    const log = runtime.output(taskId);
    assert.ok(log);
    const source = sourceOf(log);
    const { matches, endedBy }: SearchResult = await search(source, "^5[0]+$");
    assert.deepEqual(
      [endedBy, ...matches.map(({ line }) => line)],
      ["end", 50, 500, 5000, 50_000],
    );
    assert.deepEqual(textsOf((await lines(source, { fromLine: 100_000 })).lines), [
      "100000",
      "100%",
    ]);
    const from = log.total - 11;
    const { bytes } = await log.read({ from });
    assert.equal(textView(bytes, { from, last: true }).text, "\n100%\n");
    assert.deepEqual(textsOf(new TextView({ progress: "frames" }).push(bytes)), [
      "",
      " 10%\n100%",
    ]);
  });
});
