import type { Redirect } from "../../../event/command.ts";
import type { SyntaxNode } from "../../../platform/grammar.ts";
import { bodyStart, readDelimiter } from "../../audit/heredoc.ts";
import { spanOf } from "../../doubt.ts";
import type { AnalysisFacts } from "../../facts.ts";
import { type Place, resolveWord } from "../../paths/place.ts";
import { isPattern, knownText, PIPE_NAME, plainText } from "../../words/marks.ts";
import { readWord } from "../../words/word.ts";
import { isRedirect } from "../node-kinds.ts";
import type { Findings } from "../result.ts";
import { splitDestination } from "./simple.ts";
import type { Inherited } from "../inherited.ts";

/** What is needed to read redirections. */
interface RedirectFacts {
  readonly text: string;
  readonly place: Place;
  readonly facts: AnalysisFacts;
  readonly findings: Findings;
}

/** Read redirections and note the files they open. */
export function readRedirects(
  nodes: readonly SyntaxNode[],
  context: RedirectFacts,
): readonly Redirect[] {
  return nodes.flatMap((node): readonly Redirect[] => {
    switch (node.type) {
      case "file_redirect":
        return [readFile(node, context)];
      case "heredoc_redirect":
        return [
          { operator: "<<", span: spanOf(node) },
          ...readRedirects(
            node.children.filter(isRedirect),
            context,
          ),
        ];
      case "herestring_redirect": {
        const word = readWord(node.children.slice(1), context.text);
        const target = knownText(word.marked);
        return [{
          operator: "<<<",
          ...(target !== null && { target }),
          span: spanOf(node),
        }];
      }
      default:
        return [];
    }
  });
}

function readFile(node: SyntaxNode, { text, place, facts, findings }: RedirectFacts): Redirect {
  const span = spanOf(node);
  const operator = node.children.find((child) => /^[<>&|-]+$/.test(child.type))?.type ?? ">";
  const destination = splitDestination(node)[0];
  if (destination === undefined) return { operator, span };
  const { marked } = readWord(destination, text);
  const target = knownText(marked);
  const redirect: Redirect = { operator, ...(target !== null && { target }), span };
  if (/^[<>]&$/.test(operator) && target !== null && /^(?:\d+-?|-)$/.test(target)) return redirect;
  if (marked === PIPE_NAME) return redirect;
  const access = operator.startsWith("<") ? "read" : "write";
  if (isPattern(marked)) findings.uses.push({ access, path: null, span });
  for (const path of resolveWord(marked, { place, home: facts.home })) {
    findings.uses.push({ access, path, span });
  }
  return redirect;
}

/** The input that redirections give, if they give any. */
export function readInput(redirects: readonly SyntaxNode[], text: string): Inherited | undefined {
  for (const node of redirects.toReversed()) {
    switch (node.type) {
      case "heredoc_redirect":
        return { input: "text", text: heredocText(node, text) };
      case "herestring_redirect":
        return { input: "text", text: knownText(readWord(node.children.slice(1), text).marked) };
      case "file_redirect":
        if (node.children.some((child) => child.type === "<" || child.type === "<&")) {
          return { input: "file", text: null };
        }
    }
  }
  return undefined;
}

function heredocText(node: SyntaxNode, text: string): string | null {
  const delimiter = readDelimiter(node, text);
  const start = bodyStart(node, text);
  const end = node.children.find((child) => child.type === "heredoc_end");
  if (delimiter === undefined || start === undefined || end === undefined) return null;
  const body = text.slice(start, end.start);
  if (!delimiter.literal && /[$`]/.test(body)) return null;
  const lines = delimiter.tabs ? body.replace(/^\t+/gm, "") : body;
  return delimiter.literal
    ? lines
    : plainText(lines.replace(/\\([\\$`])/g, "$1").replaceAll("\\\n", ""));
}
