import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { DEFAULT_PATH, findProgram } from "../../find-program.ts";
import { nullByte } from "../../native/posix-spawn.ts";
import type { SpawnSpec } from "../processes.ts";

/** The same program with one pipe for both outputs, where a runtime gives one pipe to one of them only. */
export function joined(spec: SpawnSpec): SpawnSpec {
  // The shell would pass on a PWD of its own.
  const clean = spec.env["PWD"] === undefined ? "unset PWD; " : "";
  const args = ["-c", `${clean}exec "$0" "$@" 2>&1`, spec.file, ...spec.args];
  return { ...spec, file: "/bin/sh", args };
}

/** Why a program cannot start, which the shell before it would write to the output; `undefined` when it can. */
export function whyNotStarted({ file, args, env, cwd }: SpawnSpec): Error | undefined {
  const strings = [file, cwd, ...args, ...Object.entries(env).flat()];
  if (strings.some((text) => text.includes("\0"))) {
    return nullByte();
  }
  if (findProgram(file, env["PATH"] ?? DEFAULT_PATH, cwd) !== undefined) return undefined;
  const isThere = file.includes("/") && existsSync(resolve(cwd, file));
  return Object.assign(new Error("Cannot find the program"), {
    code: isThere ? "EACCES" : "ENOENT",
  });
}
