/**
 * Serve the tools of a runtime over the Model Context Protocol.
 *
 * @module
 */
export { mcpTools, type McpToolsOptions } from "./integration/mcp/mcp-tools.ts";
export { McpQuestions } from "./integration/mcp/mcp-questions.ts";
export { type ServedMcp, serveMcp } from "./integration/mcp/serve-mcp.ts";
