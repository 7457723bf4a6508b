import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import type { Executor } from "../../execution/executor.ts";
import { executorsByKind } from "../../execution/executors-by-kind.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { hostOf } from "./host.ts";
import type { NatsPool } from "./pool.ts";
import { poolFields } from "./pool-fields.ts";

/** Which workers run the commands. */
export interface NatsWorkersOptions extends NatsPool {
  /** How long a command waits for a worker to take it, in milliseconds; default 30 000. */
  readonly startMs?: number;
  /** The time of waits and beats; default that of this machine. */
  readonly clock?: Clock;
}

/**
 * Run commands on the workers of a pool, over NATS JetStream: an executor for `createRuntime`.
 *
 * @throws {TypeError} When an option cannot be used, with its name and value.
 */
export function natsWorkers(options: NatsWorkersOptions): Executor {
  const checked = checkFields(schema, options, "Cannot use workers with");
  const process = hostOf({ ...checked, clock: options.clock ?? systemClock });
  // Only a worker knows its directories.
  return {
    ...executorsByKind({ kinds: { process }, absent: ABSENT }),
    checkDirectory: () => undefined,
  };
}

/** Why commands run in processes of their own. */
const ABSENT = {
  shell: "a worker keeps no shell",
  terminal: "a worker has no terminal",
  terminalShell: "a worker keeps no shell",
};

const schema = v.strictObject({
  ...poolFields,
  clock: v.exactOptional(v.looseObject({ after: v.function() })),
  startMs: v.optional(v.pipe(v.number(), v.finite("it must be finite"), v.minValue(1)), 30_000),
});
