import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "../root.ts";

const ENTRIES = ["mod", "testing", "tools", "mcp", "acp", "inspector", "nats", "telemetry"];
/** Brands, internal bases, and the lists that unions are made from: no caller writes their names. */
const INTERNAL = ["CAPABILITIES", "FoundProgram", "McpCall", "Order", "granted"];
const RXJS = ["Observable", "ObservableInput", "OperatorFunction"];

describe("the entry points", () => {
  it("export every type that one of their exports names", async () => {
    const cwd = fileURLToPath(ROOT);
    const deno = join(cwd, "node_modules/.bin/deno");
    const args = ["doc", "--lint", ...ENTRIES.map((entry) => `src/${entry}.ts`)];
    const output = await new Promise<string>((resolve) => {
      execFile(deno, args, { cwd, maxBuffer: 2 ** 24 }, (_, out, err) => resolve(out + err));
    });
    const problems = stripVTControlCharacters(output)
      .split("\n")
      .filter((line) => line.startsWith("error[private-type-ref]"));
    const isKnown = (line: string) =>
      [...INTERNAL, ...RXJS].some((name) => line.endsWith(`private type '${name}'`));
    assert.match(output, /\[missing-jsdoc\]|Checked/);
    assert.deepEqual(problems.filter((line) => !isKnown(line)), []);
  });
});
