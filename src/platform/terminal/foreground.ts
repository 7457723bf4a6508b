import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import process from "node:process";
import { attempt } from "../failure.ts";
import type { ProcessTable } from "../process/processes.ts";

/**
 * How the foreground process group of a terminal waits: in a read of the terminal, in a call that
 * waits for any of several descriptors, or in neither; "unknown" where the system does not show it.
 */
export type ForegroundWait = "read" | "poll" | "neither" | "unknown";

/** Numbers of system calls, by what they mean for a terminal. */
interface CallNumbers {
  readonly read: ReadonlySet<number>;
  readonly poll: ReadonlySet<number>;
}

/** `read`, `readv`; `poll`, `select`, `epoll_wait`, `pselect6`, `ppoll`, `epoll_pwait`, `epoll_pwait2`. */
const CALLS: Readonly<Record<string, CallNumbers>> = {
  x64: { read: new Set([0, 19]), poll: new Set([7, 23, 232, 270, 271, 281, 441]) },
  arm64: { read: new Set([63, 65]), poll: new Set([22, 72, 73, 441]) },
};

/**
 * Look how the foreground process group of a terminal waits.
 *
 * @param terminal The leader of its session and its device.
 * @param table The processes of this moment.
 */
export function foreground(
  terminal: { readonly pid: number; readonly device: string },
  table: ProcessTable,
): ForegroundWait | undefined {
  const group = foregroundGroup(terminal.pid);
  if (group === undefined) return undefined;
  const waits = table.all.filter((member) => member.group === group)
    .flatMap(({ pid }) => waitsOf(pid, terminal.device));
  const order = ["read", "poll", "neither"] as const;
  return order.find((wait) => waits.includes(wait)) ?? "unknown";
}

/** The field `tpgid` of proc_pid_stat(5). */
function foregroundGroup(pid: number): number | undefined {
  const stat = text(`/proc/${pid}/stat`);
  const group = Number(stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[5]);
  return group > 0 ? group : undefined;
}

function waitsOf(pid: number, device: string): readonly ForegroundWait[] {
  const threads = attempt(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  return threads.map((thread) => {
    const call = text(`/proc/${pid}/task/${thread}/syscall`);
    const calls = CALLS[process.arch];
    if (call === undefined || calls === undefined) return "unknown";
    const [number, descriptor] = call.split(" ").map(Number);
    if (number === undefined) return "neither";
    if (calls.read.has(number)) {
      return isTerminal(`/proc/${pid}/fd/${descriptor}`, device) ? "read" : "neither";
    }
    return calls.poll.has(number) ? "poll" : "neither";
  });
}

function isTerminal(link: string, device: string): boolean {
  const target = attempt(() => readlinkSync(link));
  return target === device || target === "/dev/tty";
}

function text(path: string): string | undefined {
  return attempt(() => readFileSync(path, "latin1"));
}
