import * as v from "valibot";
import { STOP_CAUSES, type StopCause } from "../../event/command.ts";
import type { Invocation } from "../../event/env.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";

/** The version of what is sent; hosts and workers of different versions refuse each other. */
export const VERSION = 1;

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
export interface BeatMessage {
  readonly type: "beat";
  readonly runs: readonly Meant[];
}

/** What a host is sent. */
export type ToHost = BeatMessage | {
  readonly type: "take";
  readonly version: number;
  readonly run: string;
  readonly worker: string;
};

/** What a worker runs. */
export interface RemoteOrder extends Omit<Invocation, "env" | "shell"> {
  readonly env: Readonly<Record<string, string>>;
}

/** What a host answers to `take`; without an order the run is not wanted any more. */
export interface Taken {
  readonly order?: RemoteOrder | undefined;
}

/** A message to a running command; `sweep` ends what it left behind. */
export type RemoteMessage =
  | { readonly type: "signal"; readonly signal: string }
  /** Sent until it is answered; a number that is known is not written again. */
  | {
    readonly type: "input";
    readonly number: number;
    readonly base64: string;
    readonly end: boolean;
  }
  | { readonly type: "sweep" };

/** What a worker is sent. */
export type ToWorker =
  | BeatMessage
  | { readonly type: "message"; readonly run: string; readonly message: RemoteMessage };

/** What a worker answers to a message, where the host waits for that. */
export interface Reply {
  /** Why it was not done; absent: it was. */
  readonly failure?: string | undefined;
  /** Of `sweep`: the survivors. */
  readonly leftovers?: readonly Leftover[] | undefined;
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

export const toHost: v.GenericSchema<ToHost> = v.variant("type", [
  v.object({
    type: v.literal("take"),
    version: v.number(),
    run: v.string(),
    worker: v.string(),
  }),
  beat,
]);

const order = v.looseObject({
  file: v.string(),
  args: v.array(v.string()),
  cwd: v.string(),
  env: v.record(v.string(), v.string()),
  limits: v.looseObject({}),
});

export const taken: v.GenericSchema<unknown, Taken> = v.object({
  order: v.optional(v.custom<RemoteOrder>((it) => v.is(order, it))),
});

export const toWorker: v.GenericSchema<ToWorker> = v.variant("type", [
  v.object({
    type: v.literal("message"),
    run: v.string(),
    message: v.variant("type", [
      v.object({ type: v.literal("signal"), signal: v.string() }),
      v.object({
        type: v.literal("input"),
        number: v.number(),
        base64: v.string(),
        end: v.boolean(),
      }),
      v.object({ type: v.literal("sweep") }),
    ]),
  }),
  beat,
]);

export const reply: v.GenericSchema<unknown, Reply> = v.object({
  failure: v.optional(v.string()),
  leftovers: v.optional(v.array(v.custom<Leftover>((it) => it instanceof Object))),
});

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

/** An event of a worker of this version, as far as other parts of the runtime depend on it. */
export const executionEvent: v.GenericSchema<unknown, ExecutionEvent> = v.custom<ExecutionEvent>((
  it,
) => v.is(event, it));

/** Read what another process has sent; `undefined` when it is nothing that is known. */
export function readMessage<T>(
  schema: v.GenericSchema<unknown, T>,
  data: Uint8Array,
): T | undefined {
  try {
    return v.parse(schema, JSON.parse(new TextDecoder().decode(data)));
  } catch {
    return undefined; // any client of the account may send anything
  }
}
