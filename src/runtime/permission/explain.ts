import { READS_SECRETS } from "../../permission/concerns/workspace.ts";
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
    if (concerns.length > 1) {
      lines.push(`because  ${why}${danger === undefined ? "" : ` (danger "${danger}")`}`);
    } else if (danger !== undefined) lines.push(`danger   ${danger}`);
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
  const dangerous = new Set(concerns.flatMap(({ danger, span }) => danger ? [span?.start] : []));
  const uncovered = concerns.filter(({ reason, span }) =>
    UNCOVERED.test(reason) && !dangerous.has(span?.start)
  );
  const found = concerns.map(({ reason, danger, rule: asking }) => {
    if (danger === READS_SECRETS) return `--accept ${danger} grants it`;
    if (danger !== undefined) return `--accept ${danger}, or a rule that spells it, grants it`;
    if (asking !== undefined) return `without ${asking} it would be judged by the other rules`;
    if (UNCOVERED.test(reason)) {
      return uncovered.length > suggestions.length
        ? "a rule that names it, as --allow 'Bash(make *)' does, covers what runs other code"
        : undefined;
    }
    return OTHERS.find(([kind]) => kind.test(reason))?.[1];
  });
  const others = [
    ...found.flatMap((each) => each ?? []),
    ...(rule === undefined ? [] : [`without ${rule} it would be judged by the other rules`]),
  ];
  const covered = suggestions.length + others.length > 1 ? "a part of it" : "it";
  // A line that is no line of bash is asked about whatever covers it.
  const broken = concerns.some(({ reason }) => reason.startsWith("a syntax error"));
  const rules = broken ? [] : suggestions.map((each) => `--allow '${each}' covers ${covered}`);
  return [...new Set([...rules, ...others])];
}

const UNCOVERED = /^no rule covers|is not certain$/;
/** What changes the answer where neither a rule nor the name of a danger does. */
const OTHERS: readonly (readonly [reason: RegExp, change: string])[] = [
  [/outside the workspace$/, "--directory DIRECTORY makes another directory count as inside"],
  [
    /^arithmetic over/,
    "bash runs $(…) in text that it evaluates: test it first, as [[ $x =~ ^[0-9]+$ ]] && … does",
  ],
  [/run time$/, "write it out: what is known only at run time is always asked"],
  [/not known to only read$|^it writes/, "another mode judges it by the rules"],
  [/^/, "no rule grants it: write the line in another way"],
];
