import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { ROOT } from "../root.ts";

const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const { exports } = JSON.parse(read("deno.json")) as {
  readonly exports: Readonly<Record<string, string>>;
};

describe("the pages of the package", () => {
  const pages = readdirSync(new URL("docs/", ROOT)).filter((name) => name.endsWith(".md"));
  const text = [read("README.md"), ...pages.map((name) => read(`docs/${name}`))].join("\n");

  for (const [entry, file] of Object.entries(exports)) {
    it(`name each function and class of ${entry}`, async () => {
      const names = Object.keys(await import(new URL(file, ROOT).href));
      assert.ok(names.length > 0);
      assert.deepEqual(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)), []);
    });
  }
});
