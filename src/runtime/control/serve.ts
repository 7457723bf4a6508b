import type { Clock } from "../../platform/clock.ts";
import { controlPath } from "../../platform/control/control-path.ts";
import { serveLines } from "../../platform/control/line-server.ts";
import type { Runtime } from "../runtime.ts";
import { answerLine, refusal } from "./answer.ts";
import { LONGEST_REQUEST } from "./protocol.ts";

/** Where a runtime answers other processes. */
export interface Control {
  /** The path of the socket. */
  readonly path: string;
  /** Answer no more, and remove the socket. */
  close(): Promise<void>;
}

/** Answer other processes of this user about the tasks of a runtime. */
export async function serveControl(
  runtime: Runtime,
  { directory, clock }: { readonly directory: string; readonly clock: Clock },
): Promise<Control> {
  const { path, remove } = controlPath(directory);
  // Left by an owner that died; we own the directory, so nobody listens there.
  if (path.startsWith(directory)) remove();
  const server = await serveLines(path, {
    answer: (line) => answerLine(runtime, clock, line),
    longestLine: LONGEST_REQUEST,
    tooLong: refusal(`Cannot answer: a request has at most ${LONGEST_REQUEST} bytes`),
  }).catch((cause) => {
    remove();
    throw cause;
  });
  return {
    path,
    close: async () => {
      await server.close();
      remove();
    },
  };
}
