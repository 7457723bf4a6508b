import type { RuntimeEvent } from "../../event/event.ts";
import type { CommandId } from "../../event/command.ts";
import type { Executor, InputMessage } from "../../execution/executor.ts";
import { messageOf } from "../../platform/failure.ts";
import { hasEnded, type Task } from "../../task/task-view.ts";
import {
  checkInput,
  type CommandInput,
  encodeInput,
  InputError,
  type InputOptions,
  lineText,
} from "./command-input.ts";
import { Typing, type TypingOptions } from "./typing.ts";

/** What input needs of a runtime. */
export interface InputsOptions extends TypingOptions {
  readonly executor: Pick<Executor, "readers" | "screen">;
  readonly task: (what: string, taskId: CommandId) => Task;
  readonly send: (
    taskId: CommandId,
    message: InputMessage,
    taken: RuntimeEvent,
  ) => Promise<boolean>;
}

/** Writes input to running commands. */
export class Inputs {
  readonly #options: InputsOptions;
  readonly typing: Typing;

  constructor(options: InputsOptions) {
    this.#options = options;
    this.typing = new Typing(options);
  }

  async write(
    taskId: CommandId,
    input: CommandInput,
    options: InputOptions,
  ): Promise<void> {
    checkInput(taskId, input, options);
    const { end = false, origin = "model" } = options;
    const encoded = () => encodeInput(input, this.#options.executor.screen?.(taskId)?.modes);
    try {
      encoded();
    } catch (cause) {
      throw new TypeError(`Cannot write to "${taskId}" with input: ${messageOf(cause)}`, { cause });
    }
    const task = this.#running(taskId);
    if (origin === "model") await this.typing.check(task, lineText(input));
    // After a question, its terminal may have other modes.
    const { bytes, ends } = encoded();
    const ended = end || ends;
    if (bytes.length === 0 && !ended) return;
    const password = this.#running(taskId).waitingForInput?.password === true;
    await new Promise<void>((resolve, reject) => {
      this.#options.send(taskId, {
        type: "input",
        bytes,
        ...(ended && { end: true }),
        written: (failure) => {
          if (failure === undefined) return resolve();
          const why = "it ended, or closed its input, before it had read all";
          reject(new InputError(taskId, "cutOff", why, failure));
        },
      }, {
        type: "command.inputWritten",
        commandId: taskId,
        ...(!password && { bytes: bytes.length }),
        ...(ended && { end: true }),
      }).then((taken) => {
        if (!taken) {
          const why = "it takes no more input: its end was written, or too much waits for it";
          reject(new InputError(taskId, "takesNoInput", why));
        }
      });
    });
  }

  #running(taskId: CommandId): Task {
    const task = this.#options.task("write to", taskId);
    if (hasEnded(task)) throw new InputError(taskId, "notRunning", "it has ended");
    if (task.takesInput !== true) {
      const why = 'it takes no input; start it with "input" or "pty"';
      throw new InputError(taskId, "takesNoInput", why);
    }
    if (task.status === "running") return task;
    throw new InputError(taskId, "notRunning", "it has not started");
  }
}
