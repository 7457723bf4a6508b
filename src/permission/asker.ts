import type { CommandId, Order } from "../event/command.ts";
import type { Answer, AskId, Concern } from "../event/permission.ts";

/** A question about one command. */
export interface Question {
  readonly askId: AskId;
  readonly commandId: CommandId;
  readonly order: Order;
  /** The line of the running command that `order.command` would be typed into. */
  readonly typedInto?: string;
  /** What it is about, in one line. */
  readonly summary: string;
  /** Why it is a question. */
  readonly concerns: readonly Concern[];
  /** The rules that the answers `session` and `always` would add. */
  readonly suggestions: readonly string[];
}

/** Answers questions; the signal aborts when a question is withdrawn. */
export type Asker = (question: Question, signal: AbortSignal) => Promise<Answer>;

/** Why a question is a denial where there is no asker. */
export const NO_ONE = "there is no one to ask";

/** Keeps rules for later runtimes. */
export interface RuleStore {
  /** The rules that were there when it was opened. */
  readonly rules: readonly string[];
  /** Keep a rule that allows, before the command it was made for goes on. */
  add(rule: string): Promise<void>;
}
