import type { CommandId } from "../../event/command.ts";
import type { Asker } from "../../permission/asker.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import type { McpCall } from "./mcp-call.ts";

/** Questions of a runtime whose answers come from the client of the call that runs the command, or types into it. */
export class McpQuestions {
  readonly #calls = new Map<CommandId, McpCall>();
  readonly #clock: Clock;

  /** @param options.clock Measures how long a question waits; default: this machine's. */
  constructor({ clock = systemClock }: { readonly clock?: Clock } = {}) {
    this.#clock = clock;
  }

  /** Asks the client; where that takes no questions, or no call waits any more, the question is denied. */
  readonly ask: Asker = async (question, signal) => {
    // A command may be asked about before its call has learned which task it is.
    await Promise.resolve();
    const call = this.#calls.get(question.commandId);
    if (call === undefined) {
      throw new Error("no call waits for the command, so the client cannot be asked");
    }
    if (!call.elicits) throw new Error("the MCP client takes no questions (elicitation)");
    return await call.ask(question, { signal, clock: this.#clock });
  };

  /** A call has started a command, or types into it; answers how to forget that. */
  started(taskId: CommandId, call: McpCall): () => void {
    this.#calls.set(taskId, call);
    return () => {
      // Another call may type into it since.
      if (this.#calls.get(taskId) === call) this.#calls.delete(taskId);
    };
  }
}
