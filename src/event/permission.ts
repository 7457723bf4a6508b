import type { CommandId, Order, Span } from "./command.ts";

declare const granted: unique symbol;

/** An order that a policy or a person let pass; only `permission/` can make one. */
export type PermittedOrder = Order & { readonly [granted]: true };

/** Names one question. */
export type AskId = string;

/** One thing to decide about a command: what it would do, and which rule or fact makes it a question. */
export interface Concern {
  readonly reason: string;
  readonly rule?: string;
  readonly span?: Span;
}

/** A person (or whoever stands for one) is asked. */
export interface PermissionAsked {
  readonly type: "permission.asked";
  readonly commandId: CommandId;
  readonly askId: AskId;
  readonly concerns: readonly Concern[];
}

/** What was answered; `session` and `always` also store a rule where one can be suggested. */
export type Answer = "once" | "session" | "always" | "deny";

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
  /** What let it pass: rules, a mode, or an answer. */
  readonly by: "rule" | "mode" | "answer";
  /** The rules that cover it. */
  readonly rules: readonly string[];
}

/** The command may not run. */
export interface PermissionDenied {
  readonly type: "permission.denied";
  readonly commandId: CommandId;
  readonly reason: string;
  readonly rule?: string;
  readonly span?: Span;
}

/** All that the folder `permission` tells of. */
export type PermissionEvent =
  | PermissionAsked
  | PermissionAnswered
  | PermissionWithdrawn
  | PermissionGranted
  | PermissionDenied;
