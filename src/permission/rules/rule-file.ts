import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import type { PolicyRules } from "../policy.ts";
import { messageOf } from "../../platform/failure.ts";
import { readRules, tokens } from "./rule.ts";

const texts = v.optional(v.array(v.string()), []);
const FILE = v.strictObject({
  rules: v.array(v.strictObject({
    rule: v.string(),
    decision: v.picklist(["allow", "ask", "deny"]),
    match: texts,
    notMatch: texts,
  })),
});

/**
 * Read a file of rules that carry their own tests.
 *
 * @param text JSON: `{"rules": [{"rule": "Bash(git diff *)", "decision": "allow", "match": ["git diff -w"], "notMatch": ["git difftool"]}]}`.
 * @throws {TypeError} When a field of it cannot be used, with its name and value.
 * @throws {Error} When it is no JSON, or a rule fails a test of its own, with the rule and the command.
 */
export function readRuleFile(text: string): Required<PolicyRules> {
  const { rules } = checkFields(FILE, parsed(text), "Cannot read a file of rules with");
  const lists: Record<"allow" | "ask" | "deny", string[]> = { allow: [], ask: [], deny: [] };
  for (const { rule, decision, match, notMatch } of rules) {
    const read = readRules(rule);
    const matches = (command: string) =>
      read.some((each) => each.match(tokens(rule, command)) === "yes");
    const invalid = (why: string) => new Error(`Cannot use the rule "${rule}": it ${why}`);
    const missed = match.find((command) => !matches(command));
    const wrong = notMatch.find(matches);
    if (missed !== undefined) throw invalid(`does not match "${missed}"`);
    if (wrong !== undefined) throw invalid(`matches "${wrong}"`);
    lists[decision].push(rule);
  }
  return lists;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`Cannot read a file of rules: it is no JSON, ${messageOf(cause)}`, { cause });
  }
}
