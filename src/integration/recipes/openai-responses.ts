import type { PortableSchema } from "../../tool/portable-schema.ts";
import type { CallContext, Tool } from "../../tool/tool.ts";
import { openAiAnswer } from "./openai-chat.ts";

/** A tool of OpenAI's Responses API. */
export interface OpenAiResponsesTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: PortableSchema;
  readonly strict: false;
}

/** A call of a tool, as the output of a response has it. */
export interface OpenAiFunctionCall {
  readonly type: "function_call";
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

/** The item of the next input that answers a call. */
export interface OpenAiFunctionCallOutput {
  readonly type: "function_call_output";
  readonly call_id: string;
  readonly output: string;
}

/** The tools for the option `tools` of a response of OpenAI. */
export function openAiResponsesTools(tools: Iterable<Tool>): OpenAiResponsesTool[] {
  return [...tools].map(({ name, description, schema }) => ({
    type: "function",
    name,
    description,
    parameters: schema,
    strict: false,
  }));
}

/** Run a `function_call` item and make the item that answers it. */
export async function openAiResponsesAnswer(
  tools: Iterable<Tool>,
  { call_id, name, arguments: json }: OpenAiFunctionCall,
  context: CallContext = {},
): Promise<OpenAiFunctionCallOutput> {
  const called = { name, arguments: json };
  const { content } = await openAiAnswer(tools, { id: call_id, function: called }, context);
  return { type: "function_call_output", call_id, output: content };
}
