import type { QuestionChange } from "../../control/open-questions.ts";
import type { AskId } from "../../event/permission.ts";
import type { ToolResult } from "../../tool/tool.ts";

/** A question that a call waits for. */
export type CallQuestion = QuestionChange & { readonly type: "asked" };

/** A tool call that may take several rounds of the protocol: one more for each question. */
export class McpCall {
  /** Its client takes questions. */
  readonly elicits: boolean;
  readonly #ended = new AbortController();
  readonly #result: Promise<ToolResult>;
  #questions: readonly CallQuestion[] = [];
  #wake: () => void = () => {};

  /** @param run Runs the tool; its signal ends the wait. */
  constructor(
    elicits: boolean,
    run: (call: McpCall, signal: AbortSignal) => Promise<ToolResult>,
  ) {
    this.elicits = elicits;
    this.#result = run(this, this.#ended.signal);
  }

  /** The question to be answered next. */
  get question(): CallQuestion | undefined {
    return this.#questions[0];
  }

  /** A question was asked or withdrawn. */
  next(change: QuestionChange): void {
    this.answered(change.askId);
    if (change.type === "asked") this.#questions = [...this.#questions, change];
    this.#wake();
  }

  /** A question needs no answer any more. */
  answered(askId: AskId): void {
    this.#questions = this.#questions.filter((question) => question.askId !== askId);
  }

  /** End the wait. */
  abort(): void {
    this.#ended.abort();
  }

  /** Resolves with the result, or with `undefined` once there is a question. */
  async step(): Promise<ToolResult | undefined> {
    while (this.#questions.length === 0) {
      const asked = new Promise<undefined>((resolve) => {
        this.#wake = () => resolve(undefined);
      });
      const result = await Promise.race([this.#result, asked]);
      if (result !== undefined) return result;
    }
    return undefined;
  }
}
