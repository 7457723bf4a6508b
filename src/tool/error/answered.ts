import { messageOf } from "../../platform/failure.ts";
import { ClosedError } from "../../runtime/closed-error.ts";
import { RequestError } from "../../runtime/call/request.ts";
import type { ToolResult } from "../tool.ts";
import { ShellError, type ShellErrorCategory } from "./shell-error.ts";

/** Answer a call, also where it cannot be served. */
export async function answered(tool: string, call: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof ShellError) return errorResult(tool, cause);
    return errorResult(tool, new ShellError(categoryOf(cause), messageOf(cause)));
  }
}

function categoryOf(cause: unknown): ShellErrorCategory {
  if (cause instanceof RequestError) return "invalid_input";
  return cause instanceof ClosedError ? "stopped" : "internal";
}

function errorResult(tool: string, error: ShellError): ToolResult {
  const { category, message, task } = error;
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
      ...task,
      shell_error_category: category,
      shell_operation: tool,
      shell_diagnostic: task.outcome === undefined ? category : `${category}: ${task.outcome}`,
    },
  };
}
