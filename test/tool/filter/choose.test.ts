import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { RE2JS } from "re2js";
import { filterLines } from "../../../src/text/filter/filter-lines.ts";
import { FILTERS } from "../../../src/tool/filter/built-in.ts";
import { chooseFilter } from "../../../src/tool/filter/shortened.ts";

const samples = fileURLToPath(new URL("samples/", import.meta.url));

const chosen = (line: string) => chooseFilter(line, FILTERS);

describe("the filter of a line", () => {
  const rows: Readonly<Record<string, string | undefined>> = {
    "cargo build": "cargo",
    "  cargo +nightly test -p x 2>&1\n": "cargo",
    "cd /ws && cd a && cargo test": "cargo",
    "FOO=1 timeout 60 env A=1 cargo test": "cargo",
    "sudo apt-get install -y make": "apt-get",
    "npx --yes jest": "jest",
    "npx eslint .": "npx",
    "python3 -m pytest -q": "pytest",
    "python3 -m pip install x": "pip",
    "pip3.11 install x": "pip",
    "/usr/bin/make -j4": "make",
    "./node_modules/.bin/vitest run": "vitest",
    "git -C a status": "git",
    "git diff --stat": "git",
    "npm run build -- --x=$Y": "npm",
    "git diff": undefined,
    "git log -p": undefined,
    "node server.js": undefined,
    "docker ps": undefined,
    "tsc --noEmit": undefined,
    "echo cargo build": undefined,
    "make | tail": undefined,
    "make && make install": undefined,
    "make; cd a": undefined,
    "make &": undefined,
    "! make": undefined,
    "(make)": undefined,
    "make || true": undefined,
    "for i in 1 2; do make; done": undefined,
    "cd a; make": undefined,
    "cd a || make": undefined,
    "(cd a && make)": undefined,
    "bash -c 'make | tail'": undefined,
    "make $(cat x)": undefined,
    "make (": undefined,
    "": undefined,
  };
  for (const [line, program] of Object.entries(rows)) {
    it(`${JSON.stringify(line)}: ${program ?? "none"}`, () => {
      assert.equal(chosen(line)?.program, program);
    });
  }
});

describe("the built-in filters", () => {
  // What was recorded: `-` is left out, ` ` stays, `+` is put in its place.
  for (const name of readdirSync(samples)) {
    const [first = "", ...rows] = readFileSync(samples + name, "utf8").split("\n").slice(0, -1);
    const lines = rows.filter((row) => !row.startsWith("+")).map((row) => row.slice(1));
    it(`leave out of ${name} what says little`, () => {
      const { items } = filterLines(lines, chosen(first.slice(2))?.rules ?? []);
      const stays = new Set(items);
      const found = lines.map((line, at) => `${stays.has(at) ? " " : "-"}${line}`);
      assert.deepEqual(found, rows.filter((row) => !row.startsWith("+")));
      const markers = items.filter((item) => typeof item === "string").map((item) => `+${item}`);
      assert.deepEqual(markers, rows.filter((row) => row.startsWith("+")));
    });
  }

  const rules = FILTERS.flatMap(({ rules }) => rules);

  it("have only expressions that RE2 takes as well", () => {
    const all = [...FILTERS.map(({ when }) => when), ...rules.flatMap((r) => [r.lines, r.more])];
    for (const each of all) if (each !== undefined) RE2JS.compile(each.source);
  });

  it("come to an end on hostile lines", () => {
    // Each part is what some expression repeats: what backtracks would not end within the test's limit.
    const parts = [
      ..." \ta1/-.:|[#%",
      "a::",
      " PASSED ",
      "error ",
      "no errors ",
      "[1",
      " ... ok",
      "x-/",
    ];
    const lines = parts.flatMap((part) =>
      parts.map((other) =>
        part.repeat(8_000 / part.length) + other.repeat(8_000 / other.length) + "!"
      )
    );
    assert.equal(filterLines(lines, rules).items.length > 0, true);
  });
});
