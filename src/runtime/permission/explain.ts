import type { CheckAnswer } from "./check.ts";

/** Where a marked line stands in a terminal. */
const INDENT = "  ";

/**
 * Explain an answer to a person: the line with its deciding part underlined, the rule, the reasons,
 * and what would change the answer.
 *
 * @param answer What `check` answered with `explain`.
 */
export function explain(
  command: string,
  { decision, rule, reason, span, concerns = [], suggestions = [], reads, writes }: CheckAnswer,
): string {
  const lines = [`${decision}: ${reason}`, "", ...underlined(command, span), ""];
  if (rule !== undefined) lines.push(`rule     ${rule}`);
  for (const { reason: why, danger } of concerns.slice(0, 8)) {
    if (concerns.length > 1 || danger !== undefined) {
      lines.push(`because  ${why}${danger === undefined ? "" : ` (danger "${danger}")`}`);
    }
  }
  if (concerns.length > 8) lines.push(`         and ${concerns.length - 8} more`);
  if (reads.length > 0) lines.push(`reads    ${reads.slice(0, 5).join(" ")}`);
  if (writes.length > 0) lines.push(`writes   ${writes.slice(0, 5).join(" ")}`);
  lines.push(
    ...changes({ decision, rule, concerns, suggestions }).map((text) => `change   ${text}`),
  );
  return `${lines.join("\n").replace(/\n+$/, "")}\n`;
}

function underlined(command: string, span: CheckAnswer["span"]): readonly string[] {
  let at = 0;
  return command.split("\n").flatMap((line) => {
    const start = at;
    at += line.length + 1;
    const shown = `${INDENT}${line.replaceAll("\t", " ")}`;
    if (span === undefined || span.end <= start || span.start > start + line.length) return [shown];
    const from = Math.max(0, span.start - start);
    const to = Math.min(line.length, span.end - start);
    return [shown, `${INDENT}${" ".repeat(from)}${"^".repeat(Math.max(1, to - from))}`];
  });
}

/** What a person could do to get another answer. */
function changes(
  { decision, rule, concerns = [], suggestions = [] }:
    & Pick<CheckAnswer, "decision" | "concerns" | "suggestions">
    & { readonly rule: string | undefined },
): readonly string[] {
  if (decision === "allow") return rule === undefined ? [] : [`without ${rule} it would be asked`];
  const dangers = new Set(concerns.flatMap(({ danger }) => danger === undefined ? [] : [danger]));
  return [
    ...suggestions.map((each) => `--allow '${each}' covers it`),
    ...[...dangers].map((each) => `accept: ["${each}"], or a rule that spells it, grants it`),
    ...(rule === undefined ? [] : [`without ${rule} it would be judged by the other rules`]),
    ...(concerns.some(({ reason }) => /outside the workspace/.test(reason))
      ? ["directories: […] makes more directories count as inside"]
      : []),
    ...(concerns.some(({ reason }) => /known only at run time/.test(reason))
      ? ["write the name out: what is known only at run time is always asked"]
      : []),
  ];
}
