import type { ExitStatus } from "../process/processes.ts";
import { signalName } from "../process/signals/signal-numbers.ts";
import type { CLibrary } from "./c-library.ts";
import type { NativeCalls } from "./native-calls.ts";

// From the headers of Linux, the same on all processors.
const WNOHANG = 1;
const WEXITED = 4;
const WNOWAIT = 0x01000000;
const P_ALL = 0;
const ECHILD = 10;
const SIGINFO_BYTES = 128;
/** Where the pid is in what `waitid` tells, on a 64-bit system, in words of 4 bytes. */
const SI_PID = 4;

/** Hear of the ends of children, without waiting and without taking those of others. */
export function childStatus(library: CLibrary): Pick<NativeCalls, "collect" | "anyEnded"> {
  const status = new Int32Array(1);
  const info = new Int32Array(SIGINFO_BYTES / 4);
  return {
    collect: (pid) => {
      const found = library.waitpid(pid, status, WNOHANG);
      if (found === pid) return statusOf(status[0] ?? 0);
      // Somebody else has taken its status, as one does who waits for any child.
      if (found < 0 && library.errno() === ECHILD) return { code: null, signal: null };
      return undefined;
    },
    anyEnded: () => {
      // It is left as it was where there is none.
      info[SI_PID] = 0;
      library.waitid(P_ALL, 0, info, WEXITED | WNOHANG | WNOWAIT);
      return info[SI_PID] || undefined;
    },
  };
}

/** Of what `waitpid` tells the low seven bits are the signal, and those above eight the code. */
function statusOf(status: number): ExitStatus {
  const number = status & 0x7f;
  if (number === 0) return { code: (status >> 8) & 0xff, signal: null };
  return { code: null, signal: signalName(number) };
}
