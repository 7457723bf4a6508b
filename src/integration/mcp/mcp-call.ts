import type { Answer, AskId } from "../../event/permission.ts";
import type { Question } from "../../permission/asker.ts";
import type { ToolResult } from "../../tool/tool.ts";

interface Pending {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (cause: Error) => void;
  /** Aborts once the question needs no answer any more. */
  readonly over: AbortController;
}

/** A tool call that may take several rounds of the protocol: one more for each question. */
export class McpCall {
  /** Its client takes questions. */
  readonly elicits: boolean;
  readonly #ended = new AbortController();
  readonly #result: Promise<ToolResult>;
  /** Questions that wait for their answers, in the order in which they were asked. */
  readonly #open = new Map<Question, Pending>();
  #asked: () => void = () => {};

  /** @param run Runs the tool; its signal ends the wait. */
  constructor(
    elicits: boolean,
    run: (call: McpCall, signal: AbortSignal) => Promise<ToolResult>,
  ) {
    this.elicits = elicits;
    this.#result = run(this, this.#ended.signal);
  }

  /** Wait for the answer of the client. */
  ask(question: Question, signal: AbortSignal): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      this.#ended.signal.throwIfAborted();
      this.#open.set(question, { resolve, reject, over: new AbortController() });
      signal.addEventListener("abort", () => this.fail(question, "the question was withdrawn"), {
        once: true,
      });
      this.#asked();
    });
  }

  /** Aborts once an open question needs no answer any more. */
  overOf(question: Question): AbortSignal | undefined {
    return this.#open.get(question)?.over.signal;
  }

  /** Answer a question; one that was withdrawn meanwhile needs none. */
  answer(askId: AskId, answer: Answer): void {
    for (const question of this.#open.keys()) {
      if (question.askId === askId) this.#close(question)?.resolve(answer);
    }
  }

  /** No answer to a question will come, which denies it. */
  fail(question: Question, reason: string): void {
    this.#close(question)?.reject(new Error(reason));
  }

  /** End the wait; no question is answered any more. */
  abort(): void {
    this.#ended.abort();
    for (const question of this.#open.keys()) this.fail(question, "its call was cancelled");
  }

  #close(question: Question): Pending | undefined {
    const pending = this.#open.get(question);
    this.#open.delete(question);
    pending?.over.abort();
    return pending;
  }

  /** Resolves with the result, or with a question once there is one. */
  async step(): Promise<ToolResult | Question> {
    for (;;) {
      for (const question of this.#open.keys()) return question;
      const asked = new Promise<undefined>((resolve) => {
        this.#asked = () => resolve(undefined);
      });
      const result = await Promise.race([this.#result, asked]);
      if (result !== undefined) return result;
    }
  }
}
