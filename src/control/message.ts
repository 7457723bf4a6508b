import * as v from "valibot";

/** Names a request; the side that sends it chooses the name. */
export type CallId = string | number;

/** Ask for something; without an id no answer is wanted. */
export interface RequestMessage {
  readonly id?: CallId;
  readonly method: string;
  readonly params?: unknown;
}

/** Why there is no result. */
export interface Failure {
  readonly message: string;
  /** `closing`: the other side is about to end, and the request had no effect. */
  readonly code?: "closing" | undefined;
}

/** What became of a request; an error without an id is about a line that could not be read. */
export type AnswerMessage =
  | { readonly id: CallId; readonly result: unknown }
  | { readonly id?: CallId; readonly error: Failure };

export type Message = RequestMessage | AnswerMessage;

/** How messages look as JSON values. */
export interface WireFormat {
  /** What a value has to be, for the error about one that is not. */
  readonly form: string;
  /** The message in a value; `undefined` when there is none. */
  read(value: unknown): Message | undefined;
  write(message: Message): unknown;
}

export const callId: v.GenericSchema<CallId> = v.union([v.string(), v.number()]);
const message = v.union([
  v.object({ id: v.exactOptional(callId), method: v.string(), params: v.optional(v.unknown()) }),
  v.object({
    id: v.exactOptional(callId),
    error: v.object({ message: v.string(), code: v.optional(v.picklist(["closing"])) }),
  }),
  v.object({ id: callId, result: v.unknown() }),
]);

/** `{id, method, params}`, `{id, result}` and `{id, error}`. */
export const plainFormat: WireFormat = {
  form: "a message",
  read: (value) => {
    const { success, output } = v.safeParse(message, value);
    return success ? output : undefined;
  },
  write: (message) => message,
};
