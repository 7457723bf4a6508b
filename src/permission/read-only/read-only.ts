import type { Analysis } from "../../event/command.ts";
import type { Concern } from "../../event/permission.ts";
import { certaintyConcerns } from "../concerns/certainty.ts";
import { strippedForm } from "../rules/forms.ts";
import { shownWords } from "../words.ts";
import { onlyReads } from "./table.ts";

/** Find what changes anything; plan mode runs only lines without it. */
export function readOnlyConcerns(analysis: Analysis): readonly Concern[] {
  const concerns = [...certaintyConcerns(analysis)];
  for (const command of analysis.commands) {
    const { argv, inner } = strippedForm(command);
    const all = [argv, ...inner.filter(({ sure }) => sure).map((layer) => layer.argv)];
    const changes = all.find((words) => words.length > 0 && !onlyReads(words));
    if (changes !== undefined || inner.some(({ sure }) => !sure)) {
      concerns.push({
        reason: `"${shownWords(changes ?? argv)}" is not known to only read`,
        span: command.span,
      });
    }
  }
  for (const { access, path, span } of analysis.uses ?? []) {
    if (access === "write" && !/^\/dev\/(?:null|stdout|stderr|fd\/\d+|tty)$/.test(path ?? "")) {
      concerns.push({ reason: `write to "${path ?? "a path known only at run time"}"`, span });
    }
  }
  return concerns;
}
