import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { analyse } from "../../src/command/analyse.ts";
import { secondOpinion } from "../../src/command/second-opinion.ts";
import type { Analysis } from "../../src/event/analysis.ts";
import { bashGrammar, type Grammar } from "../../src/platform/grammar.ts";

/** A grammar that takes the last occurrence of a word for a command, with all behind it. */
function finding(word: string): Grammar & { readonly loads: number } {
  let loads = 0;
  const finder = {
    find: (text: string) => {
      const start = text.lastIndexOf(word);
      const name = { start, end: start + word.length };
      return start < 0 ? [] : [{ start, end: text.length, name }];
    },
  };
  return {
    loaded: undefined,
    load: () => {
      loads++;
      return Promise.resolve(finder);
    },
    get loads() {
      return loads;
    },
  };
}

const facts = { cwd: "/ws" };
async function confirmed(line: string, grammar: Grammar): Promise<Analysis> {
  return await secondOpinion({ grammar })(line, analyse(line, facts));
}

describe("a second opinion", () => {
  it("changes nothing where both parsers list the same commands", async () => {
    for (
      const line of [
        'time npm test -- "a b"',
        "cat <<'EOF' > f && echo \"$(date)\"\n$(x) `y`\nEOF",
        "for f in $(ls); do echo `echo \\`date\\``; done",
        "bash -c 'for i in 1 2; do echo \"$i\"; done'",
        "if [[ -n $x ]]; then A=1 make > log 2>&1; else (exit 1); fi",
      ]
    ) {
      assert.equal((await confirmed(line, bashGrammar)).reason, undefined, line);
    }
  });

  it("doubts a line in which only the other parser sees a command, and lists it", async () => {
    const line = "echo 'rm x'";
    const { certainty, reason, span, commands } = await confirmed(line, finding("rm"));
    assert.deepEqual([certainty, span], ["opaque", { start: 6, end: 8 }]);
    assert.equal(reason, 'a second parser takes "rm" for a command');
    assert.deepEqual(commands.map(({ argv }) => argv), [["echo", "rm x"], ["rm", "x"]]);
  });

  it("looks into every text that a shell reads", async () => {
    for (
      const line of ["bash -c \"echo 'rm'\"", "eval \"echo 'rm'\"", "echo `echo \\`echo rm\\``"]
    ) {
      // In the line itself the word is found, too; only in the text by itself is it hidden.
      const inner = { start: -1, end: -1 };
      const finder = {
        find: (text: string) => text === line ? [] : [{ ...inner, name: inner }],
      };
      const grammar = { loaded: finder, load: () => Promise.resolve(finder) };
      assert.equal((await confirmed(line, grammar)).certainty, "opaque", line);
    }
  });

  it("doubts a line when it cannot be had", async () => {
    const load = () => Promise.reject(new Error("no such file"));
    const { certainty, reason } = await confirmed("echo 'a'", { loaded: undefined, load });
    assert.equal(certainty, "opaque");
    assert.equal(reason, "no second parser confirms what it runs: no such file");
    const finder = { find: () => undefined };
    const tooLong = { loaded: finder, load: () => Promise.resolve(finder) };
    assert.match((await confirmed("echo 'a'", tooLong)).reason ?? "", /needs too long/);
  });

  it("is not asked about plain words, nor about what is doubted already", async () => {
    const grammar = finding("rm");
    for (const line of ["cd web && npm test -- --grep=a.b > log 2>&1; echo done", 'eval "$x"']) {
      await confirmed(line, grammar);
    }
    assert.equal(grammar.loads, 0);
    await confirmed("echo 'a'", grammar);
    assert.equal(grammar.loads, 1);
  });
});

describe("the grammar of tree-sitter-bash", () => {
  it("finds commands outside of what it cannot read", async () => {
    const { find } = await bashGrammar.load();
    const names = (text: string) =>
      find(text)?.map(({ name: { start, end } }) => text.slice(start, end));
    assert.deepEqual(names("A=1 a x | b $(c) > f && { d; }"), ["a", "b", "c", "d"]);
    assert.deepEqual(names("a; b )"), ["a", "b"]);
  });

  it("gives a text up that takes too much work, and reads the next one", async () => {
    const { find } = await bashGrammar.load();
    assert.equal(find("echo a; ".repeat(10_000)), undefined);
    assert.equal(find("echo a")?.length, 1);
  });
});
