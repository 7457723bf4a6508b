import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ChildEnds } from "../../native/child-ends.ts";
import type { NativeCalls } from "../../native/native-calls.ts";
import type { SpawnSpec } from "../processes.ts";
import type { Starter } from "./starter.ts";

/** Where programs are looked for without a PATH. */
const DEFAULT_PATH = "/bin:/usr/bin";
/** What the system says of a place that has no such program; then others are tried. */
const ABSENT = new Set(["ENOENT", "ENOTDIR", "EACCES"]);

/** Start processes by native calls. */
export function natively(calls: NativeCalls): Starter {
  const ends = new ChildEnds(calls);
  return {
    start: (spec, output, failed) => {
      // Before it is there: a signal of its end that nobody hears is gone.
      ends.listen();
      try {
        const pid = startFirst(calls, spec, output);
        return { pid, whenExited: (call) => ends.add(pid, call) };
      } catch (cause) {
        queueMicrotask(() => failed(cause));
        return undefined;
      }
    },
    look: () => ends.look(),
    close: () => ends.close(),
  };
}

/** Start the first program of the name, by the rules of `execvp`, with the PATH that it is to have. */
function startFirst(calls: NativeCalls, spec: SpawnSpec, output: number): number {
  const { file, args, cwd } = spec;
  const env = Object.entries(spec.env).map(([name, value]) => `${name}=${value}`);
  let failure: unknown;
  for (const path of placesOf(spec)) {
    const program = { path, argv: [file, ...args], env, cwd, output };
    try {
      return calls.spawn(program);
    } catch (cause) {
      const code = codeOf(cause);
      // A script that does not say what runs it is one for the shell.
      if (code === "ENOEXEC") {
        return calls.spawn({ ...program, path: "/bin/sh", argv: ["/bin/sh", path, ...args] });
      }
      if (!ABSENT.has(code)) throw cause;
      // That it may not be run says more than that there is none elsewhere.
      if (failure === undefined || code === "EACCES") failure = cause;
    }
  }
  throw failure ?? Object.assign(new Error(`posix_spawn ENOENT`), { code: "ENOENT" });
}

function placesOf({ file, cwd, env }: SpawnSpec): readonly string[] {
  if (file.includes("/")) return [file];
  if (file === "") return [];
  return (env["PATH"] ?? DEFAULT_PATH).split(":")
    .map((directory) => directory === "" ? file : `${directory}/${file}`)
    // A process that turns out to have nothing to run costs more than a look.
    .filter((path) => existsSync(resolve(cwd, path)));
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}
