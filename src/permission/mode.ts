/**
 * How what no rule decides is judged.
 *
 * - `default`: what no allow rule covers asks; without rules, everything.
 * - `acceptEdits`: changes to files inside the workspace pass without a rule.
 * - `plan`: what is known to only read passes without a rule; everything else is denied.
 * - `dontAsk`: what would ask is denied.
 * - `bypass`: everything passes but what a rule denies.
 */
export type Mode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypass";
