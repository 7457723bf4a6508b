import type { CommandId } from "../../event/command.ts";
import { type ByteSource, snapshotOf } from "../../text/source/source.ts";
import type { Runtime } from "../runtime.ts";

/**
 * The output of a task as it is now, with the secrets of the host's environment as stars: for
 * `excerpt`, `lines` and `search` where a model or a person reads what they give.
 *
 * @throws {Error} When there is no such task, or its bytes are not kept.
 *
 * @example Show a model the end of a long output
 * ```ts
 * import { createRuntime, excerpt, maskedOutput } from "shellflow";
 *
 * await using runtime = await createRuntime({
 *   mode: "bypass",
 *   hostEnv: { PATH: "/usr/bin:/bin", API_KEY: "a1b2c3d4e5" },
 * });
 * const { taskId } = await runtime.run("seq 1000; echo a1b2c3d4e5");
 * const { text } = await excerpt(await maskedOutput(runtime, taskId), { maxChars: 400 });
 * if (!text.endsWith("1000\n**********")) throw new Error("unexpected");
 * ```
 */
export async function maskedOutput(
  runtime: Pick<Runtime, "output" | "read" | "tasks">,
  taskId: CommandId,
): Promise<ByteSource> {
  const read: ByteSource["read"] = (range) => runtime.read(taskId, { ...range, masked: true });
  const log = runtime.output(taskId);
  if (log !== undefined) return { ...snapshotOf(log), read };
  const { total } = await runtime.read(taskId, { maxBytes: 1 });
  const path = runtime.tasks.current.byId.get(taskId)?.detached?.log;
  return {
    total,
    artifact: path === undefined ? undefined : { path, bytes: total },
    read,
  };
}
