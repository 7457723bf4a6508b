import type { Answer } from "../../event/permission.ts";
import type { Question } from "../../permission/asker.ts";
import type { Clock } from "../../platform/clock.ts";
import type { ToolResult } from "../../tool/tool.ts";

/** A question without an answer is denied after this time: by the newer protocol, a client that gives up its call does not say so. */
const ANSWER_TIMEOUT_MS = 600_000;

const WITHDRAWN = "the question was withdrawn";

/** A question that waits for its answer; once it has one, or none can come, another one changes nothing. */
export interface OpenQuestion {
  readonly question: Question;
  /** Aborts once it needs no answer any more. */
  readonly over: AbortSignal;
  answer(answer: Answer): void;
  /** No answer will come, which denies it. */
  fail(reason: string): void;
}

/** A tool call that may take several rounds of the protocol: one more for each question. */
export class McpCall {
  /** Its client takes questions. */
  readonly elicits: boolean;
  readonly #ended = new AbortController();
  readonly #result: Promise<ToolResult>;
  /** In the order in which they were asked. */
  readonly #open = new Set<OpenQuestion>();
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
  ask(
    question: Question,
    { signal, clock }: { readonly signal: AbortSignal; readonly clock: Clock },
  ): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      this.#ended.signal.throwIfAborted();
      if (signal.aborted) throw new Error(WITHDRAWN);
      const over = new AbortController();
      const close = () => {
        this.#open.delete(open);
        over.abort();
        cancel();
      };
      const open: OpenQuestion = {
        question,
        over: over.signal,
        answer: (answer) => {
          close();
          resolve(answer);
        },
        fail: (reason) => {
          close();
          reject(new Error(reason));
        },
      };
      const late = `the client gave no answer in ${ANSWER_TIMEOUT_MS / 60_000} minutes`;
      const cancel = clock.after(ANSWER_TIMEOUT_MS, () => open.fail(late));
      signal.addEventListener("abort", () => open.fail(WITHDRAWN), { once: true });
      this.#open.add(open);
      this.#asked();
    });
  }

  /** End the wait; no question is answered any more. */
  abort(): void {
    this.#ended.abort();
    for (const open of this.#open) open.fail("its call was cancelled");
  }

  /** Resolves with the result, or with a question once there is one. */
  async step(): Promise<ToolResult | OpenQuestion> {
    for (;;) {
      for (const open of this.#open) return open;
      const asked = new Promise<undefined>((resolve) => {
        this.#asked = () => resolve(undefined);
      });
      const result = await Promise.race([this.#result, asked]);
      if (result !== undefined) return result;
    }
  }
}
