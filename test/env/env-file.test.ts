import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readEnvFile } from "../../src/env/env-file.ts";

const read = (text: string) =>
  readEnvFile(text, (name) => name === "BAD" ? "BAD is bad" : undefined);
const NONE = "it is no assignment of a plain or quoted value";

describe("an env file", () => {
  it("holds assignments of plain and quoted values, the last of a name", () => {
    const text = [
      "# a comment",
      "",
      "export A=1",
      "B=plain/a:b@c,d%e+f-g=h",
      "  export C='it'\\''s'  # quoted",
      'declare -x D="a \\"b\\" \\$c \\`d\\` \\\\ e"',
      "F=",
      "A=2\r",
      "__proto__=1",
      "G=ünïcode",
    ].join("\n");
    const { variables, refused } = read(text);
    assert.deepEqual(refused, []);
    assert.deepEqual(
      Object.entries(variables).map((each) => each.join("=")),
      [
        "A=2",
        "B=plain/a:b@c,d%e+f-g=h",
        "C=it's",
        'D=a "b" $c `d` \\ e',
        "F=",
        "__proto__=1",
        "G=ünïcode",
      ],
    );
  });

  it("is read from its last 500 lines on", () => {
    const text = Array.from({ length: 600 }, (_, at) => `A${at}=1`).join("\n");
    for (const end of ["", "\n"]) {
      const { variables, refused } = read(text + end);
      assert.equal(Object.keys(variables).length, 500);
      assert.equal(variables["A599"], "1");
      assert.deepEqual(refused, ["lines 1 to 100: the file has more than 500 lines"]);
    }
  });

  it("is data: what bash would expand or run is no value, and the lines around it are read", () => {
    const lines = [
      "A=$HOME",
      "A=$(touch x)",
      'A="`touch x`"',
      "A=~/bin",
      "A=1 touch x",
      "A=1; touch x",
      "A+=1",
      "A[0]=1",
      "A='open",
      "export -n A=1",
      "source x",
      "unset A",
      "A=*",
      "A=(1 2)",
      "1A=1",
    ];
    for (const line of lines) {
      const { variables, refused } = read(`B=1\n${line}\nC=2\n`);
      assert.deepEqual(variables, { B: "1", C: "2" }, line);
      assert.deepEqual(refused, [`line 2: ${NONE}`], line);
    }
  });

  it("says what is not taken, without values, and of many lines the first", () => {
    assert.deepEqual(read("BAD=secret\nA=1\n"), {
      variables: { A: "1" },
      refused: ["line 1: BAD is bad"],
    });
    const { refused } = read("!\n".repeat(12));
    assert.deepEqual(refused.slice(9), [`line 10: ${NONE}`]);
  });

  it("reads what bash prints of its variables, whatever they hold on one line", () => {
    const value = fc.string({ unit: fc.constantFrom(..."ab'\"\\$`! \t#=~*;é") });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 40 }), (values) => {
        const env = Object.fromEntries(values.map((each, i) => [`V${i}`, each]));
        // Without them, bash takes a socket as its input for a login from elsewhere.
        const args = ["--noprofile", "--norc", "-c", "export -p; declare -p V0"];
        const printed = execFileSync("bash", args, { env, encoding: "utf8" });
        const { variables } = read(printed);
        const known = Object.entries(variables).filter(([name]) => /^V\d/.test(name));
        // A control character is printed as $'…', which is not read.
        const printable = Object.entries(env).filter(([name]) =>
          !printed.includes(`declare -x ${name}=$'`)
        );
        assert.deepEqual(Object.fromEntries(known), Object.fromEntries(printable));
      }),
      { numRuns: 30 },
    );
  });

  it("takes any text in little time", () => {
    const start = performance.now();
    for (const piece of ["A='\n", 'A="\\', "A=''", "export ", "A=1#", "\\", "# ", "\n"]) {
      read(piece.repeat(32 * 1024 / piece.length));
    }
    assert.ok(performance.now() - start < 2_000);
  });
});
