import type { PortableSchema } from "../../tool/portable-schema.ts";
import type { CallContext, Tool } from "../../tool/tool.ts";

/** A tool of OpenAI's chat completions. */
export interface OpenAiTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: PortableSchema;
    readonly strict: false;
  };
}

/** A call of a tool, as a completion has it; custom tools are none of ours. */
export interface OpenAiToolCall {
  readonly type?: string;
  readonly id: string;
  readonly function?: { readonly name: string; readonly arguments: string };
  readonly custom?: { readonly name: string };
}

/** The message that answers a call. */
export interface OpenAiToolMessage {
  readonly role: "tool";
  readonly tool_call_id: string;
  readonly content: string;
}

/** The tools for the option `tools` of a chat completion of OpenAI. */
export function openAiTools(tools: Iterable<Tool>): OpenAiTool[] {
  return [...tools].map(({ name, description, schema }) => ({
    type: "function",
    function: { name, description, parameters: schema, strict: false },
  }));
}

/** Run the call of a tool and make the message that answers it. */
export async function openAiAnswer(
  tools: Iterable<Tool>,
  { id, function: called, custom }: OpenAiToolCall,
  context: CallContext = {},
): Promise<OpenAiToolMessage> {
  const tool = [...tools].find(({ name }) => name === called?.name);
  const answer = (content: string) => ({ role: "tool" as const, tool_call_id: id, content });
  if (called === undefined || tool === undefined) {
    return answer(`There is no tool "${(called ?? custom)?.name}"`);
  }
  let input: unknown;
  try {
    input = JSON.parse(called.arguments);
  } catch {
    return answer("Invalid input (nothing was run): the arguments are no JSON");
  }
  return answer((await tool.run(input, context)).text);
}
