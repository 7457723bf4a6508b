import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import fc from "fast-check";
import { analyse } from "../../src/command/analyse.ts";
import type { Analysis } from "../../src/event/analysis.ts";

const facts = { cwd: "/ws", home: "/home/u" };
const read = (command: string): Analysis => analyse(command, facts);
const argvs = (command: string) => read(command).commands.map(({ argv }) => argv);

describe("an analysis", () => {
  it("finds every command of a line with its words decoded", () => {
    assert.deepEqual(
      argvs("A=1 g\"i\"t log 'a b' $'\\x41' \\$x | tee {a,b}.txt && echo \"$x\" y"),
      [
        ["git", "log", "a b", "A", "$x"],
        ["tee", "a.txt", "b.txt"],
        ["echo", null, "y"],
      ],
    );
  });

  it("counts words behind a redirection's target among the arguments", () => {
    assert.deepEqual(argvs("rm > f -rf x 2>&1 y"), [["rm", "-rf", "x", "y"]]);
    assert.deepEqual(argvs("a | rm > f -rf x"), [["a"], ["rm", "-rf", "x"]]);
  });

  it("counts offsets in UTF-16 code units", () => {
    const command = "echo '😀é' && rm x";
    const span = read(command).commands[1]?.span ?? { start: 0, end: 0 };
    assert.equal(command.slice(span.start, span.end), "rm x");
  });

  it("says what makes a line opaque, and where", () => {
    const command = "echo a; $x b";
    const { certainty, reason, span = { start: 0, end: 0 } } = read(command);
    assert.deepEqual([certainty, reason, command.slice(span.start, span.end)], [
      "opaque",
      "a program whose name is known only at run time",
      "$x",
    ]);
  });

  it("is opaque when a name is shadowed by the shell's state", () => {
    const state = { functions: ["git"], aliases: ["ll"] };
    const opaque = (command: string) => analyse(command, { ...facts, state }).certainty;
    assert.deepEqual(["git x", "ll", "ls"].map(opaque), ["opaque", "opaque", "complete"]);
  });

  it("takes no variable for unset that the host, the call or an earlier line may have set", () => {
    const line = (name: string) => `if x; then ${name}=a; fi; echo > $${name}`;
    const isKnown = (name: string, more = {}) =>
      !analyse(line(name), { ...facts, ...more }).dynamic;
    assert.ok(isKnown("name"));
    assert.ok(isKnown("name", { env: ["OTHER"] }));
    assert.ok(!isKnown("name", { env: ["name"] }));
    assert.ok(!isKnown("NAME", { env: ["OTHER"] }));
    assert.ok(!isKnown("name", { state: {} }));
  });

  it("keeps to its limits", () => {
    assert.equal(read(`echo ${"x".repeat(10_000)}; rm y`).certainty, "opaque");
    assert.equal(argvs(`echo ${"x".repeat(10_000)}; rm y`).length, 2);
    assert.equal(read("(".repeat(5_000)).certainty, "opaque");
    assert.equal(read(`${"echo $(".repeat(400)}x${")".repeat(400)}`).certainty, "opaque");
    assert.equal(read("x".repeat(200_000)).certainty, "opaque");
    assert.equal(read("echo a").certainty, "complete");
  });

  it("keeps both directories where a change can fail", () => {
    assert.deepEqual(read("cd src; touch a").writes, ["/ws/a", "/ws/src/a"]);
    assert.deepEqual(read("cd src && touch a").writes, ["/ws/src/a"]);
    assert.deepEqual(read("cd src || touch a").writes, ["/ws/a"]);
    assert.deepEqual(read("(cd src && touch a); touch b").writes, ["/ws/b", "/ws/src/a"]);
    assert.deepEqual(read("cd src & touch a").writes, ["/ws/a"]);
    assert.deepEqual(read("if cd src; then touch a; else touch b; fi").writes, [
      "/ws/b",
      "/ws/src/a",
    ]);
  });

  const samples = readFileSync(new URL("path-samples.jsonl", import.meta.url), "utf8").trim().split(
    "\n",
  );
  it(`finds the paths of ${samples.length} samples`, () => {
    for (const line of samples) {
      const { command, cwd, home, reads, writes, dynamic } = JSON.parse(line);
      const found = analyse(command, { cwd, home });
      assert.deepEqual(
        [found.reads, found.writes, found.dynamic],
        [reads, writes, dynamic],
        command,
      );
    }
  });

  it("finds the paths of programs with options", () => {
    const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
      ["cp -rt out a b", ["/ws/a", "/ws/b"], ["/ws/out"]],
      ["mv a b", [], ["/ws/a", "/ws/b"]],
      ["install -m 755 -d a b", [], ["/ws/a", "/ws/b"]],
      ["install -m 755 a b", ["/ws/a"], ["/ws/b"]],
      ["truncate -s 0 a", [], ["/ws/a"]],
      ["chmod -x a", [], ["/ws/a"]],
      ["chmod --reference=r a", ["/ws/r"], ["/ws/a"]],
      ["dd if=a of=b bs=1", ["/ws/a"], ["/ws/b"]],
      ["sed -n -e p a", ["/ws/a"], []],
      ["sed -i.bak s/a/b/ a", [], ["/ws/a", "/ws/a.bak"]],
      ["tee -a x y", [], ["/ws/x", "/ws/y"]],
      ["rm -- -a", [], ["/ws/-a"]],
      ["rm ~/x '~/y'", [], ["/home/u/x", "/ws/~/y"]],
      ["cat - < a", ["/ws/a"], []],
      ["tar -xf a.tar -C out", [], ["/ws/a.tar", "/ws/out"]],
      ["grep -e x -f p a", ["/ws/a", "/ws/p"], []],
      ["find src -name x -fprint out", ["/ws/src"], ["/ws/out"]],
      ["sudo -u bob rm a", [], ["/ws/a"]],
      ["touch {1..3}.txt", [], ["/ws/1.txt", "/ws/2.txt", "/ws/3.txt"]],
    ];
    for (const [command, reads, writes] of cases) {
      const found = read(command);
      assert.deepEqual([found.reads, found.writes], [reads, writes], command);
    }
  });

  it("reads the paths of Windows and of Git Bash below a drive", () => {
    const { writes } = analyse("rm /c/x 'D:\\y' z", { cwd: "C:\\ws" });
    assert.deepEqual(writes, ["C:/ws/z", "C:/x", "D:/y"]);
  });

  const pieces = fc.constantFrom(
    ..."a|b|;|&|&&|(|)|{|}|$(|`|'|\"|\\|\n| |<<E|E|<|>|$x|${|}|if|then|fi|do|done|case|esac|[[|]]|((|#|=|\t|😀|$'"
      .split("|"),
    "|",
    "||",
  );
  it("has an answer for any text, with every span inside it", () => {
    const inside = (command: string) => {
      const { span, commands, uses = [] } = read(command);
      for (
        const each of [
          span,
          ...commands.map((found) => found.span),
          ...uses.map((use) => use.span),
        ]
      ) {
        if (each === undefined) continue;
        assert.ok(0 <= each.start && each.start <= each.end && each.end <= command.length);
      }
    };
    fc.assert(fc.property(fc.string({ unit: "binary" }), inside), { numRuns: 200, seed: 1 });
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")), inside),
      {
        numRuns: 800,
        seed: 2,
      },
    );
  });
});
