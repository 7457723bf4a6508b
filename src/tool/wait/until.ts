import { messageOf } from "../../platform/failure.ts";
import { invalidInput } from "../error/shell-error.ts";
import { concatMap, filter, type Observable, startWith } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { ExpressionOptions } from "../../text/search/expression.ts";
import { search } from "../../text/search/search.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { growthOf } from "../output-of.ts";

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
    try {
      const matches = await lineMatcher(match[1], { ignoreCase: match[2] === "i" });
      return { type: "line", matches };
    } catch (cause) {
      throw invalidInput(`until: ${messageOf(cause)}`);
    }
  }
  throw invalidInput(
    `until: expected "exit", "output", "input" or "/regular expression/", not ${
      JSON.stringify(text.slice(0, 100))
    }`,
  );
}

/** Emits each time that a line of a task's output from an offset on matches, with the line. */
export type LineMatcher = (
  runtime: Runtime,
  taskId: CommandId,
  from: number,
) => Observable<string>;

const BLOCK = 256 * 1024;
const NEWLINE = 10;

/** Compile an expression into what finds it in the lines of an output, also in a last line without end. */
export async function lineMatcher(
  expression: string,
  options: ExpressionOptions,
): Promise<LineMatcher> {
  const find = async (bytes: Uint8Array): Promise<string | undefined> => {
    const source = {
      total: bytes.length,
      read: ({ from, maxBytes }: { from: number; maxBytes: number }) =>
        Promise.resolve({ from, bytes: bytes.subarray(from, from + maxBytes), gaps: [] }),
    };
    const limits = { maxMatches: 1, maxLineChars: 300 };
    const { matches } = await search(source, expression, { ...options, ...limits });
    return matches[0]?.text;
  };
  await find(new Uint8Array(0));
  return (runtime, taskId, from) => {
    let at = from;
    /** Looks at what is new, from the beginning of its first line on. */
    const look = async (): Promise<string | undefined> => {
      for (;;) {
        const { bytes, to, total } = await runtime.read(taskId, { from: at, maxBytes: BLOCK });
        const found = await find(bytes);
        const unfinished = bytes.length - bytes.lastIndexOf(NEWLINE) - 1;
        // A line longer than a block is cut at its end.
        at = unfinished === BLOCK ? to : to - unfinished;
        if (found !== undefined || to >= total) return found;
      }
    };
    return growthOf(runtime, taskId, { from }).pipe(
      startWith(undefined),
      concatMap(look),
      filter((found) => found !== undefined),
    );
  };
}
