/** Names a call; its client chooses it. */
export type CallId = string | number;

/** Call a tool; its answer is a result, also for a tool that failed. */
export interface ToolRequest {
  readonly id: CallId;
  readonly tool: string;
  readonly input?: unknown;
  /** The owner of the command, in place of the connection's. */
  readonly owner?: string;
  /** Report how its command goes on, as `update` notifications. */
  readonly updates?: boolean;
}

/** A request that is answered by success only where it has an id. */
interface Order {
  readonly id?: CallId;
}

/** End the wait of a call; its command goes on. */
export interface CancelRequest extends Order {
  readonly cancel: CallId;
}

/** Let a command, by its task or shell, go on in the background. */
export interface PromoteRequest extends Order {
  readonly promote: string;
}

/** Notices that the client knows. */
export interface AckRequest extends Order {
  readonly ack: string | readonly string[];
}

/** Answer a question. */
export interface AnswerRequest extends Order {
  /** The `askId` of the question. */
  readonly answer: string;
  readonly with: "once" | "session" | "always" | "deny";
}

/** Ask for the tools, for the notices that are due, or for the commands in the background. */
export interface GetRequest {
  readonly id: CallId;
  readonly get: "tools" | "notices" | "background";
}

/** What a client asks for; each kind is known by its field. */
export type ControlRequest =
  | ToolRequest
  | CancelRequest
  | PromoteRequest
  | AckRequest
  | AnswerRequest
  | GetRequest;
