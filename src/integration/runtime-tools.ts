import type { Runtime } from "../runtime/runtime.ts";
import { toolPort, type ToolPortOptions } from "../runtime/tool/tool-port.ts";
import type { SuiteOptions } from "../tool/configuration.ts";
import { createSuite, type ToolSuite } from "../tool/create-suite.ts";
import { checkToolsOptions } from "./check-tools-options.ts";

/** How the tools of a runtime work. */
export interface ToolsOptions extends SuiteOptions, ToolPortOptions {}

/**
 * The tools of a runtime, for an agent's framework.
 *
 * @param runtime What runs the commands.
 * @param options Names, limits in seconds, and what there is; every option has a default.
 * @throws {TypeError} For the first option that cannot be used, with its name and value.
 *
 * @example Run a command as a model does
 * ```ts
 * import { createRuntime } from "shellflow";
 * import { createTools } from "shellflow/tools";
 *
 * await using runtime = await createRuntime({ rules: { allow: ["Bash(echo *)"] } });
 * const tools = createTools(runtime);
 * const { text, details } = await tools.call("bash", { command: "echo hi" });
 * if (text !== "hi\nexit code 0" || details.exitCode !== 0) throw new Error(`unexpected: ${text}`);
 * ```
 */
export function createTools(runtime: Runtime, options: ToolsOptions = {}): ToolSuite {
  checkToolsOptions(options);
  return createSuite(toolPort(runtime, options), options);
}
