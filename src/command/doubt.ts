import type { Span } from "../event/command.ts";

/** Why a line could run more than its analysis shows. */
export interface Doubt {
  readonly reason: string;
  readonly span: Span;
}

/** Doubt a part of the line. */
export function doubtAt(reason: string, at: Span): Doubt {
  return { reason, span: spanOf(at) };
}

/** Where a part of the line is, without what else is known of it. */
export function spanOf({ start, end }: Span): Span {
  return { start, end };
}
