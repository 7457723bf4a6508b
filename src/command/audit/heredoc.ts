import type { SyntaxNode } from "../../platform/grammar.ts";
import { type Doubt, doubtAt } from "../doubt.ts";

/** What a here-document's delimiter says. */
interface Delimiter {
  readonly word: string;
  /** Some part is quoted, so the body is taken as it stands. */
  readonly literal: boolean;
  /** Leading tabs are taken away. */
  readonly tabs: boolean;
}

/** Read the delimiter of a `heredoc_redirect`, or nothing if it is of a kind that the grammar gets wrong. */
export function readDelimiter(node: SyntaxNode, text: string): Delimiter | undefined {
  const start = node.children.find((child) => child.type === "heredoc_start");
  if (start === undefined) return undefined;
  const raw = text.slice(start.start, start.end);
  const tabs = node.children.some((child) => child.type === "<<-");
  const match = /^(?:([\w.+:,@%-]+)|'([\w.+:,@% -]+)'|"([\w.+:,@% -]+)"|\\([\w.+:,@%-]+))$/.exec(
    raw,
  );
  if (match === null) return undefined;
  const [, plain, single, double, escaped] = match;
  const word = plain ?? single ?? double ?? escaped;
  return word === undefined ? undefined : { word, literal: plain === undefined, tabs };
}

/** Where the body of a here-document begins: after the line of its operator. */
export function bodyStart(node: SyntaxNode, text: string): number | undefined {
  const start = node.children.find((child) => child.type === "heredoc_start");
  if (start === undefined) return undefined;
  const newline = text.indexOf("\n", start.end);
  return newline === -1 ? undefined : newline + 1;
}

/** Find the end of a here-document as bash does, and tell where the grammar differs. */
export function heredocDoubt(node: SyntaxNode, text: string): Doubt | undefined {
  const doubt = (reason: string): Doubt => doubtAt(reason, node);
  const delimiter = readDelimiter(node, text);
  if (delimiter === undefined) return doubt("a here-document with an unusual delimiter");
  const begin = bodyStart(node, text);
  const end = node.children.find((child) => child.type === "heredoc_end");
  const body = node.children.find((child) => child.type === "heredoc_body");
  if (begin === undefined || end === undefined) return doubt("a here-document without an end");
  for (const child of node.children) {
    const onLine = child.end <= begin;
    if (!onLine && child !== body && child !== end) {
      return doubt("a here-document that starts on a line which goes on");
    }
  }
  const found = terminator(text, begin, delimiter);
  if (found === undefined || found !== end.start || found + delimiter.word.length !== end.end) {
    return doubt("a here-document whose end is uncertain");
  }
  return undefined;
}

function terminator(text: string, begin: number, delimiter: Delimiter): number | undefined {
  let continued = false;
  for (let from = begin; from <= text.length;) {
    const newline = text.indexOf("\n", from);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(from, end);
    const indent = delimiter.tabs && !continued ? /^\t*/.exec(line)?.[0].length ?? 0 : 0;
    if (!continued && line.slice(indent) === delimiter.word) return from + indent;
    continued = !delimiter.literal && /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
    if (newline === -1) return undefined;
    from = newline + 1;
  }
  return undefined;
}
