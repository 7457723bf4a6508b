import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { messageOf } from "../../platform/failure.ts";
import { makePrivateDirectory } from "../../platform/file/private-directory.ts";
import { keepEnds } from "../../platform/process/keep-ends.ts";
import { ownProgram } from "../own-program.ts";
import type { HostReport } from "./host-command.ts";

/** The standard error of a host, in the directory that it owns. */
const ERRORS = "host.err";

/**
 * Start a host for a directory: a process of this program that outlives us.
 *
 * Resolves once it listens, or once it found that another one owns the directory.
 */
export async function startHost(
  directory: string,
  { idleSeconds }: { readonly idleSeconds: number },
): Promise<undefined> {
  keepEnds();
  const errors = join(directory, ERRORS);
  const stderr = openErrors(directory, errors);
  const args = [...ownProgram(), "host", "--log", directory, "--idle", String(idleSeconds)];
  const child = spawn(process.execPath, args, {
    // A session of its own: what ends our terminal or our group leaves it alone.
    detached: true,
    stdio: ["ignore", "pipe", stderr],
  });
  closeSync(stderr);
  const report = await new Promise<HostReport>((resolve, reject) => {
    const fail = (state: string) =>
      reject(new Error(`Cannot start a host for "${directory}": ${state}`));
    child.once("error", (cause) => fail(cause.message));
    child.once(
      "exit",
      (code, signal) => fail(`it ended with ${signal ?? `code ${code}`}; see ${errors}`),
    );
    if (child.stdout === null) return fail("it has no output");
    createInterface({ input: child.stdout }).once("line", (line) => resolve(JSON.parse(line)));
  });
  child.removeAllListeners("exit");
  child.stdout?.destroy();
  child.unref();
  if (report.error !== undefined) throw new Error(report.error);
  return undefined;
}

function openErrors(directory: string, errors: string): number {
  try {
    makePrivateDirectory(directory);
    return openSync(errors, "a", 0o600);
  } catch (cause) {
    throw new Error(`Cannot keep sessions in "${directory}": ${messageOf(cause)}`, { cause });
  }
}
