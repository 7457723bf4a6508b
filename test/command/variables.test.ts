import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import fc from "fast-check";
import { analyse } from "../../src/command/analyse.ts";
import { sized } from "../sized.ts";
import { filesRead } from "./files-read.ts";

const of = (...texts: readonly string[]) => fc.constantFrom(...texts);
/** Texts with other parts in the place of each `@`, in their order. */
function filled(
  templates: readonly string[],
  ...parts: readonly fc.Arbitrary<string>[]
): fc.Arbitrary<string> {
  return fc.tuple(of(...templates), ...parts).map(([template = "", ...texts]) => {
    const rest = [...texts];
    return template.replaceAll("@", () => rest.shift() ?? "");
  });
}

const name = of("x", "y");
const plain = of("k", "l", "m/n", "o.p", "7");
const value = fc.oneof(
  plain,
  of(
    "",
    "q r",
    "$1",
    "$2",
    "$a",
    "${a[0]}",
    "${a[1]}",
    "${m[k]}",
    "${m[k]:-0}",
    "$n",
    "$((n + 1))",
  ),
  filled(["$@", "${@:-k}", "${@%/*}", "${@##*/}", "${@#k}", "${@:0:1}", "k$@", "$@/l"], name),
  filled(["$(echo @)", "$(printf '%s' \"$@\")", "$(test -d k && echo $@)"], name),
);
const words = fc.array(
  fc.oneof(
    value.map((text) => `"${text}"`),
    plain,
    of("$x", '"$' + '{a[@]}"', '"$' + '@"', "{k,l}"),
  ),
  { maxLength: 3 },
).map((all) => all.join(" "));
const sets = fc.oneof(
  filled(['@="@"', '@+="@"', 'export @="@"', 'declare @="@"', 'read -r @ <<< "@"'], name, value),
  filled(['read -r @ @ <<< "@"', 'IFS=/ read -r @ @ <<< "@"'], name, name, value),
  filled(["a=(@)", "a+=(@)", "set -- @", "f @"], words),
  filled(['a[0]="@"', 'a[1]="@"', 'm[k]="@"', 'mapfile -t a <<< "@"', 'n="@"'], value),
  filled(["unset @", "@=7", "for @ in k l; do :; done", "x= @=k f"], name),
  of(
    "shift",
    "n=5",
    "n=$((n + 1))",
    "((n++))",
    "((y = n = 3))",
    "declare -A m",
    "unset a",
    "false",
  ),
);
const uses = fc.oneof(
  filled(['cat "p/@/q"', 'cat "@"'], value),
  filled(['for v in @; do cat "p/$v"; done', "cat @"], words),
  of('cat "p/$1"', 'cat "${a[@]}"', 'for v in "${!m[@]}"; do cat "$v"; done', "echo $((x + n))"),
);
const { line } = fc.letrec<{ line: string; part: string; list: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 1 },
    sets,
    uses,
    filled(
      [
        "@ && { @; }",
        "@ || { @; }",
        "if test -d k; then @; else @; fi",
        'case "$x" in k) @;; *) @;; esac',
        "for x in k l; do @; @; done",
        "while read -r y; do @; done <<< k; (@)",
        "{ @; } > /dev/null; @",
      ],
      tie("list"),
      tie("list"),
    ),
  ),
  list: fc.array(tie("part"), { minLength: 1, maxLength: 2 }).map((all) => all.join("; ")),
  line: fc.oneof(
    filled(["@; @; @"], tie("list"), tie("part"), uses),
    filled(
      ["f() { x=$1; @; }; @; f @; @"],
      // A function that calls itself would not end.
      tie("part").map((part) => part.replace(/\bf\b/g, "set --")),
      tie("part"),
      words,
      uses,
    ),
  ),
}));

/** What can stand in place of a path: a pattern as bash reads it, but that a number can be none. */
function fits(path: string): RegExp {
  const plain = path.replace(/[.+()|^$\\]/g, "\\$&").replaceAll("/[0-9]*", "(?:/[0-9][^]*)?");
  return new RegExp(`^${plain.replace(/(?<!\])\*/g, "[^]*")}$`);
}

describe("what a variable can hold, beside bash", () => {
  const bash = spawnSync("bash", ["--version"]).status === 0;
  it("is one of the texts that are followed", { skip: !bash }, () => {
    const all = fc.sample(line, { numRuns: sized(400, 10_000), seed: 3 });
    const read = filesRead(all);
    assert.equal(read.length, all.length);
    let known = 0;
    const missed = all.filter((line, at) => {
      const { certainty, dynamic, reads } = analyse(line, { cwd: "/ws" });
      if (certainty !== "complete" || dynamic) return false;
      known++;
      return !read[at]?.every((path) => {
        return path === "/ws/" || reads.some((each) => fits(each).test(path.replace(/\/$/, "")));
      });
    });
    assert.deepEqual(missed, []);
    assert.ok(known > all.length / 10, `only ${known} lines are known`);
  });
});
