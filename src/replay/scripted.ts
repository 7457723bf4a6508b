import * as v from "valibot";
import { checkFields } from "../value/check-fields.ts";
import type { ExecutionEvent, Outcome } from "../event/execution.ts";
import { shownValue } from "../value/shown.ts";
import type { RecordedStep, Recording } from "./recording.ts";

/** What a command that is written by hand does. */
export interface Script {
  /** What it prints: all at its start, or each text at its time in milliseconds from the start, in their order. */
  readonly output?: string | readonly (readonly [atMs: number, text: string])[];
  /** How it ends, as an exit code or as an outcome; 0 when absent. */
  readonly ends?: number | Outcome;
  /** From its start to its end, in milliseconds; at least, and by default, as long as it prints. */
  readonly durationMs?: number;
}

/**
 * Write a recording by hand, for a command that a test needs and nothing has to run.
 *
 * @param command The line that it answers; the same line again needs another recording.
 * @throws {TypeError} When the line or a field of the script cannot be used, with its value.
 *
 * @example Test what follows when a build fails after an hour
 * ```ts
 * import { createRuntime } from "shellflow";
 * import { playback, scripted } from "shellflow/testing";
 *
 * const build = scripted("make", { output: "no rule\n", ends: 2, durationMs: 3_600_000 });
 * await using runtime = await createRuntime({ mode: "bypass", ...playback([build]) });
 * const { output, exitCode, durationMs } = await runtime.run("make");
 * if (output !== "no rule\n" || exitCode !== 2 || durationMs < 3_600_000) throw output;
 * ```
 */
export function scripted(
  command: string,
  script: Script = {},
): Recording {
  if (typeof command !== "string") {
    throw new TypeError(`Cannot script the command ${shownValue(command)}: it must be text`);
  }
  checkFields(schema, script, `Cannot script "${command}" with`);
  const { output = "", ends = 0, durationMs } = script;
  const commandId = "scripted";
  const printed = typeof output === "string" ? [[0, output] as const] : output;
  printed.reduce((before, [atMs], index) => {
    if (atMs >= before) return atMs;
    const field = `output.${index}.0`;
    throw new TypeError(
      `Cannot script "${command}" with ${field} ${atMs}: the text before it comes at ${before}`,
    );
  }, 0);
  const endMs = Math.max(durationMs ?? 0, ...printed.map(([atMs]) => atMs));
  const event = (atMs: number, event: ExecutionEvent): RecordedStep => ({
    atMs,
    type: "event",
    event,
  });
  const outcome: Outcome = typeof ends === "number" ? { type: "exited", code: ends } : ends;
  return {
    commandId,
    command,
    cwd: "/",
    steps: [
      event(0, { type: "execution.started", commandId, executor: "replay", pid: 0 }),
      ...printed.map(([atMs, text]): RecordedStep => ({
        atMs,
        type: "bytes",
        bytes: new TextEncoder().encode(text),
      })),
      event(endMs, {
        type: "execution.exited",
        commandId,
        outcome,
        durationMs: endMs,
        leftovers: [],
      }),
      event(endMs, { type: "execution.closed", commandId, leftovers: [] }),
    ],
  };
}

const text = v.string();
const ms = v.pipe(v.number(), v.finite("it must be finite"), v.minValue(0));
const code = v.pipe(v.number("it must be an exit code or an outcome"), v.integer(), v.minValue(0));

const outcome = v.variant("type", [
  v.looseObject({ type: v.literal("exited"), code }),
  v.looseObject({ type: v.literal("signaled"), signal: text }),
  v.looseObject({ type: v.picklist(["timedOut", "idleTimedOut"]), limitMs: ms }),
  v.looseObject({ type: v.picklist(["aborted", "outputLimited"]) }),
  v.looseObject({ type: v.picklist(["spawnFailed", "lost", "unknown"]), reason: text }),
]);

const schema = v.strictObject({
  output: v.exactOptional(
    v.lazy((given) => Array.isArray(given) ? v.array(v.tuple([ms, text])) : text),
  ),
  ends: v.exactOptional(v.lazy((given) => typeof given === "object" ? outcome : code)),
  durationMs: v.exactOptional(ms),
});
