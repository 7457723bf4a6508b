import process from "node:process";
import { type LoadPackage, whyNotLoaded } from "../optional-package.ts";
import { childStatus } from "./child-status.ts";
import { cLibrary, type Koffi } from "./c-library.ts";
import type { NativeCalls } from "./native-calls.ts";
import { posixSpawn } from "./posix-spawn.ts";

/** The system below, as tests replace it. */
export interface LoadNativeCallsOptions {
  readonly platform?: string;
  readonly load?: LoadPackage;
}

/** Make native calls; see {@linkcode NativeCalls}. */
export async function loadNativeCalls(
  { platform = process.platform, load = () => import("koffi") }: LoadNativeCallsOptions = {},
): Promise<NativeCalls> {
  if (platform !== "linux") throw cannot(`they are for Linux, and this is ${platform}`);
  const koffi = await loadKoffi(load);
  try {
    const library = cLibrary(koffi);
    return {
      spawn: posixSpawn(library),
      ...childStatus(library),
    };
  } catch (cause) {
    throw cannot(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

async function loadKoffi(load: LoadPackage): Promise<Koffi> {
  let loaded: unknown;
  try {
    loaded = await load();
  } catch (cause) {
    throw cannot(whyNotLoaded("koffi", cause), cause);
  }
  if (isKoffi(loaded)) return loaded;
  throw cannot("what is installed as koffi has other functions");
}

const USED = ["address", "errno", "load", "sizeof"] satisfies readonly (keyof Koffi)[];

function isKoffi(loaded: unknown): loaded is Koffi {
  const found = typeof loaded === "object" && loaded !== null ? loaded : {};
  return USED.every((name) => name in found);
}

function cannot(why: string, cause?: unknown): Error {
  return new Error(`Cannot make native calls: ${why}`, { cause });
}
