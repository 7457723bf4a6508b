import type { ExitStatus } from "../../platform/process/processes.ts";
import { signalName, signalNumber } from "../../platform/process/signals/signal-numbers.ts";
import type { TerminalExit } from "./client-terminals.ts";

/**
 * What a client reports of an exit, as the system would: a signal wins over a code, as some clients
 * report both.
 */
export function exitStatusOf({ exitCode, signal }: TerminalExit): ExitStatus {
  if (typeof signal === "string" && signal !== "") return { code: null, signal: nameOf(signal) };
  return { code: typeof exitCode === "number" ? exitCode : null, signal: null };
}

/** The name of a signal, which clients give as `SIGKILL`, `kill`, `9` or as strsignal describes it. */
function nameOf(given: string): string {
  const name = `SIG${given.trim().toUpperCase().replace(/^SIG/, "")}`;
  if (signalNumber(name) !== undefined) return name;
  // "Killed: 9" on macOS, "Signal 9" where there is no description.
  const number = Number(/(\d+)$/.exec(given)?.[1]);
  const described = DESCRIPTIONS.get(given.replace(/:.*/, "").trim());
  return described ?? (number > 0 ? signalName(number) : given);
}

/** Of strsignal(3), in glibc and macOS. */
const DESCRIPTIONS: ReadonlyMap<string, string> = new Map([
  ["Hangup", "SIGHUP"],
  ["Interrupt", "SIGINT"],
  ["Quit", "SIGQUIT"],
  ["Illegal instruction", "SIGILL"],
  ["Trace/breakpoint trap", "SIGTRAP"],
  ["Aborted", "SIGABRT"],
  ["Abort trap", "SIGABRT"],
  ["Bus error", "SIGBUS"],
  ["Floating point exception", "SIGFPE"],
  ["Killed", "SIGKILL"],
  ["User defined signal 1", "SIGUSR1"],
  ["User defined signal 2", "SIGUSR2"],
  ["Segmentation fault", "SIGSEGV"],
  ["Broken pipe", "SIGPIPE"],
  ["Alarm clock", "SIGALRM"],
  ["Terminated", "SIGTERM"],
]);
