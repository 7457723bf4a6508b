import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import type { Executor } from "../../execution/executor.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/failure.ts";
import { createExecutor } from "../../runtime/create-executor.ts";
import type { NatsPool } from "./pool.ts";
import { poolFields } from "./pool-fields.ts";
import { Worker } from "./worker.ts";

/** What a worker runs commands for, and with. */
export interface NatsWorkerOptions extends NatsPool {
  /** How many commands run at once; default 16. */
  readonly atOnce?: number;
  /** Runs them, and is closed with the worker; default what `createExecutor()` makes. */
  readonly executor?: Executor;
  /** The time of beats; default that of this machine. */
  readonly clock?: Clock;
}

/** A worker that runs the commands of hosts. */
export interface NatsWorker extends AsyncDisposable {
  readonly id: string;
  /** Take no more commands, end those that run, and resolve when that is reported to their hosts. */
  close(): Promise<void>;
}

/**
 * Run commands for the hosts of a pool, over NATS JetStream, until it is closed.
 *
 * @throws {TypeError} When an option cannot be used, with its name and value.
 * @throws {Error} When the server has no JetStream, or this machine lacks what ends processes.
 */
export async function natsWorker(options: NatsWorkerOptions): Promise<NatsWorker> {
  const checked = checkFields(schema, options, "Cannot work with");
  const { executor = await createExecutor(), clock = systemClock } = options;
  const worker = new Worker({ ...checked, executor, clock });
  try {
    await worker.begin();
  } catch (cause) {
    await worker.close();
    throw new Error(`Cannot work for pool "${checked.pool}": ${messageOf(cause)}`, { cause });
  }
  return worker;
}

const schema = v.strictObject({
  ...poolFields,
  atOnce: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 16),
  executor: v.exactOptional(v.looseObject({
    ...{
      capabilities: v.looseObject({}),
      run: v.function(),
      send: v.function(),
      close: v.function(),
    },
  })),
  clock: v.exactOptional(v.looseObject({ after: v.function() })),
});
