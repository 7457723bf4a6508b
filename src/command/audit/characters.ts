import { hasMarks } from "../words/marks.ts";
import type { Doubt } from "../doubt.ts";

// deno-lint-ignore no-control-regex -- finding them is the point
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]/;
const DECEIVING =
  /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** Characters that make a line look other than it runs, or that the grammar and bash read differently. */
export function characterDoubts(text: string): readonly Doubt[] {
  const doubts: Doubt[] = [];
  const control = CONTROL.exec(text);
  if (control !== null) {
    doubts.push({ reason: "a control character", span: at(control) });
  }
  const deceiving = DECEIVING.exec(text);
  if (deceiving !== null) {
    doubts.push({ reason: "an invisible character", span: at(deceiving) });
  }
  if (hasMarks(text)) {
    doubts.push({ reason: "a character of a private block", span: { start: 0, end: text.length } });
  }
  return doubts;
}

function at(match: RegExpExecArray): { start: number; end: number } {
  return { start: match.index, end: match.index + match[0].length };
}
