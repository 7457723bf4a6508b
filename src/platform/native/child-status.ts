import type { ExitStatus } from "../process/processes.ts";
import { signalName } from "../process/signals/signal-numbers.ts";
import type { CLibrary } from "./c-library.ts";
import type { NativeCalls } from "./native-calls.ts";

// From the headers of Linux, the same on all processors.
const WNOHANG = 1;
const ECHILD = 10;

/** How a child ended, without waiting for it. */
export function collecting(library: CLibrary): NativeCalls["collect"] {
  const status = new Int32Array(1);
  return (pid) => {
    const found = library.waitpid(pid, status, WNOHANG);
    if (found === pid) return statusOf(status[0] ?? 0);
    // Another part of this process has taken its status, as one does that waits for any child.
    if (found < 0 && library.errno() === ECHILD) return { code: null, signal: null };
    return undefined;
  };
}

/** The low seven bits are the signal, and those above eight the code. */
function statusOf(status: number): ExitStatus {
  const number = status & 0x7f;
  if (number === 0) return { code: (status >> 8) & 0xff, signal: null };
  return { code: null, signal: signalName(number) };
}
