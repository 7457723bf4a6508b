import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { check } from "../../src/runtime/check.ts";

/** Fill 8 kB with a text. */
const full = (text: string) => text.repeat(Math.ceil(8_000 / text.length));

const HOSTILE: readonly string[] = [
  ...["(", "{ ", "$(", "`", '"$(', "${x:-", "$((", "[[ (", "if true; then ", "case x in x) ", "<("],
  ...["{a,b}", "{a,{b,", "a=$a$a; ", "f() { f; f; }; f; ", "cd a || cd b; ", "while cd ..; do "],
  ...[
    "sudo ",
    "sudo -Z ",
    "env A=1 ",
    "xargs ",
    "nice -n 1 ",
    "find . -exec ",
    "bash -c '",
    "eval ",
  ],
  ...[
    "<<E\n",
    "a | ",
    "a && ",
    "a & ",
    "> $x ",
    "*/",
    "../",
    "~/",
    "\\\n",
    "'' ",
    "$'\\x41' ",
    "a[$i]=",
  ],
  ...["trap 'x' EXIT; ", "x=(a b); ", "export A=b; ", "set -- a; ", "pushd a; popd; ", "read x; "],
].map(full);

describe("hostile lines of 8 kB", () => {
  for (const command of HOSTILE) {
    it(`decides soon or asks: ${JSON.stringify(command.slice(0, 20))}`, async () => {
      let took = Infinity;
      let allowed = false;
      // A busy machine is no finding.
      for (let round = 0; round < 3 && took > 100; round++) {
        const start = performance.now();
        const { decision } = await check({ command, cwd: "/ws", rules: { allow: ["Bash(*)"] } });
        took = Math.min(took, performance.now() - start);
        allowed = decision === "allow";
      }
      assert.ok(!allowed || took < 100, `allowed after ${took} ms`);
      assert.ok(took < 5_000, `${took} ms`);
    });
  }
});
