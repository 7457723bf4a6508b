/**
 * Start commands without a copy of this process: for hosts that hold much memory.
 *
 * @module
 */
import { loadNativeCalls } from "./platform/native/load-native-calls.ts";
import type { NativeCalls } from "./platform/native/native-calls.ts";

export type { NativeCalls, NativeProgram } from "./platform/native/native-calls.ts";

/**
 * Load what starts commands by posix_spawn, as the option `native` of a runtime takes it.
 *
 * It needs Linux with the GNU C library, 2.29 or later, and the optional package koffi.
 *
 * @throws {Error} With the reason, where that is not there.
 *
 * @example Run a command
 * ```ts
 * import { createRuntime } from "shellflow";
 * import { nativeCalls } from "shellflow/native";
 *
 * await using runtime = await createRuntime({ mode: "bypass", native: await nativeCalls() });
 * const { output } = await runtime.run("echo hi");
 * if (output !== "hi\n") throw new Error("unexpected");
 * ```
 */
export function nativeCalls(): Promise<NativeCalls> {
  return loadNativeCalls();
}
