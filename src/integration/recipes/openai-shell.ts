import { clip } from "../../text/clip.ts";
import type { ToolSuite } from "../../tool/create-tools.ts";
import type { ToolResult } from "../../tool/tool.ts";

/** The action of a call of OpenAI's own `shell` tool, as the Responses API has it. */
export interface ResponsesShellAction {
  readonly commands: readonly string[];
  readonly timeout_ms: number | null;
  readonly max_output_length?: number | null;
}

/** The same as OpenAI agents pass it. */
export interface AgentsShellAction {
  readonly commands: readonly string[];
  readonly timeoutMs?: number | undefined;
  readonly maxOutputLength?: number | undefined;
}

/**
 * How one command of an action ended, with the exit code under the name that its reader knows.
 *
 * It is no interface, which would not fit the type of agents, that takes further fields.
 */
export type ShellActionOutput<ExitCode extends "exit_code" | "exitCode"> = {
  readonly stdout: string;
  readonly stderr: string;
  readonly outcome:
    | { readonly type: "exit" } & Readonly<Record<ExitCode, number>>
    | { readonly type: "timeout" };
};

/** The shell that runs the commands of an action. */
export interface OpenAiShellOptions {
  readonly shellId: string;
  readonly signal?: AbortSignal;
}

/**
 * Run the commands of OpenAI's own `shell` tool, one after the other, in one shell.
 *
 * Both streams are in `stdout`, in their true order. A command that is not done in time goes on in
 * the background. What the exit code does not say, such as a denial, is in `stderr`, in lines that
 * begin with `shellflow:`, as a shell reports such things itself. The answer has the spelling of the action: each interface refuses, or takes for
 * the exit code 0, that of the other one.
 */
export function openAiShell(
  tools: Pick<ToolSuite, "call" | "suite">,
  action: ResponsesShellAction,
  options: OpenAiShellOptions,
): Promise<ShellActionOutput<"exit_code">[]>;
export function openAiShell(
  tools: Pick<ToolSuite, "call" | "suite">,
  action: AgentsShellAction,
  options: OpenAiShellOptions,
): Promise<ShellActionOutput<"exitCode">[]>;
export async function openAiShell(
  { call, suite }: Pick<ToolSuite, "call" | "suite">,
  action: ResponsesShellAction | AgentsShellAction,
  { shellId, signal }: OpenAiShellOptions,
): Promise<object[]> {
  const { commands } = action;
  const isOfResponses = "timeout_ms" in action;
  const [waitMs, most] = isOfResponses
    ? [action.timeout_ms, action.max_output_length]
    : [action.timeoutMs, action.maxOutputLength];
  const outputs: object[] = [];
  for (const command of commands) {
    const result = await call(suite.names.run, {
      command,
      shellId,
      ...(waitMs != null && { initial_wait: waitMs / 1_000, timeout: 0 }),
    }, { signal });
    outputs.push({
      stdout: clip(outputOf(result), most ?? Infinity),
      stderr: remarksOn(result),
      outcome: outcomeOf(result, isOfResponses ? "exit_code" : "exitCode"),
    });
  }
  return outputs;
}

/** What the command wrote; a text that says that there is nothing is longer than that. */
function outputOf({ content: [body], details: { range } }: ToolResult): string {
  if (body === undefined || range === undefined) return "";
  const isNothing = /^\(no (?:new )?output\)$/.test(body.text) && range.to < body.text.length;
  return isNothing ? "" : body.text;
}

/** What the exit code does not say: of a command that has none, and that the shell was replaced. */
function remarksOn({ content, details: { range, exitCode, shellReset } }: ToolResult): string {
  if (typeof exitCode === "number" && shellReset === undefined) return "";
  const facts = content.slice(range === undefined ? 0 : 1).map(({ text }) => text).join("\n");
  return facts.replaceAll(/^/gm, "shellflow: ");
}

function outcomeOf({ details: { status, exitCode, outcome } }: ToolResult, name: string): object {
  const late = status === "working" || outcome === "timedOut" || outcome === "idleTimedOut";
  // Denials and invalid input have no exit code; a shell reports 126 for what may not run.
  return late ? { type: "timeout" } : { type: "exit", [name]: exitCode ?? 126 };
}
