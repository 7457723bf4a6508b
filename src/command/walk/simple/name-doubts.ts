import type { SyntaxNode } from "../../../platform/grammar.ts";
import { type Doubt, doubtAt } from "../../doubt.ts";
import { isPattern, isUnknown } from "../../words/marks.ts";
import type { MarkedWord } from "../../words/word.ts";
import { COMPOUND_STARTS, RESERVED } from "./names.ts";

/** Find what makes it uncertain which program a command's first word names. */
export function nameDoubts(
  words: readonly MarkedWord[],
  node: SyntaxNode,
  text: string,
): readonly Doubt[] {
  const [first, second] = words;
  if (first === undefined) return [];
  const { span } = first;
  const raw = text.slice(span.start, span.end);
  const doubts: Doubt[] = [];
  const doubt = (reason: string, at = span) => doubts.push(doubtAt(reason, at));
  const spelling = spellingDoubt(first, raw);
  if (spelling !== undefined) doubt(spelling);
  if (node.type === "test_command") return doubts;
  if (RESERVED.has(raw)) doubt(`"${raw}" where a command begins`);
  if (raw === "time" && second !== undefined) {
    const next = text.slice(second.span.start, second.span.end);
    if (COMPOUND_STARTS.has(next) && next !== "time") doubt("a construct behind `time`", node);
  }
  return doubts;
}

function spellingDoubt({ marked, ansi }: MarkedWord, raw: string): string | undefined {
  if (isUnknown(marked)) return "a program whose name is known only at run time";
  if (isPattern(marked) && raw !== "[") return "a program named by a pattern";
  if (marked.startsWith("~")) return "a program below a home directory";
  if (ansi) return "a program's name in escapes";
  return /^[^{]*\{[^]*[,.][^]*\}/.test(raw) && raw !== marked
    ? "a program named by braces"
    : undefined;
}
