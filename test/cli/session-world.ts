import { rmSync } from "node:fs";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { uniqueTemporaryPath } from "../../src/platform/file/temporary.ts";
import { ownerOf } from "../../src/platform/owner/owner-lock.ts";
import { cleanUp } from "../clean-up.ts";
import { type Ran, type RunCliOptions, shellflow } from "./shellflow.ts";

/** A state directory of its own for a test, whose host ends with the tests of the file. */
export interface StateDirectory {
  readonly path: string;
  /** Run `shellflow COMMAND --log DIRECTORY ...`. */
  cli(args: readonly [string, ...string[]], options?: RunCliOptions): Promise<Ran>;
  /** The process that owns it. */
  host(): Promise<number | undefined>;
  /** Wait until no process owns it. */
  untilGone(): Promise<void>;
  /** End its host, if it has one. */
  stop(): Promise<void>;
}

/** A state directory that is not there yet; by default a temporary one. */
export function stateDirectory(
  path: string = uniqueTemporaryPath("shellflow-session").path,
): StateDirectory {
  const host = async () => (await ownerOf(path))?.pid;
  const untilGone = async () => {
    while (await host() !== undefined) await pause(10);
  };
  const stop = async () => {
    const pid = await host();
    if (pid !== undefined) process.kill(pid, "SIGTERM");
    await untilGone();
  };
  cleanUp(async () => {
    await stop();
    rmSync(path, { recursive: true, force: true });
  });
  return {
    path,
    cli: ([command, ...args], options) => shellflow([command, "--log", path, ...args], options),
    host,
    untilGone,
    stop,
  };
}
