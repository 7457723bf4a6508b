import { analyse } from "../../command/analyse.ts";
import type { CompiledFilter } from "./output-filter.ts";

/** A program, and what may be left out of its output. */
export interface ChosenFilter extends Pick<CompiledFilter, "rules"> {
  readonly program: string;
}

/**
 * Find the filter for a line: the first that applies to its one simple command, or to what that
 * starts in its words, as `npx` does. A line with more, but for `cd X &&` before it, has none.
 *
 * @param line The command line.
 * @param filters What to choose from, in this order.
 * @param allows Whether the output of a program may be shortened.
 */
export function chooseFilter(
  line: string,
  filters: readonly CompiledFilter[],
  allows: (program: string) => boolean,
): ChosenFilter | undefined {
  for (const [program = "", ...words] of commandsOf(line)) {
    const found = allows(program) &&
      filters.find(({ programs, when }) =>
        programs.split(" ").includes(program) && when?.test(words.join(" ")) !== false
      );
    if (found) return { program, rules: found.rules };
  }
  return undefined;
}

/** The words of what a line starts, what runs in the end first; no words where it is not one command. */
function commandsOf(line: string): readonly (readonly string[])[] {
  const { commands } = analyse(line, { cwd: "/" });
  const own = commands.filter(({ startedBy }) => startedBy === undefined);
  let at = 0;
  const isPlain = own.every(({ argv, span }, i) => {
    const between = line.slice(at, span.start).trim();
    at = span.end;
    return between === (i === 0 ? "" : "&&") && (i === own.length - 1 || argv[0] === "cd");
  });
  if (!isPlain || line.slice(at).trim() !== "") return [];
  return commands
    .filter(({ argv, startedBy }) => argv[0] !== "cd" && startedBy?.how !== "text")
    .map(({ argv, program }) => (program.as ?? argv).map((word) => word ?? "?"))
    .map((
      [name = "", ...words],
    ) => [name.replace(/^.*[\\/]/, "").replace(/\.(?:exe|cmd)$/, ""), ...words])
    .reverse();
}
