import type { Order } from "../event/command.ts";
import type { Analysis } from "../event/analysis.ts";
import type { Policy } from "./policy.ts";
import type { Verdict } from "./verdict.ts";

/** Looks at a line a second time: the same analysis, or an opaque one. */
export type SecondOpinion = (command: string, analysis: Analysis) => Analysis | Promise<Analysis>;

/** A verdict, and the analysis that it is about. */
export interface Judged {
  readonly analysis: Analysis;
  readonly verdict: Verdict;
}

/**
 * Judge a line, and where it would pass without a person, once more with a second opinion.
 *
 * A mode in which everything passes needs one for what is denied alone.
 */
export function judgeTwice(
  { order: { command }, analysis }: {
    readonly order: Pick<Order, "command">;
    readonly analysis: Analysis;
  },
  { policy, judge, secondOpinion }: {
    readonly policy: Policy;
    readonly judge: (analysis: Analysis) => Verdict;
    readonly secondOpinion?: SecondOpinion | undefined;
  },
): Judged | Promise<Judged> {
  const verdict = judge(analysis);
  const free = policy.mode === "bypass" && policy.deny.length === 0;
  if (verdict.decision !== "allow" || free || secondOpinion === undefined) {
    return { analysis, verdict };
  }
  const again = (other: Analysis): Judged =>
    other === analysis ? { analysis, verdict } : { analysis: other, verdict: judge(other) };
  const opinion = secondOpinion(command, analysis);
  return opinion instanceof Promise ? opinion.then(again) : again(opinion);
}
