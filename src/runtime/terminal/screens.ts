import { lazy } from "../../platform/lazy.ts";
import * as v from "valibot";
import type { CommandId } from "../../event/command.ts";
import type { Executor } from "../../execution/executor.ts";
import type { ReadResult } from "../../output/read/read-bytes.ts";
import { loadEmulator } from "../../screen/emulator.ts";
import { rebuildScreen } from "../../screen/rebuild.ts";
import type { ScreenSnapshot } from "../../screen/snapshot.ts";
import type { Task } from "../../task/task-view.ts";
import type { Mask } from "../../text/mask.ts";
import { checkFields } from "../../value/check-fields.ts";
import { defined } from "../../value/defined.ts";
import { wholeNumber } from "../call/fields.ts";

/** Which screen is wanted, and how. */
export interface ScreenOptions {
  /** With the styles of its cells, too; default `false`. */
  readonly styled?: boolean;
  /** As it was when so many bytes of output had come; default now, or at the end of the task. */
  readonly offset?: number;
}

/** What screens are made of. */
export interface ScreenParts {
  readonly executor: Pick<Executor, "screen">;
  readonly read: (
    taskId: CommandId,
    options: { readonly from: number; readonly maxBytes: number },
  ) => Promise<Pick<ReadResult, "bytes" | "gaps" | "total">>;
  /** Hides secrets; absent: all is shown. */
  readonly mask?: Mask | undefined;
}

const schema = v.strictObject({
  styled: v.optional(v.boolean()),
  offset: v.optional(wholeNumber),
});

/** Show the screen of a task: of a running one as it is, of others again from their output. */
export async function showScreen(
  task: Task,
  options: ScreenOptions,
  { executor, read, mask }: ScreenParts,
): Promise<ScreenSnapshot> {
  const { styled = false, offset } = checkFields(
    schema,
    options,
    `Cannot show the screen of "${task.id}" with`,
  );
  const live = offset === undefined ? executor.screen?.(task.id) : undefined;
  const screen = live?.snapshot({ styled }) ?? await rebuilt(task, { offset, styled, read });
  return mask === undefined ? screen : masked(screen, mask);
}

const emulator = lazy(loadEmulator);

async function rebuilt(
  { id, sizes = [], totalBytes }: Task,
  { offset: asked, styled, read: readOutput }: Pick<ScreenParts, "read"> & {
    readonly offset: number | undefined;
    readonly styled: boolean;
  },
): Promise<ScreenSnapshot> {
  const offset = asked ?? totalBytes;
  const cannot = `Cannot show the screen of "${id}"`;
  if (sizes.length === 0) throw new Error(`${cannot}: it has no terminal`);
  // The size changed after the byte before it.
  const until = asked === undefined
    ? sizes
    : sizes.filter(({ from }, index) => index === 0 || from < asked);
  const read = async ({ from, to }: { from: number; to: number }) => {
    const { bytes, gaps, total } = await readOutput(id, { from, maxBytes: to - from });
    if (gaps.length === 0 && bytes.length > 0) return bytes;
    const why = from >= total
      ? `its output has ${total} bytes`
      : `its output from byte ${from} on is not kept`;
    throw new Error(`${cannot} at offset ${offset}: ${why}`);
  };
  const createEmulator = await emulator.load();
  return await rebuildScreen({ sizes: until, read }, { offset, createEmulator, styled });
}

function masked(screen: ScreenSnapshot, mask: Mask): ScreenSnapshot {
  const { title, reported: { command } } = screen;
  const lines = mask.rows(screen.lines);
  const styled = screen.styled?.map((runs, row) => {
    // A style may change within a secret.
    const text = runs.map(({ text }) => text).join("");
    const line = lines[row] ?? "";
    const shown = line + text.slice(line.length);
    let at = 0;
    return runs.map((run) => ({ ...run, text: shown.slice(at, at += run.text.length) }));
  });
  const reported = { ...screen.reported, ...defined({ command: command && mask.text(command) }) };
  return { ...screen, lines, title: mask.text(title), reported, ...defined({ styled }) };
}
