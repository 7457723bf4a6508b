import { execFileSync } from "node:child_process";
import process from "node:process";

/** Whether this machine runs Windows. */
export function onWindows(): boolean {
  return process.platform === "win32";
}

/** The name of the program that started this process, on Windows; `undefined` when it is unknown. */
export function parentProgram(): string | undefined {
  try {
    const args = ["/FI", `PID eq ${process.ppid}`, "/FO", "CSV", "/NH"];
    const said = execFileSync("tasklist", args, { encoding: "utf8", timeout: 2_000 });
    return /^"([^"]+)"/.exec(said)?.[1];
  } catch {
    return undefined;
  }
}
