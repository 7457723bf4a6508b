import { forEachChild, parse, type ParsedScript, type SyntaxNode } from "unbash";
import { MARKS } from "./words/word-marks.ts";
import type { Span } from "../event/analysis.ts";

/** Why a line could run more than its analysis shows. */
export interface Doubt {
  readonly reason: string;
  readonly span: Span;
}

/** Brackets in brackets: deeper is of no honest use, and the walk is recursive. */
const DEEPEST = 60;

const PLAIN = /^[ -~\t\n]*$/;
/** Not the carriage return, which is a character of words for bash, as for the parser. */
// deno-lint-ignore no-control-regex -- finding them is the point
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f]/;
const DECEIVING =
  /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

/** A text as bash reads it, and why that may not be all. */
export interface ReadText {
  /** Absent: it nests too deep to be read. */
  readonly script?: ParsedScript;
  readonly doubts: readonly Doubt[];
}

/** Read shell text. */
export function readText(text: string): ReadText {
  const doubts = [...characterDoubts(text)];
  const whole = { start: 0, end: text.length };
  if (depthOf(text) > DEEPEST) {
    return { doubts: [...doubts, { reason: "it nests too deep to be read", span: whole }] };
  }
  const script = parse(text);
  return { script, doubts: [...doubts, ...errorsOf(script, text.length)] };
}

/** The errors of a script; those of scripts in it are their own. */
export function errorsOf({ errors = [] }: ParsedScript, length: number): readonly Doubt[] {
  return errors.map(({ message, pos }) => ({
    reason: `a syntax error: ${message}`,
    span: { start: Math.min(pos, length), end: length },
  }));
}

/** A node and all that are in it. */
export function nodesIn(root: SyntaxNode): readonly SyntaxNode[] {
  const nodes = [root];
  for (const node of nodes) forEachChild(node, (child) => void nodes.push(child));
  return nodes;
}

/** The characters of a text that are code: here-documents are data. */
export function codeLength(script: ParsedScript, text: string): number {
  let data = 0;
  const visit = (node: SyntaxNode) => {
    if (node.type === "HereDocBody") data += node.text.length;
    else forEachChild(node, visit);
  };
  visit(script);
  return text.length - data;
}

function depthOf(text: string): number {
  if (text.length <= DEEPEST) return 0;
  let depth = 0;
  let deepest = 0;
  for (const bracket of text.match(/[(){}[\]]/g) ?? []) {
    depth = /[({[]/.test(bracket) ? depth + 1 : Math.max(0, depth - 1);
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Characters that make a line look other than it runs, or that parsers read differently. */
function* characterDoubts(text: string): Iterable<Doubt> {
  if (PLAIN.test(text)) return;
  const found = (reason: string, match: RegExpExecArray | null): Doubt[] =>
    match === null
      ? []
      : [{ reason, span: { start: match.index, end: match.index + match[0].length } }];
  yield* found("a control character", CONTROL.exec(text));
  yield* found("an invisible character", DECEIVING.exec(text));
  // With blanks for what is quoted, as far as that is simple.
  const bare = text.replace(/'[^']*'|"(?:\\[^]|[^"\\])*"/g, (quoted) => " ".repeat(quoted.length));
  yield* found("a blank that is none", /[\u00a0\u2000-\u200a\u3000]/.exec(bare));
  if (MARKS.test(text)) {
    yield { reason: "a character of a private block", span: { start: 0, end: text.length } };
  }
}
