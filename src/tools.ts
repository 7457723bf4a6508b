/**
 * The tools that an agent's model calls, and recipes for frameworks; none of them is a dependency.
 *
 * @module
 */
export { createTools, type ToolSuite } from "./tool/create-tools.ts";
export type { ToolFiles } from "./tool/artifact/tool-files.ts";
export type {
  ForeignTasks,
  ShellFamily,
  Suite,
  ToolKind,
  ToolNames,
  ToolsOptions,
  UrlResolver,
} from "./tool/configuration.ts";
export type { CompiledFilter, OutputFilter } from "./tool/filter/output-filter.ts";
export type { LineRule } from "./text/filter/filter-lines.ts";
export type { PortableSchema, SchemaIssue, StandardProps } from "./tool/portable-schema.ts";
export type * from "./tool/tool.ts";
export type { ShellErrorCategory } from "./tool/error/shell-error.ts";
export { renderCall, type RenderOptions, renderResult } from "./tool/render/render.ts";
export {
  type JoinRule,
  lastUserOutput,
  runForUser,
  USER_RECIPES,
  type UserCommandOptions,
  type UserCommandResult,
  type UserRecipe,
} from "./tool/user/user-surface.ts";

export { type ServedTools, serveTools } from "./integration/serve/serve-tools.ts";
export type { ToolService } from "./integration/serve/tool-service.ts";
export { OpenQuestions, type QuestionChange } from "./integration/serve/open-questions.ts";
export type { LineChannel } from "./platform/control/line-channel.ts";

export { NoticeInbox } from "./notification/notice-inbox.ts";
export { type UserMessage, withNotices } from "./integration/recipes/notice-messages.ts";
export { type AiSdkTool, aiSdkTools } from "./integration/recipes/ai-sdk.ts";
export {
  anthropicAnswer,
  anthropicBash,
  type AnthropicRunContext,
  type AnthropicTool,
  type AnthropicToolOptions,
  anthropicToolOptions,
  type AnthropicToolResult,
  anthropicTools,
} from "./integration/recipes/anthropic.ts";
export {
  type LangChainToolArguments,
  langChainToolArguments,
} from "./integration/recipes/langchain.ts";
export { type MastraToolOptions, mastraToolOptions } from "./integration/recipes/mastra.ts";
export { type AgentsToolOptions, agentsToolOptions } from "./integration/recipes/openai-agents.ts";
export {
  openAiAnswer,
  type OpenAiTool,
  type OpenAiToolCall,
  type OpenAiToolMessage,
  openAiTools,
} from "./integration/recipes/openai-chat.ts";
export {
  type OpenAiFunctionCall,
  type OpenAiFunctionCallOutput,
  openAiResponsesAnswer,
  type OpenAiResponsesTool,
  openAiResponsesTools,
} from "./integration/recipes/openai-responses.ts";
export {
  type AgentsShellAction,
  openAiShell,
  type OpenAiShellOptions,
  type ResponsesShellAction,
  type ShellActionOutput,
} from "./integration/recipes/openai-shell.ts";
