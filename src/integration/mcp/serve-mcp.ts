import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { warn } from "../../platform/environment/environment.ts";
import { createRuntime } from "../../runtime/create.ts";
import type { RuntimeOptions } from "../../runtime/options/options.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { checkToolsOptions } from "../../tool/suite.ts";
import type { McpToolsOptions } from "./mcp-options.ts";
import { mcpServer } from "./mcp-server.ts";
import { McpQuestions } from "./mcp-questions.ts";

/** A connection with one client. */
export interface McpConnection {
  /** Resolves when the client has closed its end. */
  readonly ended: Promise<void>;
  /** Close ours. */
  close(): Promise<void>;
}

/** Serve the tools of a runtime to one client. Commands never get standard input and output. */
export function connectMcp(
  runtime: Runtime,
  { transport = new StdioServerTransport(), questions, ...options }: McpToolsOptions = {},
): McpConnection {
  checkToolsOptions(options);
  const asks = questions && { questions };
  const handle = serveStdio(() => mcpServer(runtime, { ...options, ...asks }), {
    transport,
    onerror: (cause) => {
      // Only a message that does not fit its schema has issues; other failures are answered, or end the connection.
      if ("issues" in cause) {
        warn("Cannot read a line of the MCP client: it is no JSON-RPC message");
      }
    },
  });
  const ended = new Promise<void>((resolve) => {
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
  return { ended, close: () => handle.close() };
}

/** A runtime with its connection to one client. */
export interface ServedMcp extends Pick<McpConnection, "ended"> {
  readonly runtime: Runtime;
  /** End the connection and everything that runs. */
  close(options?: { readonly now?: boolean }): Promise<void>;
}

/**
 * Serve the tools of a new runtime to one client, which answers its questions.
 *
 * When the client goes away, {@linkcode ServedMcp.close} ends all that runs.
 *
 * @param options How the runtime works, and its tools.
 */
export async function serveMcp(
  { tools = {}, ...options }: Omit<RuntimeOptions, "ask"> & {
    readonly tools?: Omit<McpToolsOptions, "questions">;
  } = {},
): Promise<ServedMcp> {
  const { transport: _, ...suite } = tools;
  checkToolsOptions(suite);
  const questions = new McpQuestions();
  const runtime = await createRuntime({ ...options, ask: questions.ask });
  const { ended, close } = connectMcp(runtime, { ...tools, questions });
  return {
    runtime,
    ended,
    close: async (how) => {
      await close();
      await runtime.close(how);
    },
  };
}
