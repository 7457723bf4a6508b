import { forEachChild, parse, type SyntaxNode } from "unbash";
import { quoteIfNeeded } from "./quote.ts";

/**
 * How texts are written at places of a line, in UTF-16 code units, so that a shell of the Bourne family
 * reads exactly those texts there. What stands there now is part of the line.
 */
export function quotesOf(line: string): (at: number, text: string) => string {
  const all = surroundings(line);
  return (at, text) => {
    switch (all.findLast(({ pos, end }) => pos <= at && at < end)?.type) {
      case "SingleQuoted":
        return text.replaceAll("'", `'\\''`);
      case "AnsiCQuoted":
        return text.replaceAll(/[\\']/g, "\\$&");
      case "DoubleQuoted":
      case "LocaleString":
        return text.replaceAll(/[\\"$`]/g, "\\$&");
      case "HereDocBody":
        return text.replaceAll(/[\\$`]/g, "\\$&");
      case "HereDoc":
        return text;
      default:
        return quoteIfNeeded(text);
    }
  };
}

interface Surrounding extends Pick<SyntaxNode, "pos" | "end"> {
  readonly type: SyntaxNode["type"];
}

/** Quotes, here-documents, and those whose delimiter is quoted, each behind what is around it; a substitution begins anew. */
function surroundings(line: string): readonly Surrounding[] {
  const found: Surrounding[] = [];
  const visit = (node: SyntaxNode) => {
    if (AROUND.test(node.type)) found.push(node);
    forEachChild(node, visit);
    if (node.type === "HereDoc" && node.delimiter?.quoted) {
      const { pos, end } = node.body;
      found.push({ type: node.type, pos, end });
    }
  };
  visit(parse(line));
  return found;
}

const AROUND = /^(?:\w+Quoted|LocaleString|HereDocBody|CommandExpansion)$/;
