import * as v from "valibot";
import { hasEnded, type Task } from "../../task/task-view.ts";
import type { Suite } from "../configuration.ts";
import { findTask, notWritable } from "../error/find-task.ts";
import { ShellError } from "../error/shell-error.ts";
import { amount, flag, shellId, text } from "../input-fields.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { InputError } from "../../runtime/terminal/command-input.ts";
import { unlessAborted } from "../wait/unless-aborted.ts";
import { parseUntil } from "../wait/until.ts";
import { readTool } from "../read/read-tool.ts";
import { runnable, type RunnableTool } from "../runnable.ts";
import type { CallContext, ToolResult } from "../tool.ts";

function schemaOf({ maxWaitSeconds }: Suite) {
  return v.strictObject({
    shellId: v.pipe(shellId, v.description("The shell or task.")),
    input: v.pipe(
      v.string(),
      v.nonEmpty("it is empty"),
      v.description(
        "Text and keys: {enter} {tab} {esc} {up} {down} {left} {right} {backspace} {ctrl-c} {ctrl-d}.",
      ),
    ),
    raw: flag("Take braces as text."),
    delay: amount(`Seconds to wait for its answer, 0 to ${maxWaitSeconds}, default 2.`),
    until: text('What to wait for: "output" (default), "exit", "input" or "/regular expression/".'),
  });
}

/** Send input to a running command, then show what it answers. */
export function writeTool(suite: Suite): RunnableTool {
  return runnable(schemaOf(suite), (input, context) => type(suite, input, context));
}

async function type(
  suite: Suite,
  { shellId, input, raw, delay, until }: v.InferOutput<ReturnType<typeof schemaOf>>,
  context: CallContext,
): Promise<ToolResult> {
  const { runtime, names } = suite;
  const task = findTask(suite, shellId);
  if (hasEnded(task) || task.detached !== undefined) throw notWritable(suite, task);
  // What is typed cannot be taken back.
  if (until !== undefined) await parseUntil(until);
  if (context.signal?.aborted) {
    throw new ShellError(
      "stopped",
      `Cannot write to "${shellId}": the call was aborted before it began`,
    );
  }
  context.onTask?.(task.id);
  try {
    const written = write(runtime, task, raw ? input : { keys: input });
    // A question about it may have no answer for long.
    await unlessAborted(written, context.signal, () => {
      const { id: taskId, sessionId: shellId } = task;
      const message =
        `Cannot wait until "${shellId}" has its input: the call was aborted; an open question about it can still be answered`;
      return new ShellError("stopped", message, { taskId, shellId });
    });
  } catch (cause) {
    throw refused(suite, runtime.tasks.current.byId.get(task.id) ?? task, cause);
  }
  const read = {
    shellId: task.id,
    delay: delay ?? (until === undefined ? 2 : undefined),
    // A terminal shows at once what is typed: its program has answered when it waits again.
    until: until ?? (task.sizes === undefined ? undefined : "input"),
  };
  const result = await readTool(suite).run(read, context);
  return { ...result, details: { ...result.details, tool: names.write } };
}

/** Type into a command; without a terminal nothing makes a signal of the key that interrupts. */
async function write(
  runtime: Runtime,
  { id, takesInput, sizes }: Task,
  input: string | { readonly keys: string },
): Promise<void> {
  const interrupts = typeof input === "object" && input.keys.toLowerCase() === "{ctrl-c}";
  if (interrupts && takesInput && sizes === undefined) return runtime.signal(id, "SIGINT");
  await runtime.input(id, input);
}

/** The error of a command that did not get its input. */
function refused(suite: Suite, task: Task, cause: unknown): unknown {
  if (cause instanceof TypeError) return new ShellError("invalid_input", cause.message);
  if (!(cause instanceof InputError)) return cause;
  if (hasEnded(task)) return notWritable(suite, task);
  const { id: taskId, sessionId: shellId } = task;
  const { refusal, message } = cause;
  if (refusal !== "takesNoInput") {
    return new ShellError(CODES[refusal], message, { taskId, shellId });
  }
  const ways = suite.capabilities.terminal ? '"input": true or "pty": true' : '"input": true';
  return new ShellError(
    "takes_no_input",
    `Cannot write to "${shellId}": its command ${taskId} takes no input; start it with ${ways}`,
    { taskId, shellId },
  );
}

const CODES = { denied: "denied", notRunning: "busy", cutOff: "takes_no_input" } as const;
