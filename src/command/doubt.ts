import type { Span } from "../event/command.ts";

/** Why a line could run more than its analysis shows. */
export interface Doubt {
  readonly reason: string;
  readonly span: Span;
}
