import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { createRuntime } from "../../../src/runtime/create.ts";
import { loadNativeCalls } from "../../../src/platform/native/load-native-calls.ts";
import { runArgs } from "../../run-args.ts";

const absent: string = "koffi-that-nobody-installed";
const host = new URL("./importer.ts", import.meta.url);

/** The functions of the package, with a C library of another kind. */
const koffi = (load: (name: string) => unknown, pointerBytes = 8) => () =>
  Promise.resolve({ address: () => 0n, errno: () => 0, sizeof: () => pointerBytes, load });

describe("native calls", () => {
  it("are refused with the reason where they cannot be made", async () => {
    const noSymbol = (definition: string) => {
      throw new Error(`Cannot find function in ${definition}`);
    };
    const cases = [
      [{ platform: "darwin" }, "they are for Linux, and this is darwin"],
      [{ load: () => import(absent) }, "the optional package koffi is not installed"],
      [
        { load: () => Promise.reject(new Error("Cannot load koffi.node\nor so")) },
        "koffi cannot be loaded: Cannot load koffi.node",
      ],
      [{ load: () => Promise.resolve({}) }, "what is installed as koffi has other functions"],
      [{ load: koffi(() => ({}), 4) }, "a 64-bit system is needed"],
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
      await assert.rejects(loadNativeCalls({ platform: "linux", ...options }), {
        message: `Cannot make native calls: ${why}`,
      });
    }
  });

  it("are what the option takes, and no promise of them", async () => {
    const promise: unknown = loadNativeCalls();
    for (const native of [promise, {}, "yes"]) {
      // @ts-expect-error: a caller without types.
      await assert.rejects(createRuntime({ native }), {
        name: "TypeError",
        message: /^Cannot create a runtime with native .*: it is not what nativeCalls\(\) resolves/,
      });
    }
    await promise;
  });

  it("are loaded by nobody who does not ask for them", async () => {
    const loads = async (entry: string) => {
      const { stdout } = await promisify(execFile)(process.execPath, [...runArgs(host), entry]);
      return JSON.parse(stdout);
    };
    assert.equal(await loads("mod"), false);
    assert.equal(await loads("native"), true);
  });
});
