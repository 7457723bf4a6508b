import type { ToolsOptions } from "../../tool/configuration.ts";
import type { McpQuestions } from "./mcp-questions.ts";

/** What carries the messages: any transport of the MCP SDK. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
}

/** How the tools of a runtime are served to one client. */
export interface McpToolsOptions extends ToolsOptions {
  /** The questions of the runtime, whose option `ask` is theirs: they become elicitations of the client. */
  readonly questions?: McpQuestions;
  /** Default: standard input and output of this process. */
  readonly transport?: McpTransport;
}
