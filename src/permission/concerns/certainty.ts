import type { Analysis } from "../../event/command.ts";
import type { Concern } from "../../event/permission.ts";

/** Find out whether the analysis can be trusted: an opaque line could run more than it shows. */
export function certaintyConcerns({ certainty, reason, span }: Analysis): readonly Concern[] {
  if (certainty !== "opaque") return [];
  return [{
    reason: reason ?? "what it runs is not certain",
    ...(span !== undefined && { span }),
  }];
}
