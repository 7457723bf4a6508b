import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTools, type ToolSuite } from "../../src/tool/create-tools.ts";
import type { ToolsOptions } from "../../src/tool/configuration.ts";
import { createRuntime } from "../../src/runtime/create.ts";
import type { RuntimeOptions } from "../../src/runtime/options/options.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import type { CallContext, ToolResult } from "../../src/tool/tool.ts";
import { cleanUp } from "../clean-up.ts";

/** A runtime in a directory of its own, with its tools. */
export interface ToolWorld {
  readonly runtime: Runtime;
  readonly tools: ToolSuite;
  readonly directory: string;
  /** Call a tool. */
  readonly call: (name: string, input: unknown, context?: CallContext) => Promise<ToolResult>;
}

/** Make one; it ends with the tests of the file. */
export async function toolWorld(
  { runtime: options, tools: toolOptions }: {
    readonly runtime?: RuntimeOptions;
    readonly tools?: ToolsOptions;
  } = {},
): Promise<ToolWorld> {
  const directory = mkdtempSync(join(tmpdir(), "shellflow-tools-test-"));
  cleanUp(() => rmSync(directory, { recursive: true, force: true }));
  const runtime = await createRuntime({
    mode: "bypass",
    cwd: directory,
    graceMs: 300,
    ...options,
  });
  cleanUp(() => runtime.close());
  const tools = createTools(runtime, toolOptions);
  return {
    runtime,
    tools,
    directory,
    call: (name, input, context) => tools.call(name, input, context),
  };
}

/** The shell of a result, to go on with. */
export function shellOf({ details, text }: ToolResult): string {
  assert.ok(details.shellId !== undefined, text);
  return details.shellId;
}
