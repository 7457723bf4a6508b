import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type Match, readRules } from "../../src/permission/rules/rule.ts";

const match = (rule: string, words: readonly (string | null)[]): Match =>
  readRules(rule)[0]?.match(words) ?? "no";

describe("a rule", () => {
  it("covers words or none behind a blank and a star", () => {
    assert.equal(match("Bash(git diff *)", ["git", "diff"]), "yes");
    assert.equal(match("Bash(git diff *)", ["git", "diff", "a b"]), "yes");
    assert.equal(match("Bash(git diff *)", ["git", "difftool"]), "no");
    assert.equal(match("Bash(git diff*)", ["git", "difftool"]), "yes");
    assert.equal(match("Bash(git diff:*)", ["git", "diff", "x"]), "yes");
  });

  it("compares words after quote removal, never across a blank inside one", () => {
    assert.equal(match("Bash(git status)", ["git status"]), "no");
    assert.equal(match('Bash(echo "a  b")', ["echo", "a  b"]), "yes");
    assert.equal(match("Bash(echo a.b [c])", ["echo", "axb", "[c]"]), "no");
  });

  it("says when unknown words decide", () => {
    assert.equal(match("Bash(git push *)", ["git", null]), "maybe");
    assert.equal(match("Bash(rm *)", ["rm", null]), "yes");
    assert.equal(match("Bash(rm *)", ["echo", null]), "no");
    assert.equal(match("Bash(git push *)", ["git", "log", null]), "no");
  });

  it("is read part by part where tools are listed", () => {
    assert.equal(readRules("Bash(git *), Read, Bash(npm *)").length, 2);
    assert.equal(readRules("Read,Bash")[0]?.every, true);
    assert.equal(match("Bash(echo a, b)", ["echo", "a,", "b"]), "yes");
    assert.deepEqual(readRules("Read(**)"), []);
  });

  it("that cannot be read is named", () => {
    for (
      const text of ["", "Bash(", "Bash()", "Bash( )", "git *", "Bash(echo 'a)", "Bash(a),,Read"]
    ) {
      assert.throws(() => readRules(text), (error: Error) => error.message.includes(`"${text}"`));
    }
  });

  it("that names a program in place of a tool, or Bash wrongly, is refused", () => {
    for (const text of ["touch", "rm(*)", "Bsh(rm *)", "Read, git", "basename"]) {
      assert.throws(() => readRules(text), /is no tool; write Bash\(/);
    }
    for (const text of ["Shell(rm *)", "bash(rm *)", "BASH(rm *)", "shell(rm *)", "SHELL(rm *)"]) {
      assert.throws(
        () => readRules(text),
        (error: Error) =>
          error.message.includes(`"${text}"`) && error.message.endsWith("write Bash(rm *)"),
      );
    }
    assert.deepEqual(readRules("Read(x), mcp__files__read"), []);
  });

  it("does not stall on many stars, as one that goes back for each would for ever", () => {
    match(`Bash(${"a*".repeat(50)}b)`, ["a".repeat(5_000)]);
  });

  it("fits what it spells out, whatever the words are", () => {
    const word = fc.stringMatching(/^[a-z./=-]{1,8}$/);
    fc.assert(fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), word, (words, more) => {
      const text = words.join(" ");
      assert.equal(match(`Bash(${text})`, words), "yes");
      assert.equal(match(`Bash(${text} *)`, [...words, more]), "yes");
      assert.equal(match(`Bash(${text})`, [...words, more]), "no");
      assert.notEqual(match(`Bash(${text})`, [...words.slice(0, -1), null]), "no");
    }));
  });
});
