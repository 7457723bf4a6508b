import { filter, map, merge, type Observable, Subject } from "rxjs";
import * as v from "valibot";
import type { Recorded } from "../event/event.ts";
import type { DeliveredNotice, Notices } from "../notification/notice-board.ts";
import type { ToolSuite } from "../tool/create-suite.ts";
import type { CallContext, ToolResult } from "../tool/tool.ts";
import type { ToolUpdate } from "../tool/update/tool-update.ts";
import type { OpenQuestions, QuestionNews } from "./open-questions.ts";
import type { CallId, ControlRequest, ToolRequest } from "./request.ts";
import { requestSchema } from "./request-schema.ts";

/** What became of a request. */
export type ControlAnswer =
  | { readonly id: CallId; readonly result: unknown }
  | { readonly id?: CallId; readonly error: { readonly message: string } };

/** What is sent without being asked for. */
export type ControlNotification =
  | { readonly notice: DeliveredNotice }
  | { readonly event: Recorded }
  | { readonly update: ToolUpdate & { readonly id: CallId } }
  | { readonly ask: Omit<QuestionNews & { readonly type: "asked" }, "type"> }
  | { readonly withdrawn: string };

/** Calls of one client that may wait at once. */
const MAX_CALLS = 256;

/** What a {@linkcode Dispatcher} serves. */
export interface DispatcherOptions {
  readonly tools: ToolSuite;
  readonly notices: Notices;
  /** Whose notices are sent. */
  readonly owner: string;
  /** Sent as they happen; absent: no events are. */
  readonly events?: Observable<Recorded>;
  /** Questions that the client answers; absent: the runtime denies what it would ask. */
  readonly questions?: OpenQuestions;
}

/**
 * Answers the requests of one client and emits notifications for it. It knows no transport, so that
 * lines, a socket and MCP share it.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #calls = new Map<CallId, AbortController>();
  readonly #answers = new Set<Promise<unknown>>();
  readonly #updates: Subject<ControlNotification> = new Subject();
  /** Notifications for the client, from the subscription on. */
  readonly notifications: Observable<ControlNotification>;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    const { notices, owner, events, questions } = options;
    this.notifications = merge(
      this.#updates,
      ...(events === undefined ? [] : [events.pipe(map((event) => ({ event })))]),
      ...(questions === undefined ? [] : [questions.news.pipe(map(questionNews))]),
      notices.pipe(
        filter((notice) => notice.owner === owner),
        map((notice) => ({ notice })),
      ),
    );
  }

  /** Answer one request; `undefined` where it asked for no answer and nothing is wrong. */
  dispatch(request: unknown): Promise<ControlAnswer | undefined> {
    const parsed = v.safeParse(requestSchema, request);
    const answer = parsed.success
      ? this.#answer(parsed.output).catch((cause: unknown) =>
        failed(parsed.output.id, String(cause))
      )
      : Promise.resolve(refused(request, parsed.issues));
    this.#answers.add(answer);
    return answer.finally(() => this.#answers.delete(answer));
  }

  /** Call a tool under an id that cancels it. */
  async call(
    id: CallId,
    { tool, input, ...context }: CallContext & { readonly tool: string; readonly input: unknown },
  ): Promise<ToolResult> {
    const ended = new AbortController();
    const abort = () => ended.abort();
    this.#calls.set(id, ended);
    context.signal?.addEventListener("abort", abort, { once: true });
    if (context.signal?.aborted) abort();
    try {
      return await this.#options.tools.call(tool, input, { ...context, signal: ended.signal });
    } finally {
      context.signal?.removeEventListener("abort", abort);
      this.#calls.delete(id);
    }
  }

  /** Resolves when every request has its answer. */
  async settled(): Promise<void> {
    while (this.#answers.size > 0) await Promise.allSettled(this.#answers);
  }

  /** End every wait. */
  abort(): void {
    for (const call of this.#calls.values()) call.abort();
  }

  async #answer(request: ControlRequest): Promise<ControlAnswer | undefined> {
    const { id } = request;
    const done = id === undefined ? undefined : { id, result: true };
    if ("tool" in request) return await this.#tool(request);
    if ("get" in request) return { id: request.id, result: await this.#get(request.get) };
    if ("ack" in request) {
      this.#options.notices.ack([request.ack].flat());
      return done;
    }
    if ("cancel" in request) {
      const call = this.#calls.get(request.cancel);
      call?.abort();
      return call === undefined
        ? failed(id, `Cannot cancel ${show(request.cancel)}: no such call waits`)
        : done;
    }
    if ("promote" in request) {
      const promoted = this.#options.tools.promote(request.promote);
      return promoted
        ? done
        : failed(id, `Cannot promote ${show(request.promote)}: there is no such task`);
    }
    const answered = this.#options.questions?.answer(request.answer, request.with) === true;
    return answered
      ? done
      : failed(id, `Cannot answer ${show(request.answer)}: no such question is open`);
  }

  async #tool(
    { id, tool, input, owner, updates }: ToolRequest,
  ): Promise<ControlAnswer> {
    if (this.#calls.has(id)) {
      return failed(id, `Cannot call with id ${show(id)}: a call with that id goes on`);
    }
    if (this.#calls.size >= MAX_CALLS) {
      return failed(id, `Cannot call: ${MAX_CALLS} calls wait already`);
    }
    const result = await this.call(id, {
      tool,
      input,
      ...(owner !== undefined && { owner }),
      ...(updates === true && {
        onUpdate: (update) => this.#updates.next({ update: { ...update, id } }),
      }),
    });
    return { id, result };
  }

  async #get(what: "tools" | "notices" | "background"): Promise<unknown> {
    const { tools, notices, owner } = this.#options;
    switch (what) {
      case "tools":
        return tools.tools.map(({ name, description, schema }) => ({ name, description, schema }));
      case "notices":
        return await notices.drain(owner);
      case "background":
        return notices.background(owner);
    }
  }
}

function questionNews(news: QuestionNews): ControlNotification {
  const { type, ...rest } = news;
  return type === "asked" && "command" in rest ? { ask: rest } : { withdrawn: news.askId };
}

function failed(id: CallId | undefined, message: string): ControlAnswer {
  return { ...(id !== undefined && { id }), error: { message } };
}

function refused(request: unknown, issues: readonly v.BaseIssue<unknown>[]): ControlAnswer {
  const given = typeof request === "object" && request !== null && "id" in request
    ? request.id
    : undefined;
  const id = typeof given === "string" || typeof given === "number" ? given : undefined;
  const [issue] = issues;
  const kinds = '"tool", "cancel", "promote", "ack", "answer" and "get"';
  return failed(
    id,
    `Cannot take the request: it must be an object with one of ${kinds}: ${issue?.message}`,
  );
}

function show(id: CallId): string {
  return JSON.stringify(id);
}
