import { openLines } from "./line-conversation.ts";

/** The connection ended without an answer, as when the process that was asked ends. */
export class HungUpError extends Error {
  override readonly name = "HungUpError";

  constructor() {
    super("it hung up without an answer");
  }
}

/**
 * Send a line to a UNIX socket and wait for the line that answers it.
 *
 * @param options.signal Ends the connection when it aborts.
 * @throws {HungUpError} When the connection ends without an answer.
 * @throws {Error} When no process listens.
 */
export async function askLine(
  path: string,
  line: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<string> {
  const lines = await openLines(path);
  signal?.addEventListener("abort", lines.close);
  try {
    if (signal?.aborted) lines.close();
    lines.send(line);
    const answer = await lines.next();
    if (answer === undefined) throw new HungUpError();
    return answer;
  } finally {
    signal?.removeEventListener("abort", lines.close);
    lines.close();
  }
}
