import * as v from "valibot";
import { shownValue } from "../value/shown.ts";
import { isMissing, whyWrong } from "../value/why-wrong.ts";
import type { CallId } from "./message.ts";

/** One kind of request: what it carries, and what answers it. */
export interface RequestKind<Params, Result, Parsed = Params> {
  readonly method: string;
  readonly params: v.GenericSchema<Params, Parsed>;
  readonly result: v.GenericSchema<unknown, Result>;
}

/** How a request is made. */
export interface RequestOptions {
  /** Cancels the request when it aborts; its answer still comes. */
  readonly signal?: AbortSignal;
  /** Takes the updates before the answer; nothing more is read until it has. */
  readonly onUpdate?: (params: unknown) => Promise<void> | void;
}

/** Asks the other side of a conversation. */
export type RequestSender = <Params, Result, Parsed>(
  kind: RequestKind<Params, Result, Parsed>,
  params: Params,
  options?: RequestOptions,
) => Promise<Result>;

/** What a method knows of the request besides its parameters. */
export interface CallContext {
  readonly id: CallId | undefined;
  /** Aborts when the request is cancelled, and when the conversation ends. */
  readonly signal: AbortSignal;
  /** Ask the side that sent the request. */
  readonly request: RequestSender;
  /** Report how the request goes on; resolves once the report is on its way. */
  update(params: object): Promise<void>;
}

/** What answers the requests of one kind. */
export interface Method {
  readonly name: string;
  /** @throws {Error} With the reason when there is no result. */
  readonly call: (params: unknown, context: CallContext) => unknown;
}

/** Answer the requests of one kind; parameters are checked first. */
export function method<Params, Result, Parsed>(
  { method: name, params: schema }: RequestKind<Params, Result, Parsed>,
  handle: (params: Parsed, context: CallContext) => Result | Promise<Result>,
): Method {
  return {
    name,
    call: (params, context) => {
      const { success, output, issues } = v.safeParse(schema, params);
      if (success) return handle(output, context);
      const [issue] = issues;
      const field = v.getDotPath(issue) ?? "params";
      const unknown = issue.type === "strict_object" && issue.expected === "never";
      if (unknown) throw new Error(`Cannot answer "${name}": ${field}: there is no such field`);
      const shown = isMissing(issue) ? "" : ` ${shownValue(issue.input)}`;
      throw new Error(`Cannot answer "${name}": ${field}${shown}: ${whyWrong(issue)}`);
    },
  };
}
