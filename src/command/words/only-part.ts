import type { Word, WordPart } from "unbash";
import { defined } from "../../value/defined.ts";

/** The one part that a word is made of, in quotes or not. */
export function onlyPart(
  { parts }: Word,
): { readonly part?: WordPart; readonly inQuotes: boolean } {
  const [outer, ...others] = parts ?? [];
  if (outer === undefined || others.length > 0) return { inQuotes: false };
  if (outer.type !== "DoubleQuoted") return { part: outer, inQuotes: false };
  const [part, ...more] = outer.parts;
  return { ...(more.length === 0 && defined({ part })), inQuotes: true };
}

/** The name of the variable that a part is the value of, as it is. */
export function nameIn(part: WordPart | undefined): string | undefined {
  if (part?.type === "SimpleExpansion") return part.text.slice(1);
  const isPlain = part?.type === "ParameterExpansion" && part.prefix === undefined &&
    part.index === undefined && part.operation === undefined;
  return isPlain ? part.parameter : undefined;
}
