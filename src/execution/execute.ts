import { defer } from "rxjs";
import type { EnvBuilt } from "../event/env.ts";
import type { ExecutionEvent } from "../event/execution.ts";
import type { ByteSinks } from "../stream/bytes.ts";
import { type Stage, stage } from "../stream/stage.ts";
import type { Executor } from "./executor.ts";

/** What the execute stage needs. */
export interface ExecuteOptions {
  readonly executor: Executor;
  /** Where the bytes go that travel beside the events. */
  readonly sinks: ByteSinks;
}

/**
 * Run each built command and report its start, the steps taken to end it, and its end.
 *
 * @returns A stage from `env.built` to `execution.*`.
 */
export function execute({ executor, sinks }: ExecuteOptions): Stage<EnvBuilt, ExecutionEvent> {
  return stage(
    "env.built",
    // Deferred: an executor that acts when it is called must not act before the event was passed on.
    ({ commandId, invocation }: EnvBuilt) =>
      defer(() => executor.run(commandId, invocation, sinks)),
  );
}
