import * as v from "valibot";
import type { PortableSchema } from "../../tool/portable-schema.ts";
import type { ToolSuite } from "../../tool/create-tools.ts";
import type { CallContext, Tool } from "../../tool/tool.ts";

/** A tool of Anthropic's messages, for requests of one's own. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: PortableSchema;
}

/** What `betaStandardSchemaTool()` of Anthropic's SDK takes. */
export interface AnthropicToolOptions {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: PortableSchema;
  readonly run: (input: unknown, context?: AnthropicRunContext) => Promise<string>;
}

/** What Anthropic's tool runner passes beside the input, as far as it is used. */
export interface AnthropicRunContext {
  readonly signal?: AbortSignal | null | undefined;
}

/** The result block of a call. */
export interface AnthropicToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: string;
  readonly is_error: boolean;
}

/** The tools for the option `tools` of a request of one's own. */
export function anthropicTools(tools: Iterable<Tool>): AnthropicTool[] {
  return [...tools].map(({ name, description, schema }) => ({
    name,
    description,
    input_schema: schema,
  }));
}

/** What `betaStandardSchemaTool()` takes, for each tool. */
export function anthropicToolOptions(tools: Iterable<Tool>): AnthropicToolOptions[] {
  return [...tools].map(({ name, description, schema, run }) => ({
    name,
    description,
    inputSchema: schema,
    run: async (input, context) => (await run(input, contextOf(context))).text,
  }));
}

/** Run a `tool_use` block and make the block that answers it. */
export async function anthropicAnswer(
  { call }: Pick<ToolSuite, "call">,
  use: {
    readonly type?: string;
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
  },
  context: CallContext = {},
): Promise<AnthropicToolResult> {
  const { text, isError } = await call(use.name, use.input, context);
  return { type: "tool_result", tool_use_id: use.id, content: text, is_error: isError };
}

const restarts = v.looseObject({ restart: v.literal(true) });
const commands = v.looseObject({ command: v.unknown() });

/**
 * Anthropic's own tool `bash_20250124`, over one shell that keeps its state: `run` takes the input of
 * its uses, `{command}` or `{restart: true}`.
 */
export function anthropicBash(
  { call, suite }: Pick<ToolSuite, "call" | "suite">,
  { shellId }: { readonly shellId: string },
): {
  readonly type: "bash_20250124";
  readonly name: "bash";
  readonly run: (input: unknown, context?: AnthropicRunContext) => Promise<string>;
} {
  return {
    type: "bash_20250124",
    name: "bash",
    run: async (input, given) => {
      const context = contextOf(given);
      if (v.is(restarts, input)) {
        await call(suite.names.stop, { shellId }, context);
        suite.runtime.closeSession(shellId);
        return "The shell was restarted";
      }
      const { command } = v.is(commands, input) ? input : {};
      return (await call(suite.names.run, { command, shellId }, context)).text;
    },
  };
}

function contextOf(given: AnthropicRunContext | undefined): CallContext {
  return { signal: given?.signal ?? undefined };
}
