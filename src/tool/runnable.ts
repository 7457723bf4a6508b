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
  run: (input: Input, context: CallContext) => ToolResult | Promise<ToolResult>,
): RunnableTool {
  return {
    schema,
    run: async (input, context) => {
      const result = v.safeParse(schema, withoutBlanks(schema, input ?? {}));
      if (!result.success) throw invalidInput(inputProblems(result.issues));
      return await run(result.output, context);
    },
  };
}

/** Without blank texts in optional fields, which models send where they mean none. */
function withoutBlanks(schema: v.GenericSchema<unknown, unknown>, input: unknown): unknown {
  if (!v.is(v.object({ entries: v.record(v.string(), v.any()) }), schema)) return input;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  const isBlank = ([name, value]: readonly [string, unknown]) =>
    typeof value === "string" && value.trim() === "" &&
    Object.hasOwn(schema.entries, name) && v.is(schema.entries[name], undefined);
  return Object.fromEntries(Object.entries(input).filter((field) => !isBlank(field)));
}
