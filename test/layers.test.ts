import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { ROOT } from "./root.ts";
import { fileURLToPath } from "node:url";
import { readSource, type SourceFile, violations } from "./layers/check.ts";

const src = fileURLToPath(new URL("src/", ROOT));

function project(): ReadonlyMap<string, SourceFile> {
  return new Map(
    readdirSync(src, { recursive: true })
      .map((name) => String(name).replaceAll("\\", "/"))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => [name, readSource(readFileSync(src + name, "utf8"))]),
  );
}

const files = (sources: Readonly<Record<string, string>>): ReadonlyMap<string, SourceFile> =>
  new Map(Object.entries(sources).map(([path, text]) => [path, readSource(text)]));

describe("the layers of src", () => {
  it("hold", () => {
    const all = project();
    assert.ok(all.size > 10, "the sources were found");
    assert.deepEqual(violations(all), []);
  });
});

describe("the check of the layers", () => {
  const broken: Readonly<Record<string, readonly [Readonly<Record<string, string>>, RegExp]>> = {
    "an import of a higher layer": [
      { "event/a.ts": `import { b } from "../tool/b.ts";`, "tool/b.ts": "" },
      /event\/a\.ts imports "\.\.\/tool\/b\.ts", which is above it/,
    ],
    "an import from one stage to another": [
      { "env/a.ts": `import type { b } from "../output/b.ts";`, "output/b.ts": "" },
      /which is beside it/,
    ],
    "an import that spans lines": [
      { "event/a.ts": `import {\n  b,\n  c,\n} from "../tool/b.ts";`, "tool/b.ts": "" },
      /which is above it/,
    ],
    "a dynamic import of a higher layer": [
      { "event/a.ts": `const b = await import("../tool/b.ts");`, "tool/b.ts": "" },
      /which is above it/,
    ],
    "a circle": [
      {
        "event/a.ts": `import "./b.ts";`,
        "event/b.ts": `import "./c.ts";`,
        "event/c.ts": `import "./a.ts";`,
      },
      /event\/a\.ts -> event\/b\.ts -> event\/c\.ts -> event\/a\.ts/,
    ],
    "a module of Node outside platform": [
      { "event/a.ts": `import { readFileSync } from "node:fs";` },
      /"node:fs", which only platform\/ may/,
    ],
    "Deno outside platform": [{ "env/a.ts": `const home = Deno.env.get("HOME");` }, /uses Deno/],
    "a barrel": [
      { "event/a.ts": `export * from "./b.ts";`, "event/b.ts": "" },
      /passes on what another file exports/,
    ],
    "a barrel by name": [
      { "event/a.ts": `export { b } from "./b.ts";`, "event/b.ts": "" },
      /passes on what another file exports/,
    ],
    "a name that says nothing": [{ "event/utils.ts": "" }, /has a name that says nothing/],
    "a folder without a place": [{ "misc/a.ts": "" }, /"misc", which has no place/],
    "an import without extension": [{ "event/a.ts": `import "./b";` }, /which is no source file/],
    "an import of the package by its own name": [
      { "tool/a.ts": `import { run } from "shellflow";` },
      /which is the package itself/,
    ],
  };
  for (const [what, [sources, message]] of Object.entries(broken)) {
    it(`finds ${what}`, () => {
      const found = violations(files(sources));
      assert.equal(found.length, 1, found.join("\n"));
      assert.match(found[0] ?? "", message);
    });
  }

  it("lets sound layers be", () => {
    const sound = files({
      "platform/a.ts": `import { open } from "node:fs";\nDeno.exit(0);`,
      "event/b.ts": `/**\n * import { run } from "../tool/c.ts";\n */\n// import "../tool/c.ts"\n` +
        `import { of } from "rxjs";\nimport { a } from "../platform/a.ts";`,
      "tool/c.ts": `import { b } from "../event/b.ts";\nexport const from = "../mod.ts";`,
      "mod.ts": `export * from "./tool/c.ts";`,
      "cli/d.ts": `import { c } from "../mod.ts";\nimport { argv } from "node:process";`,
    });
    assert.deepEqual(violations(sound), []);
  });
});
