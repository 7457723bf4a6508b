import assert from "node:assert/strict";
import { test } from "node:test";
import { readOn } from "../../src/text/read-on.ts";

test("the command that reads on names a line, a byte, or neither where there is no text", () => {
  assert.equal(readOn(["/tmp/a.out"], { line: 120 }), "shellflow read /tmp/a.out --lines 120:");
  assert.equal(readOn(["/tmp/a.out"], { byte: 7 }), "shellflow read /tmp/a.out --from 7");
  assert.equal(readOn(["/tmp/a.out"], {}), "shellflow read /tmp/a.out --from 0");
  assert.equal(
    readOn(["/tmp/a.out"], { line: null, encoding: "latin1" }),
    "shellflow read /tmp/a.out --raw",
  );
});

test("its words are such as a shell takes for one each, and none is taken for an option", () => {
  assert.equal(
    readOn(["it's here", "task-1"], { line: 1, encoding: "utf-16le" }),
    "shellflow read 'it'\\''s here' task-1 --lines 1: --encoding utf-16le",
  );
  assert.equal(readOn(["--raw"], { byte: 1 }), "shellflow read './--raw' --from 1");
  assert.equal(readOn([""], { byte: 1 }), "shellflow read '' --from 1");
});
