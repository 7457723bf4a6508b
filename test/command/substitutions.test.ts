import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { analyse } from "../../src/command/analyse.ts";
import { overlappingNames } from "../../src/platform/file/pattern-overlap.ts";
import { sized } from "../sized.ts";
import { filesRead } from "./files-read.ts";

/** What ends a process, prints or fails, without starting a program. */
const LEAVES = [
  ..."abcde".split("").map((text) => `echo ${text}`),
  ...[
    "printf f",
    "echo -n g",
    "cat <<< h",
    "echo i > nope/x",
    "echo j > /dev/null",
    "echo k 2> nope/x",
  ],
  ...[
    "true",
    "false",
    ":",
    "test -d nope",
    "[[ -e . ]]",
    "((0))",
    "((1))",
    "cd nope",
    "cd .",
    "v=1",
  ],
  ...[
    "exit",
    "exit 1",
    "exit 0",
    "return",
    "return 1",
    "break",
    "continue",
    "f",
    "UID=4",
    "a[1/0]=1",
  ],
  ...["grep -q x nope", "basename p/q", ": $((1/1))"],
  ...[": $((1/0))", ": ${n?no}", ": $N", "set -e", "set -u", "v=$(false)", "v=$(echo l; exit 1)"],
];
/** What is made of others. */
const FORMS: readonly ((part: () => string) => string)[] = [
  (part) => `${part()}; ${part()}`,
  (part) => `${part()} && ${part()}`,
  (part) => `${part()} || ${part()}`,
  (part) => `! { ${part()}; }`,
  (part) => `{ ${part()}; ${part()}; } 2>/dev/null`,
  (part) => `{ ${part()}; } < nope`,
  (part) => `(${part()}; ${part()})`,
  (part) => `if ${part()}; then ${part()}; else ${part()}; fi`,
  (part) => `case a in b) ${part()};; *) ${part()};; esac`,
  (part) => `for i in 1 2; do ${part()}; done`,
  (part) => `${part()} | ${part()}`,
  (part) => `echo "$(${part()})m"`,
];
const USES: readonly ((script: string) => string)[] = [
  (script) => `x=$(${script}); cat "p/$x/q"`,
  (script) => `x=$(${script}) && cat "p/$x/q" || cat "r/$x/q"`,
  (script) => `if x=$(${script}); then cat "p/$x/q"; else cat "r/$x/q"; fi`,
  (script) => `h() { ${script}; }; x=$(h); cat "p/$x/q"`,
  (script) => `read -r x < <(${script}); cat "p/$x/q"`,
];

/** The same lines in every run. */
function lines(count: number): readonly string[] {
  let state = 5;
  const pick = <Item>(items: readonly Item[]): Item => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const item = items[Math.floor((state / 2 ** 32) * items.length)];
    if (item === undefined) throw new Error("Cannot pick from nothing");
    return item;
  };
  const script = (depth: number): string =>
    depth === 0 ? pick(LEAVES) : pick(FORMS)(() => script(pick([0, depth - 1])));
  return Array.from(
    { length: count },
    () => {
      // A function that calls itself would not end.
      const body = script(1).replace(/\bf\b/g, "true");
      return `f() { ${body}; }; for k in 1; do ${pick(USES)(script(2))}; done`;
    },
  );
}

describe("what a substitution prints, beside bash", () => {
  const bash = spawnSync("bash", ["--version"]).status === 0;
  it("is one of the texts that are followed", { skip: !bash }, () => {
    const all = lines(sized(300, 4_000));
    const read = filesRead(all);
    assert.equal(read.length, all.length);
    let known = 0;
    const missed = all.filter((line, at) => {
      const { certainty, dynamic, reads } = analyse(line, { cwd: "/ws" });
      if (certainty !== "complete" || dynamic) return false;
      known++;
      return read[at]?.some((path) => !reads.some((each) => overlappingNames(each, path)));
    });
    assert.deepEqual(missed, []);
    assert.ok(known > all.length / 10, `only ${known} lines are known`);
  });
});
