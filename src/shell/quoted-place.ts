import { forEachChild, parse, type SyntaxNode } from "unbash";
import { quoteIfNeeded } from "./quote.ts";

/** A place of a line. */
export interface Place {
  readonly line: string;
  /** Where something else stands there, in UTF-16 code units. */
  readonly at: number;
}

/** Write a text at a place of a line so that a shell of the Bourne family reads exactly that text there. */
export function quotedAt(place: Place, text: string): string {
  switch (surroundings(place)) {
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
}

/** What is around a place: quotes, a here-document, or one whose delimiter is quoted; a substitution begins anew. */
function surroundings({ line, at }: Place): SyntaxNode["type"] | undefined {
  let found: SyntaxNode["type"] | undefined;
  const visit = (node: SyntaxNode) => {
    if (node.pos <= at && at < node.end && AROUND.test(node.type)) found = node.type;
    forEachChild(node, visit);
    const isLiteral = node.type === "HereDoc" && node.delimiter?.quoted;
    if (isLiteral && node.body.pos <= at && at < node.body.end) found = node.type;
  };
  visit(parse(line));
  return found === "CommandExpansion" ? undefined : found;
}

const AROUND = /^(?:\w+Quoted|LocaleString|HereDocBody|CommandExpansion)$/;
