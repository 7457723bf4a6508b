import process from "node:process";
import type { Observable } from "rxjs";
import * as v from "valibot";
import type { CommandId, Origin } from "../../event/command.ts";
import type { Recorded, RuntimeEvent } from "../../event/event.ts";
import type { Outcome } from "../../event/execution.ts";
import { checkFields } from "../../value/check-fields.ts";
import type { Attributes, Meter, Span, Tracer } from "./open-telemetry.ts";

/** What {@linkcode instrument} reports, and to what. */
export interface InstrumentOptions {
  /** Gets a span for each command; absent: there are none. */
  readonly tracer?: Tracer;
  /** Gets the measurements; absent: there are none. */
  readonly meter?: Meter;
  /** Whether spans have the text of commands, in which secrets can be; default `false`. */
  readonly commandText?: boolean;
}

const schema = v.strictObject({
  tracer: v.exactOptional(v.looseObject({ startSpan: v.function() })),
  meter: v.exactOptional(v.looseObject({ createHistogram: v.function() })),
  commandText: v.exactOptional(v.boolean()),
});

/** A command on its way. */
interface Open {
  readonly span: Span | undefined;
  readonly origin: Origin;
  readonly requestedAt: number;
  startedAt?: number;
  bytes: number;
}

/** How a command ended. */
interface End {
  readonly outcome: string;
  /** Why it counts as failed. */
  readonly failure?: string;
}

/**
 * Report commands to OpenTelemetry: a span for each, from its request to its end, with its events, and
 * measurements by outcome.
 *
 * The span of a command is a child of what is active where the command is started. Times are those of
 * the events, so that a recorded log gives the same spans.
 *
 * A tracer or meter that throws harms no command: the first time is a warning of the process.
 *
 * @param events `runtime.events`, or those of a log.
 * @returns Call it to report no more; spans that are open end then.
 * @throws {TypeError} When an option cannot be used.
 */
export function instrument(
  events: Observable<Recorded>,
  options: InstrumentOptions,
): () => void {
  checkFields(schema, options, "Cannot report to OpenTelemetry with");
  const { tracer, meter, commandText = false } = options;
  const open = new Map<CommandId, Open>();
  const measured = meter && instrumentsOf(meter);
  let last = 0;
  const end = (id: CommandId, command: Open, { outcome, failure }: End) => {
    const { span, bytes } = command;
    open.delete(id);
    span?.setAttributes({ "shellflow.outcome": outcome, "shellflow.output.bytes": bytes });
    if (failure !== undefined) span?.setStatus({ code: ERROR, message: failure });
    span?.end(time(last));
    measured?.ended(command, outcome, last);
  };
  const report = ({ event, at }: Recorded) => {
    last = at;
    if (!("commandId" in event)) return;
    const { commandId: id } = event;
    if (event.type === "command.requested") {
      const { command, sessionId, origin, owner } = event;
      const attributes = {
        "shellflow.task.id": id,
        "shellflow.session.id": sessionId,
        "shellflow.origin": origin,
        ...(owner !== undefined && { "shellflow.owner": owner }),
        ...(commandText && { "process.command_line": command }),
      };
      measured?.requested();
      const span = tracer?.startSpan("shellflow.command", { startTime: time(at), attributes });
      open.set(id, { span, origin, requestedAt: at, bytes: 0 });
      return;
    }
    const command = open.get(id);
    if (command === undefined) return;
    if (event.type === "output.appended") command.bytes = event.to;
    if (event.type === "execution.started") command.startedAt = at;
    command.span?.setAttributes(attributesOf(event));
    const ended = endOf(event, command);
    if (ended !== undefined) return end(id, command, ended);
    if (!event.type.startsWith("output.")) command.span?.addEvent(event.type, {}, time(at));
  };
  // What is detached goes on, but nothing more will be known of it here.
  const stop = () => open.forEach((command, id) => end(id, command, { outcome: "unknown" }));
  let failed = false;
  function guarded(call: () => void): void {
    try {
      call();
    } catch (cause) {
      if (!failed) {
        process.emitWarning(`Cannot report to OpenTelemetry: ${cause}`, { code: "SHELLFLOW" });
      }
      failed = true;
    }
  }
  // Events that were recorded before come at once.
  const subscription = events.subscribe({
    next: (recorded) => guarded(() => report(recorded)),
    complete: () => guarded(stop),
    error: () => guarded(stop),
  });
  return () => {
    subscription.unsubscribe();
    guarded(stop);
  };
}

/** Commands last from milliseconds to hours; what the SDK takes by default suits milliseconds. */
const SECONDS = [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600, 1800, 3600];

/** `SpanStatusCode.ERROR`. */
const ERROR = 2;

/** OpenTelemetry takes small numbers, as virtual time has them, for times since the process began. */
function time(at: number): Date {
  return new Date(at);
}

/** What an event says of its command. */
function attributesOf(event: RuntimeEvent): Attributes {
  switch (event.type) {
    case "command.admitted":
      return { "process.working_directory": event.order.cwd };
    case "permission.granted":
      return { "shellflow.decision": `granted by ${event.by}` };
    case "permission.denied":
      return { "shellflow.decision": "denied" };
    case "execution.started":
      return { "shellflow.executor": event.executor, "process.pid": event.pid };
    case "execution.exited":
      return event.outcome.type === "exited" ? { "process.exit.code": event.outcome.code } : {};
    default:
      return {};
  }
}

/** What a command without a process came to, as in results. */
const OUTCOMES = {
  "command.rejected": "rejected",
  "permission.denied": "denied",
  "env.refused": "failed",
  "task.lost": "lost",
} as const;

/** How an event ends its command, if it does. */
function endOf(event: RuntimeEvent, { startedAt }: Open): End | undefined {
  switch (event.type) {
    case "command.cancelled":
      return { outcome: "aborted", failure: `by ${event.by}` };
    case "command.rejected":
    case "permission.denied":
    case "env.refused":
    case "task.lost":
      return { outcome: OUTCOMES[event.type], failure: event.reason };
    case "execution.failed":
      return {
        outcome: startedAt === undefined ? "spawnFailed" : "unknown",
        failure: event.reason,
      };
    case "execution.exited":
      return endOfProcess(event.outcome);
    default:
      return undefined;
  }
}

function endOfProcess(outcome: Outcome): End {
  const { type } = outcome;
  if (type !== "exited") {
    return { outcome: type, failure: "reason" in outcome ? outcome.reason : type };
  }
  const { code } = outcome;
  return { outcome: type, ...(code !== 0 && { failure: `exit code ${code}` }) };
}

interface Instruments {
  requested(): void;
  ended(command: Open, outcome: string, at: number): void;
}

function instrumentsOf(meter: Meter): Instruments {
  const active = meter.createUpDownCounter("shellflow.command.active", {
    description: "Commands that were asked for and have not ended",
    unit: "{command}",
  });
  const duration = meter.createHistogram("shellflow.command.duration", {
    description: "From the start of the process to its end",
    unit: "s",
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const waiting = meter.createHistogram("shellflow.command.waiting", {
    description: "From the request to the start of the process",
    unit: "s",
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const output = meter.createCounter("shellflow.output", {
    description: "What commands wrote",
    unit: "By",
  });
  return {
    requested: () => active.add(1),
    ended: ({ origin, requestedAt, startedAt, bytes }, outcome, at) => {
      const attributes = { "shellflow.outcome": outcome, "shellflow.origin": origin };
      active.add(-1);
      output.add(bytes, attributes);
      if (startedAt === undefined) return;
      waiting.record((startedAt - requestedAt) / 1000, attributes);
      duration.record((at - startedAt) / 1000, attributes);
    },
  };
}
