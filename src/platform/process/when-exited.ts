import type { ChildProcess } from "node:child_process";
import { systemClock } from "../clock.ts";
import type { ExitStatus } from "./processes.ts";
import { REAL_TIME_SIGNALS } from "./signals/signal-numbers.ts";
import { isGone } from "./is-gone.ts";

/**
 * Call once with the exit status of a child of `node:child_process`.
 *
 * Neither runtime has a name for a real-time signal. Node reports a child that one ended as exited with
 * 0. Deno rejects a promise that nothing can reach, which would end this process: the rejection is
 * taken as the exit that it stands for.
 */
export function whenExited(child: ChildProcess, call: (status: ExitStatus) => void): void {
  const { pid } = child;
  if (rejections === undefined || pid === undefined) {
    child.once("exit", (code, signal) => call({ code, signal }));
    return;
  }
  if (living.size === 0) rejections.addEventListener("unhandledrejection", take);
  living.set(pid, (status) => {
    living.delete(pid);
    if (living.size === 0) rejections.removeEventListener("unhandledrejection", take);
    call(status);
  });
  child.once("exit", (code, signal) => living.get(pid)?.({ code, signal }));
}

const host: object = globalThis;
/** Where Deno reports unhandled rejections. */
const rejections = "Deno" in host && host instanceof EventTarget ? host : undefined;
/** What Deno's `child_process` says of it. */
const REJECTION = /^Invalid signal: (\d+)$/;

/** The children whose exit was not reported, by pid. */
const living = new Map<number, (status: ExitStatus) => void>();

function take(event: Event): void {
  const reason = "reason" in event ? event.reason : undefined;
  const [, number] = (reason instanceof TypeError && REJECTION.exec(reason.message)) || [];
  const signal = REAL_TIME_SIGNALS.get(Number(number));
  // The child may have been started by other code.
  if (signal === undefined || ![...living.keys()].some(isGone)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // Others may have exited as well, and are reported in the usual way.
  systemClock.after(0, () => {
    const pid = [...living.keys()].find(isGone);
    if (pid !== undefined) living.get(pid)?.({ code: null, signal });
  });
}
