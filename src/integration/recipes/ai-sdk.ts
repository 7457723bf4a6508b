import type { PortableSchema } from "../../tool/portable-schema.ts";
import type { Tool, ToolResult } from "../../tool/tool.ts";

/** A tool of the AI SDK. */
export interface AiSdkTool {
  readonly description: string;
  readonly inputSchema: PortableSchema;
  readonly execute: (
    input: unknown,
    options: { readonly abortSignal?: AbortSignal },
  ) => Promise<ToolResult>;
  readonly toModelOutput: (result: { readonly output: ToolResult }) => {
    readonly type: "text" | "error-text";
    readonly value: string;
  };
}

/** The tools for the option `tools` of `generateText` and `streamText` of the AI SDK. */
export function aiSdkTools(tools: Iterable<Tool>): Record<string, AiSdkTool> {
  return Object.fromEntries([...tools].map((tool) => [tool.name, aiSdkTool(tool)]));
}

function aiSdkTool({ description, schema, run }: Tool): AiSdkTool {
  return {
    description,
    inputSchema: schema,
    execute: (input, { abortSignal: signal }) => run(input, { signal }),
    toModelOutput: ({ output }) => ({
      type: output.isError ? "error-text" : "text",
      value: output.text,
    }),
  };
}
