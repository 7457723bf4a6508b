import type { ShellError } from "../error/shell-error.ts";
import type { ToolResult } from "../tool.ts";

/** The answer to a call that could not be served. */
export function errorResult(tool: string, error: ShellError): ToolResult {
  const { category, message, ids } = error;
  const text = category === "invalid_input"
    ? `Invalid input (nothing was run): ${message}`
    : message;
  return {
    title: `${tool}: ${category.replaceAll("_", " ")}`,
    text,
    content: [{ audience: "both", text }],
    isError: true,
    details: {
      tool,
      ...ids,
      shell_error_category: category,
      shell_operation: tool,
      shell_diagnostic: category,
    },
  };
}
