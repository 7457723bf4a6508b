import type { SimpleCommand, Span } from "../event/analysis.ts";
import type { Programs } from "./program/programs.ts";
import { knownText } from "./words/word-marks.ts";

/**
 * Everything that looks like a command in a text that cannot be trusted, so that what is denied is
 * found.
 */
export function guessedCommands(
  text: string,
  span: Span,
  programs: Programs,
): readonly SimpleCommand[] {
  return text.split(/[;&|()`{}\n]+/)
    .map((part) => part.trim().split(/[\s"'\\$]+/).filter((word) => word !== ""))
    .filter((words) => words.length > 0)
    .map((words) => {
      const found = programs.find(words);
      const as = found === undefined ? {} : { as: [found.name, ...found.words.map(knownText)] };
      const program = { known: found !== undefined, ...as };
      return { argv: words, assignments: [], redirects: [], span, program };
    });
}
