import * as v from "valibot";
import type { LineChannel } from "../platform/control/line-channel.ts";
import { DisconnectedError, RefusedError } from "./conversation-errors.ts";
import {
  type CallId,
  callId,
  type Failure,
  type Message,
  plainFormat,
  type RequestMessage,
  type WireFormat,
} from "./message.ts";
import {
  type CallContext,
  type Method,
  method,
  type RequestKind,
  type RequestSender,
} from "./method.ts";
import { PendingRequests } from "./pending-requests.ts";

/** What one side of a conversation answers, and how. */
export interface ConversationOptions {
  readonly methods?: readonly Method[];
  /** Default {@linkcode plainFormat}. */
  readonly format?: WireFormat;
}

interface Call {
  readonly controller: AbortController;
  readonly answered: Promise<void>;
}

/** Requests of the other side that may wait at once. */
const MAX_CALLS = 256;
/** UTF-16 code units that may wait to be written before the next request is taken. */
const MAX_UNSENT = 1024 * 1024;

/** Ends the wait of a request. What that means is up to its method. */
const cancel: RequestKind<{ cancel: CallId }, true> = {
  method: "cancel",
  params: v.strictObject({ cancel: callId }),
  result: v.literal(true),
};

/**
 * One side of a conversation in lines of JSON: requests, answers and notifications in both
 * directions, many at a time.
 *
 * A request is answered when its method is done. `update` notifications with its id may precede the
 * answer, `cancel` ends its wait, and `closing` says that what has no answer yet had no effect. A
 * line that is no message is answered by an error without an id, and loses nothing else.
 */
export class Conversation {
  readonly #channel: LineChannel;
  readonly #format: WireFormat;
  readonly #methods: ReadonlyMap<string, Method>;
  /** Requests to the other side. */
  readonly #requests = new PendingRequests();
  /** Requests of the other side. */
  readonly #calls = new Map<CallId | symbol, Call>();
  #lastId = 0;
  #unsent = 0;
  #lastSent: Promise<void> = Promise.resolve();
  /** Why nothing can be sent. */
  #failure: unknown;
  #closing = false;
  /** Why nothing more is read. */
  #end: Error | undefined;

  constructor(
    channel: LineChannel,
    { methods = [], format = plainFormat }: ConversationOptions = {},
  ) {
    this.#channel = channel;
    this.#format = format;
    const own = method(cancel, ({ cancel }) => this.#cancel(cancel));
    this.#methods = new Map([...methods, own].map((method) => [method.name, method]));
  }

  /**
   * Take what the other side sends, until it ends.
   *
   * @throws {Error} When it cannot be read or answered any more, or an update could not be taken.
   */
  async read(): Promise<void> {
    let end: Error = new DisconnectedError();
    try {
      for await (const line of this.#channel.lines) {
        if (line.trim() !== "") await this.#take(line);
      }
    } catch (cause) {
      end = cause instanceof Error ? cause : new Error(String(cause));
      throw end;
    } finally {
      this.#end = end;
      this.#requests.rejectAll(end);
    }
  }

  /**
   * Ask the other side.
   *
   * @throws {RefusedError} When it answers with an error.
   * @throws {DisconnectedError} When the conversation ends before the answer.
   */
  readonly request: RequestSender = async (kind, params, options = {}) => {
    const { signal } = options;
    signal?.throwIfAborted();
    if (this.#end !== undefined) throw this.#end;
    const id = ++this.#lastId;
    const cancelled = () => void this.notify("cancel", { cancel: id });
    const answer = this.#requests.add(id, options);
    signal?.addEventListener("abort", cancelled, { once: true });
    try {
      void this.#send({ id, method: kind.method, params });
      return v.parse(kind.result, await answer);
    } finally {
      signal?.removeEventListener("abort", cancelled);
    }
  };

  /** Send a notification; resolves once it is on its way. */
  notify(method: string, params: unknown): Promise<void> {
    return this.#send({ method, params });
  }

  /** Resolves when every request that was taken has its answer; rejects when that cannot be sent. */
  async settled(): Promise<void> {
    while (this.#calls.size > 0) {
      await Promise.all([...this.#calls.values()].map(({ answered }) => answered));
    }
    await this.#lastSent;
  }

  /** End the wait of every request of the other side. */
  abort(): void {
    for (const { controller } of this.#calls.values()) controller.abort();
  }

  /**
   * Take no more requests, answer those that wait, say that this side ends, and close.
   *
   * @param late Resolves when that has taken long enough.
   */
  async finish(late: Promise<void>): Promise<void> {
    this.#closing = true;
    const settled = this.settled().then(() => this.notify("closing", {})).catch(() => {});
    await Promise.race([settled, late]);
    this.close();
  }

  /** End the wait of every request, and the channel. Idempotent. */
  close(): void {
    this.abort();
    this.#channel.close();
  }

  async #take(line: string): Promise<void> {
    const message = this.#read(line);
    if (message === undefined) return;
    if (!("method" in message)) return this.#requests.settle(message);
    if (message.method === "update") return await this.#requests.update(message.params);
    if (message.method === "closing") {
      const cause = new RefusedError("Cannot answer: it is closing", { closing: true });
      return this.#requests.rejectAll(cause);
    }
    if (this.#unsent > MAX_UNSENT) await this.#lastSent;
    if (this.#failure !== undefined) throw this.#failure;
    this.#begin(message);
  }

  #read(line: string): Message | undefined {
    let value: unknown;
    let form = "a message";
    try {
      value = JSON.parse(line);
      const message = this.#format.read(value);
      if (message !== undefined) return message;
    } catch {
      form = "JSON";
    }
    const shown = JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line);
    const error = { message: `Cannot read the line as ${form}: ${shown}` };
    // It may have been the answer that a request waits for.
    this.#requests.settle({ error });
    const { success, output } = v.safeParse(v.looseObject({ id: callId }), value);
    void this.#send(success ? { id: output.id, error } : { error });
    return undefined;
  }

  #begin(request: RequestMessage): void {
    const { id, method } = request;
    const found = this.#methods.get(method);
    const refuse = (state: string) => {
      const message = `Cannot answer "${method}": ${state}`;
      this.#answer(id, failed(new RefusedError(message, { closing: this.#closing })));
    };
    if (this.#closing) return refuse("this side is closing");
    if (found === undefined) return refuse("there is no such method");
    if (id !== undefined && this.#calls.has(id)) return refuse(`request ${id} still waits`);
    if (this.#calls.size >= MAX_CALLS && id !== undefined && found.name !== cancel.method) {
      return refuse(`${MAX_CALLS} requests wait already`);
    }
    const controller = new AbortController();
    const context: CallContext = {
      id,
      signal: controller.signal,
      request: this.request,
      update: (params) => this.notify("update", { ...params, id }),
    };
    const key = id ?? Symbol();
    const answered = outcomeOf(found, request.params, context).then((outcome) => {
      this.#calls.delete(key);
      this.#answer(id, outcome);
    });
    this.#calls.set(key, { controller, answered });
  }

  #answer(id: CallId | undefined, outcome: Outcome): void {
    if (id !== undefined) void this.#send({ id, ...outcome });
    else if ("error" in outcome) void this.#send(outcome);
  }

  #cancel(id: CallId): true {
    const call = this.#calls.get(id);
    if (call === undefined) {
      throw new Error(`Cannot cancel ${JSON.stringify(id)}: no such call waits`);
    }
    call.controller.abort();
    return true;
  }

  /** What it returns may be ignored: later requests report why nothing can be sent. */
  #send(message: Message): Promise<void> {
    const line = JSON.stringify(this.#format.write(message));
    this.#unsent += line.length;
    const sent = this.#channel.send(line).finally(() => {
      this.#unsent -= line.length;
    });
    sent.catch((cause) => this.#failure ??= cause);
    this.#lastSent = sent;
    return sent;
  }
}

type Outcome = { readonly result: unknown } | { readonly error: Failure };

async function outcomeOf(
  { call }: Method,
  params: unknown,
  context: CallContext,
): Promise<Outcome> {
  try {
    return { result: await call(params, context) ?? null };
  } catch (cause) {
    return failed(cause);
  }
}

function failed(cause: unknown): { readonly error: Failure } {
  const message = cause instanceof Error ? cause.message : String(cause);
  const closing = cause instanceof RefusedError && cause.closing;
  return { error: { message, ...(closing && { code: "closing" }) } };
}
