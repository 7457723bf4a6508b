import type { ToolSuite } from "../../tool/create-tools.ts";
import type { ToolResult } from "../../tool/tool.ts";

/** The action of a call of OpenAI's own `shell` tool; agents write the names in camel case. */
export interface ShellAction {
  readonly commands: readonly string[];
  readonly timeout_ms?: number | null;
  readonly timeoutMs?: number;
  readonly max_output_length?: number | null;
  readonly maxOutputLength?: number;
}

/** How one command of an action ended. */
export interface ShellActionOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly outcome: { readonly type: "exit"; readonly exit_code: number } | {
    readonly type: "timeout";
  };
}

/**
 * Run the commands of OpenAI's own `shell` tool, one after the other, in one shell.
 *
 * Both streams are in `stdout`, in their true order. A command that is not done in time goes on in
 * the background.
 */
export async function openAiShell(
  { call, suite }: Pick<ToolSuite, "call" | "suite">,
  { commands, timeout_ms, timeoutMs, max_output_length, maxOutputLength }: ShellAction,
  { shellId, signal }: { readonly shellId: string; readonly signal?: AbortSignal },
): Promise<ShellActionOutput[]> {
  const waitMs = timeout_ms ?? timeoutMs;
  const longest = max_output_length ?? maxOutputLength ?? Infinity;
  const outputs: ShellActionOutput[] = [];
  for (const command of commands) {
    const result = await call(suite.names.run, {
      command,
      shellId,
      ...(waitMs != null && { initial_wait: waitMs / 1_000, timeout: 0 }),
    }, { signal });
    const [body = result.text, ...facts] = result.content.map(({ text }) => text);
    outputs.push({
      stdout: body.slice(0, longest),
      stderr: result.isError || result.details.status === "working" ? facts.join("\n") : "",
      outcome: outcomeOf(result),
    });
  }
  return outputs;
}

function outcomeOf({ details: { status, exitCode, outcome } }: ToolResult) {
  const late = status === "working" || outcome === "timedOut" || outcome === "idleTimedOut";
  if (late) return { type: "timeout" as const };
  // Denials and invalid input have no exit code; a shell reports 126 for what may not run.
  return { type: "exit" as const, exit_code: exitCode ?? 126 };
}
