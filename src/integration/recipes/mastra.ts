import * as v from "valibot";
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
    execute: async (input, context) =>
      (await run(inputOf(input), { signal: context?.abortSignal })).text,
  }));
}

const wrapped = v.looseObject({ context: v.looseObject({}) });

/** Mastra before 1.0 gives the input as the field `context`, which no tool has as an object. */
function inputOf(given: unknown): unknown {
  return v.is(wrapped, given) ? given.context : given;
}
