import type { Clock } from "../../platform/clock.ts";
import {
  controlPath,
  prepareControlPath,
  removeControlPath,
} from "../../platform/control/control-path.ts";
import { serveLines } from "../../platform/control/line-server.ts";
import type { Runtime } from "../runtime.ts";
import { answerLine, refusal } from "./answer.ts";
import type { GuestOptions } from "./guest/guest-options.ts";
import { guestsOf } from "./guest/guests.ts";
import { LONGEST_REQUEST } from "./protocol.ts";

/** Where a runtime answers other processes. */
export interface Control {
  /** The path of the socket. */
  readonly path: string;
  /** Answer no more, and remove the socket. */
  close(): Promise<void>;
}

/** For whom a runtime answers. */
export interface ServeOptions {
  /** The directory that it owns. */
  readonly directory: string;
  readonly clock: Clock;
  /** It runs commands for others, too. */
  readonly guests?: GuestOptions;
}

/** Answer other processes of this user about the tasks of a runtime. */
export async function serveControl(
  runtime: Runtime,
  { directory, clock, guests: hosting }: ServeOptions,
): Promise<Control> {
  const path = controlPath(directory);
  prepareControlPath(path);
  const guests = hosting && guestsOf(runtime, hosting, clock);
  const server = await serveLines(path, {
    answer: (line, connection) =>
      answerLine(line, { runtime, clock, connection, ...(guests && { guests }) }),
    longestLine: LONGEST_REQUEST,
    tooLong: refusal(`Cannot answer: a request has at most ${LONGEST_REQUEST} bytes`),
  }).catch((cause) => {
    guests?.close();
    removeControlPath(path);
    throw cause;
  });
  return {
    path,
    close: async () => {
      guests?.close();
      await server.close();
      removeControlPath(path);
    },
  };
}
