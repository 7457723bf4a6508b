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
  return Object.fromEntries(
    [...tools].map(({ name, description, schema, run }) => [name, {
      description,
      inputSchema: schema,
      execute: (input: unknown, { abortSignal: signal }: { readonly abortSignal?: AbortSignal }) =>
        run(input, { signal }),
      toModelOutput: ({ output }: { readonly output: ToolResult }) => ({
        type: output.isError ? "error-text" as const : "text" as const,
        value: output.text,
      }),
    }]),
  );
}
