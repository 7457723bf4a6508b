import type { CommandId } from "../../event/command.ts";
import { hasEnded } from "../../task/task-view.ts";
import { type FilteredSource, filteredSource } from "../../text/filter/filtered-source.ts";
import { countsText } from "../../text/filter/filter-lines.ts";
import type { ByteSource } from "../../text/source/source.ts";
import type { Suite } from "../configuration.ts";
import { chooseFilter } from "./choose-filter.ts";

/** An output without lines that say little, and the line that says so. */
export interface Shortened extends FilteredSource {
  readonly note: string;
}

/** Leave out of the whole output of an ended command what its filter finds; `undefined` where that is little. */
export async function shortened(
  { runtime, shorten, filters, kinds, names, maxOutputChars }: Suite,
  taskId: CommandId,
  source: ByteSource,
): Promise<Shortened | undefined> {
  const task = runtime.tasks.current.byId.get(taskId);
  // A terminal is shown as a person sees it.
  if (task === undefined || !hasEnded(task) || task.sizes !== undefined) return undefined;
  if (shorten === false || source.total < LEAST_BYTES) return undefined;
  const allows = (program: string) => shorten === true || shorten.includes(program);
  const chosen = chooseFilter(task.command, await filters(), allows);
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
