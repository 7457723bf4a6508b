import type { CommandId } from "../../event/command.ts";
import { hasEnded } from "../../task/task-view.ts";
import { type FilteredSource, filteredSource } from "../../text/filter/filtered-source.ts";
import { countsText } from "../../text/filter/filter-lines.ts";
import type { ByteSource } from "../../text/source/source.ts";
import type { Suite } from "../configuration.ts";
import { analyse } from "../../command/analyse.ts";
import type { CompiledFilter } from "./output-filter.ts";

/** Leave out of the whole output of an ended command what its filter finds; `undefined` where that is little. */
export async function shortened(
  { runtime, shorten, filters, kinds, names, maxOutputChars }: Suite,
  taskId: CommandId,
  source: ByteSource,
): Promise<FilteredSource & { readonly note: string } | undefined> {
  const task = runtime.tasks.current.byId.get(taskId);
  // A terminal is shown as a person sees it.
  if (task === undefined || !hasEnded(task) || task.sizes !== undefined) return undefined;
  if (!shorten || source.total < LEAST_BYTES) return undefined;
  const chosen = chooseFilter(task.command, await filters());
  const found = chosen && await filteredSource(source, chosen.rules);
  if (chosen === undefined || found === undefined) return undefined;
  const { lines, leftOut } = found;
  const count = [...leftOut.values()].reduce((sum, each) => sum + each, 0);
  const read = `${names.read} ${JSON.stringify({ shellId: taskId, from: 0 })}`;
  const how = kinds.includes("read") ? `read all with ${read}; ` : "";
  const what = `${count} of ${lines} lines of ${chosen.program} are left out: ${
    countsText(leftOut)
  }`;
  const note = `[${what}; ${how}the original is artifact://${taskId}]`;
  return note.length * 2 > maxOutputChars ? undefined : { ...found, note };
}

/** Less than twenty lines of some length. */
const LEAST_BYTES = 400;

/**
 * Find the filter for a line: the first that applies to its one simple command, or to what that
 * starts in its words, as `npx` does. A line with more, but for `cd X &&` before it, has none.
 */
export function chooseFilter(
  line: string,
  filters: readonly CompiledFilter[],
): Pick<CompiledFilter, "rules"> & { readonly program: string } | undefined {
  for (const [program = "", ...words] of commandsOf(line)) {
    const found = filters.find(({ programs, when }) =>
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
    // As it is written, and by the first of its names.
    .flatMap(({ argv, program: { as } }) => as === undefined ? [argv] : [as, argv])
    .map((argv) => argv.map((word) => word ?? "?"))
    .map((
      [name = "", ...words],
    ) => [name.replace(/^.*[\\/]/, "").replace(/\.(?:exe|cmd)$/, ""), ...words])
    .reverse();
}
