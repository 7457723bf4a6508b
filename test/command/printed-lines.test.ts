import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { check } from "../../src/runtime/permission/check.ts";

/** What is decided about lines that evaluate what a program prints, by what the analysis knows of its output. */
async function decisionsOf(lines: readonly string[]): Promise<readonly string[]> {
  const rules = { allow: ["Bash(*)"] };
  const answers = lines.map((command) => check({ command, cwd: "/ws", home: "/home/u", rules }));
  return (await Promise.all(answers)).map(({ decision }, at) => `${decision}: ${lines[at]}`);
}

const evaluated = (output: string) => `n=$(${output}); echo $((n + 1))`;
const passed = (lines: readonly string[]) => lines.map((line) => `allow: ${line}`);
const asked = (lines: readonly string[]) => lines.map((line) => `ask: ${line}`);

describe("arithmetic over what a program prints", () => {
  it("passes where that is a number", async () => {
    const lines = [
      "wc -l < f",
      "wc -l f | awk '{print $1}'",
      "du -sk dist | cut -f1",
      "grep -n x f | head -1 | cut -d: -f1",
      "grep -oE '[0-9]+' f | head -1",
      "grep -oP 'took \\K[0-9]+(?=ms)' f",
      "grep -oE '[0-9]+ failed' f | tail -1 | cut -d' ' -f1",
      "awk '{s += $1} END {print s}' f",
      "awk 'END {print NR}' f",
      "awk 'NR > 1 && /^  }$/ {print NR; exit}' f",
      "jq '.items | length' f.json",
      "jq '.total' f.json",
      "git log -1 --format='%ct %s' | cut -d' ' -f1",
      "git rev-list --count HEAD",
      "printf '%03d' \"$x\"",
      "sort f | uniq -c | sort -rn | awk '{print $1; exit}'",
      "tr -cd 0-9 < f",
      "npm test > /dev/null 2>&1; echo $?",
    ].map(evaluated);
    assert.deepEqual(await decisionsOf(lines), passed(lines));
  });

  it("asks where it could be any text", async () => {
    const lines = [
      "cat f",
      "wc -l f | awk '{print $2}'",
      "wc -l f | cut -f1",
      "grep -n x f g | cut -d: -f1",
      "grep -oE '[0-9]+.' f",
      "sed -n 's/total: \\([0-9]*\\)/\\1/p' f",
      "awk '{s = $1} END {print s}' f",
      "awk '{s++; s  = $1} END {print s}' f",
      "awk '{s++; sub (/1/, $1, s)} END {print s}' f",
      "awk '{s++; printf \"%d\\n\", s = $1} END {print s}' f",
      "awk '{s++; print int(getline s)} END {print s}' f",
      "jq -r '.items' f.json",
      "jq -r '.a # | length' f.json",
      "du -sk dist 2>&1 | cut -f1",
      "sort f | uniq -c | awk '{print $2}'",
      "tr -d 0-9 < f",
      "npm test; echo $?",
      "curl -s -o /dev/null -w '%{http_code}' localhost:3000",
    ].map(evaluated);
    assert.deepEqual(await decisionsOf(lines), asked(lines));
  });

  it("passes where every way that goes on has set a number, or tested for one", async () => {
    const read = "x=$(cat f);";
    const sets = "{ test -f a && x=1; }";
    const kept = [
      `${read} ${sets} && echo $((x + 1))`,
      `${read} ${sets} || exit 1; echo $((x + 1))`,
      `${read} if ${sets}; then :; else exit 1; fi; echo $((x + 1))`,
      `die() { exit 1; }; ${read} ${sets} || die; echo $((x + 1))`,
      `${read} [[ "$x" =~ ^[0-9]+$ ]] && echo $((x + 1))`,
      `${read} if ! [[ $x =~ ^[1-9][0-9]*$ ]]; then exit 1; fi; echo $((x + 1))`,
      // These compare whole numbers, and evaluate nothing.
      `${read} [ "$x" -gt 3 ] && echo $((x + 1))`,
      `${read} [ "$x" -eq "$x" ] 2>/dev/null || exit 1; echo $((x + 1))`,
      `while read -r x; do ${sets} || continue; echo $((x + 1)); done < f`,
    ];
    assert.deepEqual(await decisionsOf(kept), passed(kept));
    const lost = [
      `${read} ${sets}; echo $((x + 1))`,
      `${read} ${sets} && exit 1; echo $((x + 1))`,
      `${read} ${sets} || exit 1 2; echo $((x + 1))`,
      `${read} ${sets} || return 1; echo $((x + 1))`,
      `${read} ${sets} || exit 1 & echo $((x + 1))`,
      `${read} (${sets} || exit 1); echo $((x + 1))`,
      `${read} [ "$x" -gt 3 ] || echo $((x + 1))`,
      `${read} [ $x -gt 3 ] && echo $((x + 1))`,
      `${read} case $x in *[!0-9]*) ;; esac; echo $((x + 1))`,
      `${read} [[ ! $x =~ [^0-9] ]] && echo $((x + 1))`,
      `${read} [[ "$x" =~ ^[0-9]+ ]] && echo $((x + 1))`,
      `${read} [[ "$x" =~ ^[0-9]+$ ]] || echo $((x + 1))`,
      `${read} [[ "$x" =~ ^[0-9]+$ ]] && x=$(cat g) && echo $((x + 1))`,
    ];
    assert.deepEqual(await decisionsOf(lost), asked(lost));
  });
});

describe("what a substitution can be", () => {
  it("follows every way through it", async () => {
    const lines = [
      'x=$(pwd 2>/dev/null || echo b); cat "$x/a"',
      'x=$(test -f a && echo b || echo c); cat "$x"',
      'x=$(if test -f a; then echo b; else echo c; fi); cat "$x/d"',
      'f() { test -f a && { echo b; return; }; echo c; }; x=$(f); cat "$x/d"',
      "x=$(printf a; printf b); cat $x",
    ];
    assert.deepEqual(await decisionsOf(lines), passed(lines));
    const others = [
      'x=$(git rev-parse --show-toplevel 2>/dev/null || echo /etc); cat "$x/a"',
      'x=$(test -f a && echo b); cat "$x/d"',
      'x=$(test -f a && { echo /etc; exit; }; echo c); cat "$x/d"',
      'f() { test -f a && { echo /etc; return; }; echo c; }; x=$(f); cat "$x/d"',
      "x=$(printf /et; printf c); cat $x/d",
    ];
    assert.deepEqual(await decisionsOf(others), asked(others));
  });

  it("is nothing where its end leaves out what it prints", async () => {
    const into = 'cat "$x/d"';
    const kept = [
      `x=$(cd a && echo b) && ${into}`,
      `x=$(cd a && echo b) || exit 1; ${into}`,
      `if x=$(cd a && echo b); then ${into}; fi`,
    ];
    assert.deepEqual(await decisionsOf(kept), passed(kept));
    const lost = [
      `x=$(cd a && echo b); ${into}`,
      `x=$(cd a && echo b) || ${into}`,
      `x=$(cd a && echo b) y=$(true) && ${into}`,
      `x=$(cd a && echo b || true) && ${into}`,
      `x=$(set -e; cd a; echo b); ${into}`,
      `set -u; x=$(: "$1"; echo b); ${into}`,
      `x=$(: $((1 / 0)); echo b); ${into}`,
      `x=$(UID=1; echo b); ${into}`,
      `x=$(true > a/b && echo b); ${into}`,
      `ulimit -n 4; x=$(echo b); ${into}`,
    ];
    assert.deepEqual(await decisionsOf(lost), asked(lost));
  });

  it("is the program of a name where `command -v` finds it", async () => {
    const find = "x=$(command -v python3 || command -v python)";
    const run = [`${find}; "$x" a.py`, `${find} || exit 1; $x a.py`];
    assert.deepEqual(await decisionsOf(run), passed(run));
    const other = [`${find}; $x rm a`, `${find}; cat "$x"`, `${find}; "$x/a"`];
    assert.deepEqual(await decisionsOf(other), asked(other));
  });
});
