import { startNativeChild } from "../../native/child-ends.ts";
import type { NativeCalls } from "../../native/native-calls.ts";
import type { SpawnSpec } from "../processes.ts";
import { type Descriptors, programOf, type Start } from "./start.ts";
import { codeOf } from "../../failure.ts";

/** Start processes by native calls. */
export function byPosixSpawn(calls: NativeCalls): Start {
  const { collect } = calls;
  return (spec, descriptors, { exit, failed }) => {
    try {
      return startNativeChild(() => spawn(calls, spec, descriptors), { collect, ended: exit });
    } catch (cause) {
      queueMicrotask(() => failed(cause));
      return undefined;
    }
  };
}

function spawn(calls: NativeCalls, spec: SpawnSpec, descriptors: Descriptors): number {
  const { file, args, cwd } = spec;
  const env = Object.entries(spec.env).map(([name, value]) => `${name}=${value}`);
  const path = programOf(spec);
  // A path that cannot be run is left to the system, which says why.
  const program = { path: path ?? (file || "/"), argv: [file, ...args], env, cwd, ...descriptors };
  if (path === undefined && !file.includes("/")) {
    throw Object.assign(new Error("Cannot find the program"), { code: "ENOENT" });
  }
  try {
    return calls.spawn(program);
  } catch (cause) {
    if (codeOf(cause) !== "ENOEXEC") throw cause;
    // As a shell does with a script that does not name its interpreter.
    return calls.spawn({ ...program, path: "/bin/sh", argv: ["/bin/sh", program.path, ...args] });
  }
}
