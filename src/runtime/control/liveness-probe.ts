import type { Clock } from "../../platform/clock.ts";
import type { LineChannel } from "../../platform/control/line-channel.ts";
import { CONTROL_VERSION } from "./protocol.ts";

/** Between two checks, in milliseconds. A stall of this process counts as one check, however long it was. */
const CHECK_MS = 500;
/** After so many checks without a line the owner counts as stopped or hung: 5 seconds. */
const MAX_CHECKS = 10;
/** A slow answer is no silence: after so many checks the owner is pinged. */
const PING_AT = 2;
/** No request has this id, so its answer is a sign of life and nothing else. */
const PING = JSON.stringify({ id: "ping", method: "ping", params: { version: CONTROL_VERSION } });

/** The owner was stopped, or hangs. */
export class SilentError extends Error {
  override readonly name = "SilentError";

  constructor(pid: number) {
    super(
      `process ${pid} has given no sign of life for ${CHECK_MS * MAX_CHECKS / 1000} s; ` +
        `continue it if it was stopped (kill -CONT ${pid}), or end it`,
    );
  }
}

/**
 * A channel to an owner whose lines fail when the owner is silent for 5 seconds while they are read.
 *
 * The end of a task, or new output of it, may be hours away; a process that was stopped keeps its
 * socket open, and would be waited for as long.
 */
export function withLivenessProbe(
  channel: LineChannel,
  { pid, clock }: { readonly pid: number; readonly clock: Clock },
): LineChannel {
  async function* lines(): AsyncGenerator<string, void, undefined> {
    const all = channel.lines[Symbol.asyncIterator]();
    for (;;) {
      let cancel = () => {};
      const silence = new Promise<never>((_, reject) => {
        let checks = 0;
        const check = () => {
          if (++checks === MAX_CHECKS) return reject(new SilentError(pid));
          if (checks === PING_AT) channel.send(PING).catch(() => {});
          cancel = clock.after(CHECK_MS, check);
        };
        cancel = clock.after(CHECK_MS, check);
      });
      const { done, value } = await Promise.race([all.next(), silence]).finally(() => cancel());
      if (done) return;
      yield value;
    }
  }
  return { ...channel, lines: lines() };
}
