import * as v from "valibot";
import { defined } from "../value/defined.ts";
import { asError } from "../platform/failure.ts";
import type { LineChannel } from "../platform/control/line-channel.ts";
import { Calls, failed, type Outcome } from "./calls.ts";
import { DisconnectedError, RefusedError } from "./conversation-errors.ts";
import {
  type AnswerMessage,
  type CallId,
  callId,
  type Message,
  plainFormat,
  type RequestMessage,
  type WireFormat,
} from "./message.ts";
import type { CallContext, Method, RequestOptions, RequestSender } from "./method.ts";

interface Pending extends Pick<RequestOptions, "onUpdate"> {
  readonly resolve: (result: unknown) => void;
  readonly reject: (cause: Error) => void;
}

const withId = v.looseObject({ id: callId });

/** UTF-16 code units that may wait to be written before the next request is taken. */
const MAX_UNSENT = 1024 * 1024;

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
  /** Requests that wait for the answer of the other side. */
  readonly #pending = new Map<CallId, Pending>();
  readonly #calls: Calls;
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
    { methods = [], format = plainFormat }: {
      readonly methods?: readonly Method[];
      readonly format?: WireFormat;
    } = {},
  ) {
    this.#channel = channel;
    this.#format = format;
    this.#calls = new Calls(methods);
  }

  /** Take what the other side sends, until it ends. */
  async read(): Promise<void> {
    let end: Error = new DisconnectedError();
    try {
      for await (const line of this.#channel.lines) {
        if (line.trim() !== "") await this.#take(line);
      }
    } catch (cause) {
      end = asError(cause);
      throw end;
    } finally {
      this.#end = end;
      this.#rejectAll(end);
    }
  }

  /**
   * Ask the other side.
   *
   * @throws {RefusedError} When it answers with an error.
   * @throws {DisconnectedError} When the conversation ends before the answer.
   */
  readonly request: RequestSender = async (kind, params, { signal, onUpdate } = {}) => {
    signal?.throwIfAborted();
    if (this.#end !== undefined) throw this.#end;
    const id = ++this.#lastId;
    // With an id of its own, as it may arrive after the answer, and fails then.
    const cancelled = () =>
      void this.#send({ id: ++this.#lastId, method: "cancel", params: { cancel: id } });
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, ...defined({ onUpdate }) });
    });
    signal?.addEventListener("abort", cancelled, { once: true });
    try {
      void this.#send({ id, method: kind.method, params });
      return v.parse(kind.result, await answer);
    } finally {
      this.#pending.delete(id);
      signal?.removeEventListener("abort", cancelled);
    }
  };

  /** Send a notification; resolves once it is on its way. */
  notify(method: string, params: unknown): Promise<void> {
    return this.#send({ method, params });
  }

  /** Resolves when every request that was taken has its answer; rejects when that cannot be sent. */
  async settled(): Promise<void> {
    await this.#calls.settled();
    await this.#lastSent;
  }

  /** End the wait of every request of the other side. */
  abort(): void {
    this.#calls.abort();
  }

  /** Take no more requests, answer those that wait, say that this side ends, and close. */
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
    if (!("method" in message)) return this.#settle(message);
    if (message.method === "update") return await this.#update(message.params);
    if (message.method === "closing") {
      const cause = new RefusedError("Cannot answer: it is closing", { closing: true });
      return this.#rejectAll(cause);
    }
    if (this.#unsent > MAX_UNSENT) await this.#lastSent;
    if (this.#failure !== undefined) throw this.#failure;
    this.#begin(message);
  }

  #read(line: string): Message | undefined {
    let value: unknown;
    let { form } = this.#format;
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
    this.#settle({ error });
    const { success, output } = v.safeParse(withId, value);
    void this.#send(success ? { id: output.id, error } : { error });
    return undefined;
  }

  #begin(request: RequestMessage): void {
    const { id, method } = request;
    const answer = (outcome: Outcome) => {
      if (id !== undefined) void this.#send({ id, ...outcome });
      else if ("error" in outcome) void this.#send(outcome);
    };
    if (this.#closing) {
      return answer(failed(`Cannot answer "${method}": this side is closing`, true));
    }
    const update: CallContext["update"] = (params) => this.notify("update", { ...params, id });
    this.#calls.begin(request, { request: this.request, update }, answer);
  }

  /** Resolves once the request that an update is about has taken it. */
  async #update(params: unknown): Promise<void> {
    const { success, output } = v.safeParse(withId, params);
    if (success) await this.#pending.get(output.id)?.onUpdate?.(params);
  }

  /** An error without an id may be about any of them. */
  #settle(answer: AnswerMessage): void {
    if (!("error" in answer)) return this.#pending.get(answer.id)?.resolve(answer.result);
    const { id, error: { message, code } } = answer;
    const cause = new RefusedError(message, { closing: code === "closing" });
    if (id === undefined) this.#rejectAll(cause);
    else this.#pending.get(id)?.reject(cause);
  }

  #rejectAll(cause: Error): void {
    for (const { reject } of this.#pending.values()) reject(cause);
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
