import * as v from "valibot";
import { messageOf } from "../platform/failure.ts";
import { RefusedError } from "./conversation-errors.ts";
import { type CallId, callId, type Failure, type RequestMessage } from "./message.ts";
import { type CallContext, type Method, method, type RequestKind } from "./method.ts";

/** What became of a call. */
export type Outcome = { readonly result: unknown } | { readonly error: Failure };

interface Call {
  readonly controller: AbortController;
  readonly answered: Promise<void>;
}

const MAX_CALLS = 256;

/** Ends the wait of a call. What that means is up to its method. */
const cancel: RequestKind<{ cancel: CallId }, true> = {
  method: "cancel",
  params: v.strictObject({ cancel: callId }),
  result: v.literal(true),
};

/** The requests of the other side that wait for their methods. */
export class Calls {
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #waiting = new Map<CallId | symbol, Call>();

  constructor(methods: readonly Method[]) {
    const all = [...methods, method(cancel, ({ cancel }) => this.#cancel(cancel))];
    this.#methods = new Map(all.map((method) => [method.name, method]));
  }

  /** Call a method; `answer` is called once. */
  begin(
    { id, method, params }: RequestMessage,
    peer: Pick<CallContext, "request" | "update">,
    answer: (outcome: Outcome) => void,
  ): void {
    const found = this.#methods.get(method);
    const refuse = (state: string) => answer(failed(`Cannot answer "${method}": ${state}`));
    if (found === undefined) return refuse("there is no such method");
    if (id !== undefined && this.#waiting.has(id)) return refuse(`request ${id} still waits`);
    if (this.#waiting.size >= MAX_CALLS && id !== undefined && method !== cancel.method) {
      return refuse(`${MAX_CALLS} requests wait already`);
    }
    const controller = new AbortController();
    const key = id ?? Symbol();
    const context = { ...peer, id, signal: controller.signal };
    const answered = outcomeOf(found, params, context).then((outcome) => {
      this.#waiting.delete(key);
      answer(outcome);
    });
    this.#waiting.set(key, { controller, answered });
  }

  /** Resolves when every call is answered. */
  async settled(): Promise<void> {
    while (this.#waiting.size > 0) {
      await Promise.all([...this.#waiting.values()].map(({ answered }) => answered));
    }
  }

  abort(): void {
    for (const { controller } of this.#waiting.values()) controller.abort();
  }

  #cancel(id: CallId): true {
    const call = this.#waiting.get(id);
    if (call === undefined) {
      throw new Error(`Cannot cancel ${JSON.stringify(id)}: no such call waits`);
    }
    call.controller.abort();
    return true;
  }
}

/** The outcome of a call that failed. */
export function failed(message: string, closing = false): { readonly error: Failure } {
  return { error: { message, ...(closing && { code: "closing" }) } };
}

async function outcomeOf(
  { call }: Method,
  params: unknown,
  context: CallContext,
): Promise<Outcome> {
  try {
    return { result: await call(params, context) ?? null };
  } catch (cause) {
    if (cause instanceof RefusedError) return failed(cause.message, cause.closing);
    return failed(messageOf(cause));
  }
}
