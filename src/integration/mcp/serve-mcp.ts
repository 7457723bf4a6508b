import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { createRuntime } from "../../runtime/create.ts";
import type { RuntimeOptions } from "../../runtime/options.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { McpQuestions } from "./mcp-questions.ts";
import { mcpTools, type McpToolsOptions } from "./mcp-tools.ts";

/** What serves MCP on the standard streams of this process. */
export interface ServedMcp {
  readonly runtime: Runtime;
  /** Resolves when the client has closed its end. */
  readonly ended: Promise<void>;
  /** End the connection and everything that runs. */
  close(options?: { readonly now?: boolean }): Promise<void>;
}

/**
 * Serve the tools of a new runtime over MCP, on standard input and output.
 *
 * Commands never get these streams. When the client goes away, {@linkcode ServedMcp.close} ends all.
 *
 * @param options How the runtime works, and its tools; `ask` is answered by the client.
 */
export async function serveMcp(
  { tools = {}, ...options }: Omit<RuntimeOptions, "ask"> & {
    readonly tools?: Omit<McpToolsOptions, "questions">;
  } = {},
): Promise<ServedMcp> {
  const questions = new McpQuestions();
  const runtime = await createRuntime({ ...options, ask: questions.ask });
  const transport = new StdioServerTransport();
  const handle = serveStdio(() => mcpTools(runtime, { ...tools, questions }), { transport });
  const ended = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  return {
    runtime,
    ended,
    close: async (how) => {
      await handle.close();
      await runtime.close(how);
    },
  };
}
