import type { ChildProcess } from "node:child_process";
import { systemClock } from "../clock.ts";
import type { ExitStatus } from "./processes.ts";
import { signalName } from "./signals/signal-numbers.ts";
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
  let over = false;
  const exited = (status: ExitStatus) => {
    if (over) return;
    over = true;
    rejections?.removeEventListener("unhandledrejection", rejected);
    call(status);
  };
  const rejected = (event: Event) => {
    const reason = "reason" in event ? event.reason : undefined;
    const [, number] = (reason instanceof TypeError && REJECTION.exec(reason.message)) || [];
    const isOurs = () => !over && pid !== undefined && isGone(pid);
    // The child may have been started by other code.
    if (number === undefined || !isOurs()) return;
    event.preventDefault();
    // Others may have exited as well, and are reported in the usual way.
    systemClock.after(0, () => {
      if (isOurs()) exited({ code: null, signal: signalName(Number(number)) });
    });
  };
  rejections?.addEventListener("unhandledrejection", rejected);
  child.once("exit", (code, signal) => exited({ code, signal }));
}

const host: object = globalThis;
/** Where Deno reports unhandled rejections. */
const rejections = "Deno" in host && host instanceof EventTarget ? host : undefined;
/** What Deno's `child_process` says of it. */
const REJECTION = /^Invalid signal: (\d+)$/;
