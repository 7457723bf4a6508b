import * as v from "valibot";
import { invalidInput } from "./error/shell-error.ts";
import { inputProblems } from "./to-portable-schema.ts";
import type { CallContext, ToolResult } from "./tool.ts";

/** A tool without its name: what it takes, and what it does. */
export interface RunnableTool {
  readonly schema: v.GenericSchema<unknown, unknown>;
  /** @throws {ShellError} When it cannot do what it is asked. */
  readonly run: (input: unknown, context: CallContext) => Promise<ToolResult>;
}

/** Whatever a framework has checked, a tool parses its input itself. */
export function runnable<Input>(
  schema: v.GenericSchema<unknown, Input>,
  run: (input: Input, context: CallContext) => Promise<ToolResult>,
): RunnableTool {
  return {
    schema,
    run: async (input, context) => {
      const result = v.safeParse(schema, input ?? {});
      if (!result.success) throw invalidInput(inputProblems(result.issues));
      return await run(result.output, context);
    },
  };
}
