import type { PortableSchema } from "../../tool/portable-schema.ts";
import type { Tool } from "../../tool/tool.ts";

/** What `createTool()` of Mastra takes. */
export interface MastraToolOptions {
  readonly id: string;
  readonly description: string;
  readonly inputSchema: PortableSchema;
  readonly execute: (
    input: unknown,
    context?: { readonly abortSignal?: AbortSignal },
  ) => Promise<string>;
}

/** What `createTool()` of Mastra takes, for each tool. */
export function mastraToolOptions(tools: Iterable<Tool>): MastraToolOptions[] {
  return [...tools].map(({ name, description, schema, run }) => ({
    id: name,
    description,
    inputSchema: schema,
    execute: async (input, context) => (await run(input, { signal: context?.abortSignal })).text,
  }));
}
