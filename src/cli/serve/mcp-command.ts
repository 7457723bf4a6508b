import { Command } from "commander";
import { serveMcp } from "../../integration/mcp/serve-mcp.ts";
import type { Cli } from "../cli.ts";
import { asUsage } from "../option-values.ts";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import {
  runtimeOptions,
  type ToolCommandOptions,
  toolsOptions,
  withToolOptions,
} from "./tool-options.ts";

/** `shellflow mcp`: the tools for an MCP client, on standard input and output. */
export function mcpCommand({ exit }: Cli): Command {
  const command = new Command("mcp")
    .description("Serve the tools over MCP, on standard input and output.");
  return withToolOptions(command).action(async (options: ToolCommandOptions) => {
    const served = await asUsage(serveMcp({
      ...await runtimeOptions(options),
      tools: toolsOptions(options),
    }));
    const signals = onStopSignals({ stopNow: () => void served.close({ now: true }) });
    await Promise.race([served.ended, signals.stopped]);
    await served.close();
    signals.forget();
    exit(signals.exitCode ?? 0);
  });
}
