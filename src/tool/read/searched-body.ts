import type { CommandId } from "../../event/command.ts";
import type { Suite } from "../configuration.ts";
import { outputOf } from "../output-of.ts";
import { search } from "../../text/search/search.ts";
import { searchText } from "../../text/search/search-text.ts";
import type { Body } from "../result/body.ts";

/** The lines of an output that match, with their numbers, as a body of an answer. */
export async function searchedBody(
  { runtime, maxOutputChars: maxChars }: Suite,
  taskId: CommandId,
  { expression, context, from }: {
    readonly expression: string;
    /** Lines before and after each match. */
    readonly context: number;
    readonly from: number;
  },
): Promise<Body> {
  const source = await outputOf(runtime, taskId);
  const found = await search(source, expression, {
    from,
    before: context,
    after: context,
    maxChars,
    maxLineChars: 500,
  });
  const more = (to: number) => `there may be more matches from byte ${to} on`;
  const text = searchText(found, { apart: context > 0, more }).trimEnd();
  return { text, from, to: found.to, atEnd: true };
}
