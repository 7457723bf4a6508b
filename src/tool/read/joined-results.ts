import type { ToolResult } from "../tool.ts";

/** One answer out of several, each under its title; an error only where all are. */
export function joinedResults(tool: string, results: readonly ToolResult[]): ToolResult {
  const [first, ...others] = results;
  if (first !== undefined && others.length === 0) return first;
  const headed = results.map(({ title, text, details }) =>
    `== ${details.shellId} (${details.taskId}): ${title}\n${text}`
  );
  const text = headed.join("\n\n");
  return {
    title: `${results.length} commands`,
    text,
    content: [{ audience: "both", text }],
    isError: results.length > 0 && results.every(({ isError }) => isError),
    details: { tool, commands: results.map(({ details }) => details) },
  };
}
