import process from "node:process";
import type { Observable } from "rxjs";
import * as v from "valibot";
import type { CommandId } from "../../event/command.ts";
import { endsCommand, type Recorded } from "../../event/event.ts";
import { type Ending, endingOf } from "../../runtime/call/result.ts";
import { tasksProjection } from "../../task/tasks.ts";
import type { Task } from "../../task/task-view.ts";
import { checkFields } from "../../value/check-fields.ts";
import { defined } from "../../value/defined.ts";
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

/** The tasks that have not ended, and the one that has just ended. */
const tasks = tasksProjection(1);

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
 * @throws {TypeError} When an option cannot be used, or what is given has no events.
 */
export function instrument(
  events: Observable<Recorded>,
  options: InstrumentOptions,
): () => void {
  checkFields(schema, options, "Cannot report to OpenTelemetry with");
  if (typeof events?.subscribe !== "function") {
    throw new TypeError("Cannot report to OpenTelemetry: there are no events; give runtime.events");
  }
  const { tracer, meter, commandText = false } = options;
  /** Of the commands that have not ended; without a tracer, none has a span. */
  const open = new Map<CommandId, Span | undefined>();
  const measured = meter && instrumentsOf(meter);
  let table = tasks.initial;
  let last = 0;
  const end = (id: CommandId, ending?: Ending) => {
    const task = table.byId.get(id);
    const span = open.get(id);
    open.delete(id);
    if (task === undefined) return;
    const outcome = ending?.type ?? "unknown";
    span?.setAttributes({ ...attributesOf(task), "shellflow.outcome": outcome });
    const failure = ending && failureOf(ending);
    if (failure !== undefined) span?.setStatus({ code: ERROR, message: failure });
    span?.end(time(last));
    measured?.ended(task, outcome, last);
  };
  const report = (recorded: Recorded) => {
    const { event, at } = recorded;
    last = at;
    table = tasks.evolve(table, recorded);
    if (!("commandId" in event)) return;
    const { commandId: id } = event;
    const task = table.byId.get(id);
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
      open.set(id, tracer?.startSpan("shellflow.command", { startTime: time(at), attributes }));
    } else if (task !== undefined && open.has(id)) {
      if (endsCommand(event)) return end(id, endingOf(task));
      if (!event.type.startsWith("output.")) open.get(id)?.addEvent(event.type, {}, time(at));
    }
  };
  // What is detached goes on, but nothing more will be known of it here.
  const stop = () => open.forEach((_, id) => end(id));
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

/** What is known of a command at its end. */
function attributesOf(
  { cwd, decision, executor, pid, outcome, totalBytes }: Task,
): Attributes {
  return {
    "shellflow.output.bytes": totalBytes,
    ...defined({
      "process.working_directory": cwd,
      "shellflow.decision": decision?.type === "granted"
        ? `granted by ${decision.by}`
        : decision?.type,
      "shellflow.executor": executor,
      "process.pid": pid,
      "process.exit.code": outcome?.type === "exited" ? outcome.code : undefined,
    }),
  };
}

/** Why a command counts as failed, if it does. */
function failureOf(ending: Ending): string | undefined {
  if (ending.type !== "exited") return "reason" in ending ? ending.reason : ending.type;
  return ending.code === 0 ? undefined : `exit code ${ending.code}`;
}

interface Instruments {
  requested(): void;
  ended(task: Task, outcome: string, at: number): void;
}

function instrumentsOf(meter: Meter): Instruments {
  const active = meter.createUpDownCounter("shellflow.command.active", {
    description: "Commands that were asked for and have not ended",
    unit: "{command}",
  });
  const seconds = (name: string, description: string) => {
    const advice = { explicitBucketBoundaries: SECONDS };
    return meter.createHistogram(name, { description, unit: "s", advice });
  };
  const duration = seconds(
    "shellflow.command.duration",
    "From the start of the process to its end",
  );
  const waiting = seconds(
    "shellflow.command.waiting",
    "From the request to the start of the process",
  );
  const output = meter.createCounter("shellflow.output", {
    description: "What commands wrote",
    unit: "By",
  });
  return {
    requested: () => active.add(1),
    ended: ({ origin, requestedAt, startedAt, totalBytes }, outcome, at) => {
      const attributes = { "shellflow.outcome": outcome, "shellflow.origin": origin };
      active.add(-1);
      output.add(totalBytes, attributes);
      if (startedAt === undefined) return;
      waiting.record((startedAt - requestedAt) / 1000, attributes);
      duration.record((at - startedAt) / 1000, attributes);
    },
  };
}
