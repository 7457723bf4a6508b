import type { Span } from "../../event/command.ts";
import { doubtAt } from "../doubt.ts";
import type { Audited } from "./audited.ts";

const BLANK = /^(?:[ \t\n]|\\\n)*$/;
const OPERATOR = /[|&;()<>\n]/;

/** Doubt text between two nodes, unless it is blank and separates words for bash, too. */
export function checkGap({ text, doubts }: Audited, gap: Span): void {
  const { start, end } = gap;
  if (start >= end) return;
  const between = text.slice(start, end);
  if (!BLANK.test(between)) {
    doubts.push(doubtAt("text that the grammar skips", gap));
    return;
  }
  if (!between.includes("\\") || between.replaceAll("\\\n", "") !== "") return;
  if (start === 0 || end === text.length) return;
  if (!OPERATOR.test(text[start - 1] ?? "") && !OPERATOR.test(text[end] ?? "")) {
    doubts.push(doubtAt("a word that goes on after a line's end", gap));
  }
}
