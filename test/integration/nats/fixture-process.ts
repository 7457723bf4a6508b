import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { cleanUp } from "../../clean-up.ts";
import { runArgs } from "../../run-args.ts";

type Name = "host" | "worker";

const FILES: Readonly<Record<Name, URL>> = {
  host: new URL("./fixture/host.ts", import.meta.url),
  worker: new URL("./fixture/worker.ts", import.meta.url),
};

/** Run a file of the fixture as a process of its own; resolves with its first line. */
export async function started(
  name: Name,
  args: readonly string[],
): Promise<[ChildProcess, string]> {
  const file = FILES[name];
  const child = spawn(process.execPath, [...runArgs(file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  cleanUp(() => child.exitCode ?? child.signalCode ?? process.kill(child.pid ?? 0, "SIGKILL"));
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  const [line] = await Promise.race([once(child.stdout, "data"), ended]);
  ended.catch(() => {}); // it is killed later
  return [child, String(line).trim()];
}
