import * as v from "valibot";
import { RefusedError } from "./conversation-errors.ts";
import { type AnswerMessage, type CallId, callId } from "./message.ts";
import type { RequestOptions } from "./method.ts";

interface Pending extends Pick<RequestOptions, "onUpdate"> {
  resolve(result: unknown): void;
  reject(cause: Error): void;
}

/** Requests that wait for the answer of the other side. */
export class PendingRequests {
  readonly #pending = new Map<CallId, Pending>();

  /** Resolves with the result of a request that is about to be sent. */
  add(id: CallId, { onUpdate }: RequestOptions): Promise<unknown> {
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, ...(onUpdate && { onUpdate }) });
    });
    return answer.finally(() => this.#pending.delete(id));
  }

  /** Resolves once the request that an update is about has taken it. */
  async update(params: unknown): Promise<void> {
    const { success, output } = v.safeParse(v.looseObject({ id: callId }), params);
    if (success) await this.#pending.get(output.id)?.onUpdate?.(params);
  }

  /** An error without an id may be about any of them. */
  settle(answer: AnswerMessage): void {
    if (!("error" in answer)) return this.#pending.get(answer.id)?.resolve(answer.result);
    const { id, error: { message, code } } = answer;
    const cause = new RefusedError(message, { closing: code === "closing" });
    if (id === undefined) this.rejectAll(cause);
    else this.#pending.get(id)?.reject(cause);
  }

  rejectAll(cause: Error): void {
    for (const { reject } of this.#pending.values()) reject(cause);
  }
}
