import type { CommandId, Order } from "./command.ts";
import type { Span } from "./analysis.ts";

declare const granted: unique symbol;

/** An order that a policy or an answer allows; only `permission/` can make one. */
export type PermittedOrder = Order & { readonly [granted]: true };

/** Names one question. */
export type AskId = string;

/** One thing to decide about a command: what it would do, and which rule or fact makes it a question. */
export interface Concern {
  readonly reason: string;
  readonly rule?: string;
  readonly span?: Span;
  /** The name by which a policy accepts it. */
  readonly danger?: string;
}

/** A question was put to the asker. */
export interface PermissionAsked {
  readonly type: "permission.asked";
  readonly commandId: CommandId;
  readonly askId: AskId;
  readonly concerns: readonly Concern[];
}

/**
 * An answer to a question; `session` and `always` also add a rule where one can be suggested, and
 * `always` stores it.
 */
export type Answer =
  | "once"
  | "session"
  | "always"
  | "deny"
  | { readonly type: "once" | "session" | "always" }
  | { readonly type: "deny"; readonly reason?: string | undefined };

/** The question was answered. */
export interface PermissionAnswered {
  readonly type: "permission.answered";
  readonly commandId: CommandId;
  readonly askId: AskId;
  readonly answer: Answer;
}

/** The question went away without an answer. */
export interface PermissionWithdrawn {
  readonly type: "permission.withdrawn";
  readonly commandId: CommandId;
  readonly askId: AskId;
  readonly reason: string;
}

/** The command may run. */
export interface PermissionGranted {
  readonly type: "permission.granted";
  readonly commandId: CommandId;
  readonly order: PermittedOrder;
  /** What allowed it: rules, a mode, or an answer. */
  readonly by: "rule" | "mode" | "answer";
  /** The rules that cover it. */
  readonly rules: readonly string[];
}

/** The command may not run. */
export interface PermissionDenied {
  readonly type: "permission.denied";
  readonly commandId: CommandId;
  readonly reason: string;
  /** The tool of the agent that serves it better, where that is the reason. */
  readonly tool?: string;
  readonly rule?: string;
  readonly span?: Span;
}

/** The events of the folder `permission`. */
export type PermissionEvent =
  | PermissionAsked
  | PermissionAnswered
  | PermissionWithdrawn
  | PermissionGranted
  | PermissionDenied;
