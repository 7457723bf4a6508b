import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { excerpt } from "../../src/text/excerpt/excerpt.ts";
import { snapshotOf } from "../../src/text/source/source.ts";
import { lines } from "../../src/text/lines.ts";
import { search } from "../../src/text/search/search.ts";
import { logFixture } from "../output/log-fixture.ts";
import { bytesOf, FakeSource } from "./sources.ts";

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

describe("the byte log of a command is a source", () => {
  it("of which the middle may be lost", async () => {
    const { log } = logFixture({ headBytes: 100, tailBytes: 200 });
    for (const line of numbered(1000).split(/(?<=\n)/)) log.append(bytesOf(line));
    log.end();
    const result = await excerpt(log);
    assert.equal(result.total.bytes, numbered(1000).length);
    assert.ok(result.text.startsWith("line 1\nline 2\n"));
    assert.ok(result.text.endsWith("line 999\nline 1000"));
    assert.match(
      result.text,
      /\n\[\.\.\. at least 1 line, \d+ bytes omitted, \d+ of them lost \.\.\.\]\n/,
    );
    const found = await search(log, "line (3|999)$");
    assert.deepEqual(found.matches.map(({ line, text }) => [line, text]), [[3, "line 3"], [
      null,
      "line 999",
    ]]);
    assert.equal(found.gaps.length, 1);
  });

  it("that is read as it was when the reading began", async () => {
    const { log } = logFixture({ headBytes: 1000, tailBytes: 1000 });
    log.append(bytesOf("one\n"));
    const source = snapshotOf(log);
    log.append(bytesOf("two\n"));
    assert.equal((await excerpt(source)).text, "one");
    assert.equal((await excerpt(log)).text, "one\ntwo");
  });
});

describe("what is no source is an error that names it", () => {
  it("as the output of a task that never ran", async () => {
    const none = undefined as never;
    const message = "it is no output, such as that of runtime.output(taskId)";
    for (const read of [excerpt(none), lines(none), search(none, "a")]) {
      await assert.rejects(read, {
        name: "TypeError",
        message: `Cannot read undefined: ${message}`,
      });
    }
    await assert.rejects(excerpt("task_1" as never), /^TypeError: Cannot read "task_1": it is no/);
  });
});

describe("a source that grows while it is read", () => {
  it("is shown as it was when the reading began", async () => {
    let text = numbered(2000);
    const growing = {
      get total() {
        return text.length;
      },
      read: (options: { from: number; maxBytes: number }) => {
        text += "more\n";
        return new FakeSource(text).read(options);
      },
    };
    const { text: shown, total } = await excerpt(growing, { maxChars: 2000 });
    assert.ok(shown.endsWith("line 2000"));
    assert.equal(total.lines, 2000);
  });
});
