import { messageOf } from "../../platform/failure.ts";
import type { Tool } from "../../tool/tool.ts";

/** The options of `tool()` of OpenAI agents. */
export interface AgentsToolOptions {
  readonly name: string;
  readonly description: string;
  /**
   * JSON Schema alone: agents take a Standard Schema only in strict mode, which allows no maps, and
   * without that no other `additionalProperties` than `true`. The tool refuses unknown fields itself.
   */
  readonly parameters: {
    readonly type: "object";
    readonly properties: Readonly<Record<string, unknown>>;
    readonly required: string[];
    readonly additionalProperties: true;
  };
  readonly strict: false;
  readonly errorFunction: (context: unknown, error: unknown) => string;
  readonly execute: (
    input: unknown,
    context?: unknown,
    details?: { readonly signal?: AbortSignal },
  ) => Promise<string>;
}

/** What `tool()` of OpenAI agents takes, for each tool. */
export function agentsToolOptions(tools: Iterable<Tool>): AgentsToolOptions[] {
  return [...tools].map(({ name, description, schema, run }) => ({
    name,
    description,
    parameters: { ...schema, additionalProperties: true },
    strict: false,
    errorFunction: (_, error) => messageOf(error),
    execute: async (input, _, details) => (await run(input, { signal: details?.signal })).text,
  }));
}
