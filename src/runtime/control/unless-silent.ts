import type { Clock } from "../../platform/clock.ts";
import { askLine } from "../../platform/control/ask-line.ts";
import { CONTROL_VERSION } from "./protocol.ts";

/** Between two looks, in milliseconds. A stall of this process passes for one look, however long it was. */
const LOOK_MS = 500;
/** After as many looks without a word an owner is taken for stopped or hung: 5 seconds. */
const SILENT_LOOKS = 10;
/** An answer that takes longer may be one that takes its time: then the owner is asked whether it is there. */
const PROBED_LOOKS = 2;
const PING = JSON.stringify({ v: CONTROL_VERSION, op: "ping" });

/** Whom an answer is awaited from. */
export interface SilenceOptions {
  readonly owner: { readonly pid: number; readonly socket: string };
  readonly clock: Clock;
}

/**
 * Wait for an answer for as long as there are signs of life.
 *
 * The end of a task, or new output of it, may be hours away; a process that was stopped keeps its
 * socket, and would be waited for as long.
 *
 * @param ask Asks; hangs up when its signal aborts.
 * @throws {Error} When there is none for 5 seconds; the message tells the state of the owner alone.
 */
export async function unlessSilent<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { owner: { pid, socket }, clock }: SilenceOptions,
): Promise<T> {
  const over = new AbortController();
  let looks = 0;
  let probing = false;
  let cancelLook = () => {};
  const heard = () => {
    looks = 0;
    probing = false;
  };
  const silence = new Promise<never>((_, reject) => {
    const look = () => {
      if (++looks === SILENT_LOOKS) return reject(new Error(silent(pid)));
      if (looks >= PROBED_LOOKS && !probing) {
        probing = true;
        // That it is refused, or not understood, is a sign of life, too.
        askLine(socket, PING, { signal: over.signal }).then(heard, heard);
      }
      cancelLook = clock.after(LOOK_MS, look);
    };
    cancelLook = clock.after(LOOK_MS, look);
  });
  try {
    return await Promise.race([ask(over.signal), silence]);
  } finally {
    cancelLook();
    over.abort();
  }
}

function silent(pid: number): string {
  const seconds = LOOK_MS * SILENT_LOOKS / 1000;
  return `process ${pid} has given no sign of life for ${seconds} s; ` +
    `continue it if it was stopped (kill -CONT ${pid}), or end it`;
}
