import * as v from "valibot";
import { STOP_CAUSES, type StopCause } from "../../event/command.ts";
import type { Invocation } from "../../event/env.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { OutputStream } from "../../stream/bytes.ts";
import { concatenated } from "../../stream/concatenated.ts";

/** The version of what is sent; hosts and workers of different versions refuse each other. */
export const VERSION = 2;

/**
 * Says that a host has a command. It holds nothing of the command: the worker asks the host for that,
 * so that a command starts once at most, for a host that lives, and the server keeps no variables.
 */
export interface Ticket {
  readonly run: string;
  readonly host: string;
}

/** A run of which a side says that it has it, or wants it. */
export interface Meant {
  readonly run: string;
  /** Its host wants it to wait. */
  readonly paused?: boolean | undefined;
  /** Its host wants its end. */
  readonly stop?: StopCause | undefined;
}

/**
 * All that a side means. It is sent again and again, so that a message that is lost changes nothing:
 * pauses and stops are sent here alone.
 */
export interface Beat {
  readonly type: "beat";
  readonly runs: readonly Meant[];
}

/** What a run prints and does, in order; without an event or an end it is output, the bytes. */
export interface Frame {
  readonly type: "frame";
  readonly run: string;
  readonly number: number;
  readonly event?: ExecutionEvent | undefined;
  /** No output follows. */
  readonly end?: boolean | undefined;
  /** Where the output comes from, of a command that keeps its streams apart. */
  readonly stream?: OutputStream | undefined;
}

/** What a host is sent. */
export type ToHost =
  | Beat
  | Frame
  | {
    readonly type: "take";
    readonly version: number;
    readonly run: string;
    readonly worker: string;
  };

/** What a running command is sent. */
export type ToRun =
  | { readonly type: "signal"; readonly run: string; readonly signal: string }
  /** The bytes are its input. A number that is known is not written again. */
  | {
    readonly type: "input";
    readonly run: string;
    readonly number: number;
    readonly end?: boolean | undefined;
  }
  /** End what it left behind. */
  | { readonly type: "sweep"; readonly run: string };

/** What a worker is sent. */
export type ToWorker = Beat | ToRun;

/** What a worker runs. */
export interface RemoteOrder extends Omit<Invocation, "env" | "shell"> {
  readonly env: Readonly<Record<string, string>>;
}

/** What is answered. */
export interface Reply {
  /** To `take`; absent: the run is not wanted any more. */
  readonly order?: RemoteOrder | undefined;
  /** Why it was not done; absent: it was. */
  readonly failure?: string | undefined;
  /** To `sweep`: the survivors. */
  readonly leftovers?: readonly Leftover[] | undefined;
}

/** Write a message: a line of JSON, and bytes after it. */
export function writeMessage(message: object, bytes: Uint8Array = new Uint8Array()): Uint8Array {
  return concatenated([new TextEncoder().encode(`${JSON.stringify(message)}\n`), bytes]);
}

/** Read what another process has sent, and its bytes; `undefined` when it is nothing that is known. */
export function readMessage<T>(
  schema: v.GenericSchema<unknown, T>,
  data: Uint8Array,
): { readonly message: T; readonly bytes: Uint8Array } | undefined {
  const newline = data.indexOf(10);
  const end = newline < 0 ? data.length : newline;
  const line = new TextDecoder().decode(data.subarray(0, end));
  try {
    return { message: v.parse(schema, JSON.parse(line)), bytes: data.subarray(end + 1) };
  } catch {
    return undefined; // any client of the account may send anything
  }
}

export const ticket: v.GenericSchema<Ticket> = v.object({ run: v.string(), host: v.string() });

const beat = v.object({
  type: v.literal("beat"),
  runs: v.array(v.object({
    run: v.string(),
    paused: v.optional(v.boolean()),
    stop: v.optional(v.picklist(STOP_CAUSES)),
  })),
});

/** As far as other parts of the runtime depend on it. */
const event = v.pipe(
  v.looseObject({
    type: v.pipe(v.string(), v.regex(/^(?:execution\.|task\.lost$)/)),
    outcome: v.optional(v.looseObject({ type: v.string() })),
    leftovers: v.optional(v.array(v.looseObject({ pid: v.number() }))),
  }),
  v.check(({ type, outcome, leftovers }) =>
    type !== "execution.exited" || (outcome !== undefined && leftovers !== undefined)
  ),
);

export const toHost: v.GenericSchema<unknown, ToHost> = v.variant("type", [
  v.object({
    type: v.literal("take"),
    version: v.number(),
    run: v.string(),
    worker: v.string(),
  }),
  v.object({
    type: v.literal("frame"),
    run: v.string(),
    number: v.number(),
    event: v.optional(v.custom<ExecutionEvent>((it) => v.is(event, it))),
    end: v.optional(v.boolean()),
    stream: v.optional(v.picklist(["stdout", "stderr"])),
  }),
  beat,
]);

export const toWorker: v.GenericSchema<ToWorker> = v.variant("type", [
  v.object({ type: v.literal("signal"), run: v.string(), signal: v.string() }),
  v.object({
    type: v.literal("input"),
    run: v.string(),
    number: v.number(),
    end: v.optional(v.boolean()),
  }),
  v.object({ type: v.literal("sweep"), run: v.string() }),
  beat,
]);

const order = v.looseObject({
  file: v.string(),
  args: v.array(v.string()),
  cwd: v.string(),
  env: v.record(v.string(), v.string()),
  limits: v.looseObject({}),
});

export const reply: v.GenericSchema<unknown, Reply> = v.object({
  order: v.optional(v.custom<RemoteOrder>((it) => v.is(order, it))),
  failure: v.optional(v.string()),
  leftovers: v.optional(v.array(v.custom<Leftover>((it) => it instanceof Object))),
});
