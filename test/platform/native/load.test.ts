import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { loadNativeCalls } from "../../../src/platform/native/load-native-calls.ts";

const absent: string = "koffi-that-nobody-installed";

/** The functions of the package, with a C library of another kind. */
const koffi = (load: (name: string) => unknown) => () => Promise.resolve({ errno: () => 0, load });

describe("native calls", () => {
  it("are unavailable with the reason where they cannot be made", async () => {
    const noSymbol = (definition: string) => {
      throw new Error(`Cannot find function in ${definition}`);
    };
    const cases = [
      [{ platform: "darwin" }, "they are for Linux, and this is darwin"],
      [
        { load: () => import(absent) },
        'the optional package koffi is not installed; "npm install koffi" adds it',
      ],
      [
        { load: () => Promise.reject(new Error("Cannot load koffi.node\nor so")) },
        'koffi cannot be loaded: Cannot load koffi.node; "npm install koffi" adds it',
      ],
      [{ load: () => Promise.resolve({}) }, "what is installed as koffi has other functions"],
      [
        {
          load: koffi(() => {
            throw new Error("libc.so.6: cannot open shared object file");
          }),
        },
        "the GNU C library, 2.29 or later, cannot be found",
      ],
      [
        { load: koffi(() => ({ func: noSymbol })) },
        "the GNU C library, 2.29 or later, cannot be found",
      ],
    ] as const;
    for (const [options, why] of cases) {
      const native = await loadNativeCalls({ platform: "linux", ...options });
      assert.deepEqual(native, { unavailable: why });
    }
  });

  it("are loaded with the first runtime, and not with the package", async (test) => {
    if ("Deno" in globalThis) return test.skip("its test files share a process");
    const isLoaded = () => readFileSync("/proc/self/maps", "utf8").includes("koffi");
    const { createRuntime } = await import("../../../src/mod.ts");
    assert.equal(isLoaded(), false);
    const runtime = await createRuntime();
    assert.equal(isLoaded(), true);
    assert.deepEqual(runtime.spawning, { kind: "posix_spawn" });
    await runtime.close();
  });
});
