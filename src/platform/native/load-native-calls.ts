import process from "node:process";
import { hasRealPipes } from "../pipe/pipes.ts";
import { messageOf } from "../failure.ts";
import { type LoadPackage, whyNotLoaded } from "../optional-package.ts";
import { exitCollector } from "./child-ends.ts";
import { cLibrary, type Koffi } from "./c-library.ts";
import type { NativeCalls } from "./native-calls.ts";
import { posixSpawn } from "./posix-spawn.ts";

/** The system below, as tests replace it. */
export interface LoadNativeCallsOptions {
  readonly platform?: string;
  readonly load?: LoadPackage;
}

/** Native calls, or why there are none here. */
export type Native = NativeCalls | { readonly unavailable: string };

/** Load what makes native calls, which takes the optional package koffi and the GNU C library. */
export async function loadNativeCalls(
  { platform = process.platform, load = () => import("koffi") }: LoadNativeCallsOptions = {},
): Promise<Native> {
  // To load it would ask the user for a permission.
  const mayLoad = !("Deno" in globalThis) || hasRealPipes();
  if (!mayLoad) return { unavailable: "Deno loads native calls with --allow-all" };
  if (platform !== "linux") return { unavailable: `they are for Linux, and this is ${platform}` };
  try {
    const library = cLibrary(await loadKoffi(load));
    return {
      spawn: posixSpawn(library),
      collect: exitCollector(library),
      poll: (list, count) =>
        new Promise((resolve) => {
          library.poll(list, count, -1, resolve);
        }),
      makeFifo: (path) => library.mkfifo(path, 0o600) === 0,
    };
  } catch (cause) {
    return { unavailable: messageOf(cause) };
  }
}

async function loadKoffi(load: LoadPackage): Promise<Koffi> {
  let loaded: unknown;
  try {
    loaded = await load();
  } catch (cause) {
    throw new Error(whyNotLoaded("koffi", cause), { cause });
  }
  if (isKoffi(loaded)) return loaded;
  throw new Error("what is installed as koffi has other functions");
}

const USED = ["errno", "load"] satisfies readonly (keyof Koffi)[];

function isKoffi(loaded: unknown): loaded is Koffi {
  const found = typeof loaded === "object" && loaded !== null ? loaded : {};
  return USED.every((name) => name in found);
}
