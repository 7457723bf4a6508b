import { spawnSync } from "node:child_process";
import process from "node:process";

/** Runs `taskkill` with arguments and answers its exit code. */
export type RunTaskkill = (args: readonly string[]) => number | null;

/** What it exits with when there is no such process. */
const NOT_FOUND = 128;

/**
 * Signals on Windows, which has neither signals nor groups: a negative pid means a process with all
 * that it started, as `taskkill /t` finds them. KILL forces; every other signal asks.
 *
 * It throws as `process.kill` does when there is no such process.
 *
 * @param run Runs the program; recorded answers serve tests.
 */
export function taskkill(
  run: RunTaskkill = runTaskkill,
): (pid: number, signal: string | 0) => void {
  return (pid, signal) => {
    if (signal === 0) return void process.kill(Math.abs(pid), 0);
    const tree = pid < 0 ? ["/t"] : [];
    const force = signal === "SIGKILL" ? ["/f"] : [];
    const code = run(["/pid", String(Math.abs(pid)), ...tree, ...force]);
    if (code === NOT_FOUND) {
      throw Object.assign(new Error(`Cannot end process ${pid}: there is none`), { code: "ESRCH" });
    }
  };
}

function runTaskkill(args: readonly string[]): number | null {
  return spawnSync("taskkill", args, { stdio: "ignore", windowsHide: true }).status;
}
