import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import * as acp from "../../src/acp.ts";
import * as inspector from "../../src/inspector.ts";
import * as mcp from "../../src/mcp.ts";
import * as main from "../../src/mod.ts";
import * as nats from "../../src/nats.ts";
import * as telemetry from "../../src/telemetry.ts";
import * as testing from "../../src/testing.ts";
import * as tools from "../../src/tools.ts";
import { ROOT } from "../root.ts";

/** The entry points, by their names in the manifest but for the dot in front. */
const ENTRIES = { "": main, acp, inspector, mcp, nats, telemetry, testing, tools };

const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
const { exports } = JSON.parse(read("deno.json")) as {
  readonly exports: Readonly<Record<string, string>>;
};

describe("the pages of the package", () => {
  const pages = readdirSync(new URL("docs/", ROOT)).filter((name) => name.endsWith(".md"));
  const text = [read("README.md"), ...pages.map((name) => read(`docs/${name}`))].join("\n");

  it("are compared with each entry point", () => {
    const names = Object.keys(exports).map((name) => name.replace(/^\.\/?/, ""));
    assert.deepEqual(names.sort(), Object.keys(ENTRIES).sort());
  });

  for (const [entry, exported] of Object.entries(ENTRIES)) {
    it(`name each function and class of ./${entry}`, () => {
      const names = Object.keys(exported);
      assert.ok(names.length > 0);
      assert.deepEqual(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text)), []);
    });
  }
});
