import type { Answer, AskId } from "../../event/permission.ts";
import type { Question } from "../../permission/asker.ts";
import type { ToolResult } from "../../tool/tool.ts";

/** A tool call that may take several rounds of the protocol: one more for each question. */
export class McpCall {
  /** Its client takes questions. */
  readonly elicits: boolean;
  readonly #ended = new AbortController();
  readonly #result: Promise<ToolResult>;
  /** Questions that wait for their answers, in the order in which they were asked. */
  readonly #open = new Map<Question, (answer: Answer) => void>();
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
      this.#open.set(question, resolve);
      signal.addEventListener("abort", () => {
        this.#open.delete(question);
        reject(new Error("the question was withdrawn"));
      }, { once: true });
      this.#asked();
    });
  }

  /** Answer a question; one that was withdrawn meanwhile needs none. */
  answer(askId: AskId, answer: Answer): void {
    for (const [question, resolve] of this.#open) {
      if (question.askId !== askId) continue;
      this.#open.delete(question);
      resolve(answer);
    }
  }

  /** End the wait. */
  abort(): void {
    this.#ended.abort();
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
