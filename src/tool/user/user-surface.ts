import { firstValueFrom } from "rxjs";
import * as v from "valibot";
import type { CommandId } from "../../event/command.ts";
import { checkFields } from "../../value/check-fields.ts";
import { defined } from "../../value/defined.ts";
import { hasEnded } from "../../task/task-view.ts";
import { resolveUrls } from "../artifact/urls.ts";
import type { Suite } from "../configuration.ts";
import { contextFields } from "../context-fields.ts";
import type { ToolSuite } from "../create-tools.ts";
import { knownTask } from "../../runtime/call/known-task.ts";
import { answered } from "../error/answered.ts";
import { startCommand } from "../run/start-command.ts";
import { LONGEST_USER_LINE } from "../render/render.ts";
import { bodyOf } from "../result/body.ts";
import { commandResult } from "../result/command-result.ts";
import type { CallContext, ToolResult } from "../tool.ts";
import { followTask } from "../update/follow-task.ts";
import { waitFor } from "../wait/wait.ts";

/** When the output of a person's command joins the conversation with the model. */
export type JoinRule = "always" | "onFailure" | "ask" | "never";

/** How one kind of a person's commands is run. */
export interface UserRecipe {
  readonly joins: JoinRule;
  /** Variables of the command. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The kinds of commands that people type beside a conversation. */
export const USER_RECIPES: Readonly<Record<"run" | "test" | "lint" | "git", UserRecipe>> = {
  run: { joins: "ask" },
  test: { joins: "onFailure" },
  lint: { joins: "onFailure" },
  git: { joins: "never", env: { GIT_EDITOR: "true" } },
};

/** What became of a person's command. */
export interface UserCommandResult {
  /** As of a tool that is called `user`. */
  readonly result: ToolResult;
  /** Whether the output joins the conversation; `ask`: the person decides. */
  readonly joins: boolean | "ask";
  /** What would join, with the command before it. */
  readonly message: string;
  /** How much that is for the model: a quarter of its characters, as an estimate. */
  readonly tokens: number;
}

/** How a person's command is run. */
export interface UserCommandOptions extends CallContext {
  /** Default {@linkcode USER_RECIPES}`.run`. */
  readonly recipe?: UserRecipe;
  /** Where it runs; default the directory of its shell. */
  readonly cwd?: string;
  /** The shell that it runs in; default a new one. */
  readonly shellId?: string;
}

const schema = v.strictObject({
  ...contextFields,
  recipe: v.optional(v.strictObject({
    joins: v.picklist(["always", "onFailure", "ask", "never"]),
    env: v.optional(v.record(v.string(), v.string())),
  })),
  cwd: v.optional(v.string()),
  shellId: v.optional(v.string()),
});

const lineSchema = v.strictObject({ command: v.string() });
const CANNOT = "Cannot run what the user typed with";

/** A wait that only the end of the command, its promotion or its caller ends. */
const FOR_EVER_SECONDS = 10 ** 9;

/**
 * Run what a person typed, as `!cmd` or by a recipe, and wait for its end. An abort stops it.
 *
 * @throws {TypeError} When the line or an option cannot be used, before anything runs.
 * @throws {SyntaxError} When an expression of the option `filters` is none, before anything runs.
 */
export async function runForUser(
  { suite }: Pick<ToolSuite, "suite">,
  command: string,
  options: UserCommandOptions = {},
): Promise<UserCommandResult> {
  checkFields(schema, options, CANNOT);
  checkFields(lineSchema, { command }, CANNOT);
  await suite.filters();
  const { recipe = USER_RECIPES.run, shellId, signal, owner = "user" } = options;
  const typed = { command, ...defined({ cwd: options.cwd, env: recipe.env }) };
  const request = await resolveUrls(suite, typed).catch((cause: unknown) => ({ cause }));
  if ("cause" in request) {
    const result = await answered("user", () => Promise.reject(request.cause));
    return surfaced(command, result, recipe);
  }
  const { command: line, ...variables } = request;
  const taskId = startCommand(suite, line, {
    shellId,
    owner,
    origin: "user",
    timeoutMs: 0,
    ...variables,
  });
  const endUpdates = followTask(suite.runtime, taskId, options);
  try {
    const end = await firstValueFrom(waitFor(suite, taskId, {
      until: { type: "exit" },
      seconds: FOR_EVER_SECONDS,
      signal,
      foreground: true,
    }));
    if (end.type === "aborted") await suite.runtime.stop(taskId);
    return surfaced(command, await resultOf(suite, taskId), recipe);
  } finally {
    await endUpdates();
  }
}

function surfaced(
  command: string,
  result: ToolResult,
  { joins }: UserRecipe,
): UserCommandResult {
  const message = `The user ran: ${command}\n${result.text}`;
  const tokens = Math.ceil(message.length / 4);
  return { result, joins: joinsBy(joins, result), message, tokens };
}

/** The last command of a person with its output, as context for a model; `undefined` without one. */
export async function lastUserOutput(
  { suite }: Pick<ToolSuite, "suite">,
): Promise<string | undefined> {
  const { byId } = suite.runtime.tasks.current;
  const task = byId.findLast((task) => task.origin === "user" && hasEnded(task));
  if (task === undefined) return undefined;
  return `The user ran: ${task.command}\n${(await resultOf(suite, task.id)).text}`;
}

async function resultOf(suite: Suite, taskId: CommandId): Promise<ToolResult> {
  const task = knownTask(suite.runtime.tasks, "answer for", taskId);
  const body = await bodyOf(suite, taskId, { from: 0, maxLineColumns: LONGEST_USER_LINE });
  return commandResult(suite, { tool: "user", task, body });
}

function joinsBy(rule: JoinRule, { isError, details }: ToolResult): boolean | "ask" {
  if (rule === "onFailure") return isError || details.exitCode !== 0;
  return rule === "ask" ? rule : rule === "always";
}
