import type { Analysis, SimpleCommand } from "../../event/command.ts";
import { editsOnly } from "../edits.ts";
import type { Policy } from "../policy.ts";
import { shownWords, type Words } from "../words.ts";
import { strippedForm } from "./forms.ts";
import type { Rule } from "./rule.ts";

/** Whether rules or the mode cover a command. */
interface Coverage {
  /** The rules that cover the command. */
  readonly rules: readonly Rule[];
  /** Why it is not covered; absent: it is. */
  readonly uncovered?: string;
}

/** Programs whose commands need a rule of their own. */
const STARTERS = /^(?:xargs|gxargs|find|fd|fdfind)$/;
const LONGEST_SHOWN = 120;

/** Find the rules that cover one command, or why none does. */
export function coverage(
  command: SimpleCommand,
  { analysis, policy }: { readonly analysis: Analysis; readonly policy: Policy },
): Coverage {
  // What is in a text for an interpreter passes or not with the interpreter.
  if (command.argv.length === 0 || command.via !== undefined) return { rules: [] };
  const covers = (words: Words) => policy.allow.filter((rule) => rule.match(words) === "yes");
  const asWritten = policy.allow.filter((rule) => rule.exact && rule.match(command.argv) === "yes");
  if (asWritten.length > 0) return { rules: asWritten };
  const { argv, inner } = strippedForm(command);
  const rules = covers(argv);
  if (rules.length === 0) {
    if (policy.mode === "plan" || (policy.mode === "acceptEdits" && editsOnly(argv, analysis))) {
      return { rules };
    }
    const shown = shownWords(argv);
    const short = shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
    return { rules, uncovered: `no rule covers "${short}"` };
  }
  const all = [...rules];
  for (const layer of inner) {
    if (!layer.sure || !STARTERS.test(layer.by)) continue;
    const found = covers(layer.argv);
    if (found.length === 0) {
      const uncovered = `no rule covers "${shownWords(layer.argv)}", which "${layer.by}" runs`;
      return { rules, uncovered };
    }
    all.push(...found);
  }
  return { rules: all };
}
