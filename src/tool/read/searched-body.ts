import type { CommandId } from "../../event/command.ts";
import type { Suite } from "../configuration.ts";
import { ShellError } from "../error/shell-error.ts";
import { outputOf } from "../output-of.ts";
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
  const { search } = await import("../../text/search/search.ts");
  const source = await outputOf(runtime, taskId);
  try {
    const found = await search(source, expression, {
      from,
      before: context,
      after: context,
      maxChars,
      maxLineChars: 500,
    });
    const rows = found.matches.flatMap(({ line, offset, text, before, after }, i) => [
      ...(context > 0 && i > 0 ? ["--"] : []),
      ...before.map((text) => `  ${text}`),
      `${line ?? `byte ${offset}`}: ${text}`,
      ...after.map((text) => `  ${text}`),
    ]);
    const more = found.truncated ? [`[there may be more matches from byte ${found.to} on]`] : [];
    const none = rows.length === 0 ? ["[no line matches]"] : [];
    const lost = found.gaps.map(({ from, to }) => `[bytes ${from} to ${to} are lost]`);
    const text = [...rows, ...none, ...lost, ...more].join("\n");
    return { text, from, to: found.to, atEnd: true };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new ShellError("invalid_input", `search: ${cause.message}`);
  }
}
