/**
 * Serve the tools of a runtime over the Model Context Protocol.
 *
 * @module
 */
export {
  connectMcp,
  type McpConnection,
  type ServedMcp,
  serveMcp,
} from "./integration/mcp/serve-mcp.ts";
export type { McpToolsOptions, McpTransport } from "./integration/mcp/mcp-options.ts";
export { McpQuestions } from "./integration/mcp/mcp-questions.ts";
