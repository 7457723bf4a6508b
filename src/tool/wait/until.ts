import { invalidInput } from "../error/shell-error.ts";
import { concatMap, filter, type Observable, startWith } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { ExpressionOptions } from "../../text/search/expression.ts";
import { search } from "../../text/search/search.ts";
import { lastBytes } from "../../text/source/blocks.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { checkExpression } from "../input-fields.ts";
import { growthOf } from "../growth.ts";
import { maskedOutput } from "../../runtime/output/masked-output.ts";

/** What a wait is for. */
export type Until =
  /** The command runs, or waits behind another one. */
  | { readonly type: "start" }
  | { readonly type: "exit" }
  | { readonly type: "output" }
  | { readonly type: "input" }
  | { readonly type: "line"; readonly matches: LineMatcher };

/** Read what a call waits for: `exit`, `output`, `input`, or a regular expression between slashes. */
export async function parseUntil(text: string): Promise<Until> {
  const words = text.trim();
  if (words === "exit" || words === "output" || words === "input") return { type: words };
  const match = words.match(/^\/(.+)\/(i?)$/s);
  if (match?.[1] !== undefined) {
    await checkExpression("until", match[1]);
    return { type: "line", matches: lineMatcher(match[1], { ignoreCase: match[2] === "i" }) };
  }
  throw invalidInput(
    `until: expected "exit", "output", "input" or "/regular expression/", not ${
      JSON.stringify(text.slice(0, 100))
    }`,
  );
}

/** Emits each time that a line of a task's output from an offset on matches, with the line. */
type LineMatcher = (
  runtime: Runtime,
  taskId: CommandId,
  from: number,
) => Observable<string>;

/** So much of a line without an end is looked at again with what follows it. */
const LONGEST_LINE = 256 * 1024;
const NEWLINE = 10;

/** Make what finds an expression in the lines of an output, also in a last line without end. */
function lineMatcher(expression: string, options: ExpressionOptions): LineMatcher {
  const limits = { maxMatches: 1, maxLineChars: 300, maxBytes: Infinity, timeoutMs: Infinity };
  return (runtime, taskId, from) => {
    let at = from;
    /** Looks at what is new, from the beginning of its first line on. */
    const look = async (): Promise<string | undefined> => {
      const source = await maskedOutput(runtime, taskId);
      const { matches } = await search(source, expression, { ...options, ...limits, from: at });
      const { total } = source;
      const last = await lastBytes(source, { from: Math.max(at, total - LONGEST_LINE), to: total });
      at = total - (last.length - last.lastIndexOf(NEWLINE) - 1);
      return matches[0]?.text;
    };
    return growthOf(runtime, taskId, { from }).pipe(
      startWith(undefined),
      concatMap(look),
      filter((found) => found !== undefined),
    );
  };
}
