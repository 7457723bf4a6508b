import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fixUp } from "../../src/session/fix-up.ts";

describe("a fix-up", () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ["npm test | head", "npm test"],
    ["npm test | head -50", "npm test"],
    ["npm test | tail -n 20", "npm test"],
    ["npm test 2>&1 | tail -20", "npm test"],
    ["npm test 2>&1", "npm test"],
    ["npm test | head -c 100", undefined],
    ["npm test | head file", undefined],
    ["npm test | grep x | head", undefined],
    ["npm test; ls | head", undefined],
    ["npm test | head &", undefined],
    ["npm test |& head", undefined],
    ["a | b 2>&1", undefined],
    ["npm test 'a | head'", undefined],
    ["npm test", undefined],
    ["npm test | head | tail", undefined],
    ["echo 'x", undefined],
  ];
  for (const [line, wanted] of cases) {
    it(`makes ${wanted === undefined ? "nothing" : `"${wanted}"`} of "${line}"`, () => {
      assert.equal(fixUp(line)?.line, wanted);
    });
  }

  it("keeps what sends errors into a file, and reports what it takes", () => {
    assert.equal(fixUp("npm test > out 2>&1"), undefined);
    assert.deepEqual(fixUp("make 2>&1 | head -5")?.removed, ["2>&1", "| head -5"]);
  });
});
