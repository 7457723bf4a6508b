import type { PortableSchema } from "../../tool/portable-schema.ts";
import type { Tool, ToolDetails } from "../../tool/tool.ts";

/** The two arguments of `tool()` of LangChain. */
export type LangChainToolArguments = [
  run: (
    input: unknown,
    config?: { readonly signal?: AbortSignal },
  ) => Promise<[string, ToolDetails]>,
  fields: {
    readonly name: string;
    readonly description: string;
    readonly schema: PortableSchema;
    readonly responseFormat: "content_and_artifact";
    readonly verboseParsingErrors: true;
  },
];

/** What `tool(...)` of LangChain takes, for each tool. */
export function langChainToolArguments(tools: Iterable<Tool>): LangChainToolArguments[] {
  return [...tools].map(({ name, description, schema, run }) => [
    async (input, config) => {
      const { text, details } = await run(input, { signal: config?.signal });
      return [text, details];
    },
    {
      name,
      description,
      schema,
      responseFormat: "content_and_artifact",
      verboseParsingErrors: true,
    },
  ]);
}
