import { Observable } from "rxjs";
import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import type { Invocation } from "../../event/env.ts";
import type { Executor } from "../../execution/executor.ts";
import { executorsByKind } from "../../execution/executors-by-kind.ts";
import { cannotStart } from "../../execution/run/cannot-start.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { Host } from "./host.ts";
import type { RemoteOrder } from "./messages.ts";
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
  const checked = checkFields(schema, options, CANNOT);
  const host = new Host({ ...checked, clock: options.clock ?? systemClock });
  const process: Executor = {
    name: "nats",
    capabilities: {
      ...{ terminal: false, input: true, persistent: false, detaches: false, splits: true },
    },
    run: (commandId, invocation, sinks) =>
      new Observable((subscriber) => {
        const run = host.add({
          ...{ commandId, sinks, subscriber, order: orderOf(invocation) },
          failure: (cause) => cannotStart(invocation, cause),
        });
        void host.offer(run);
        return () => run.abandon();
      }),
    send: (commandId, message) => {
      const run = host.runOf(commandId);
      if (run === undefined) return false;
      if (message.type === "stop") return run.stop(message.by);
      if (message.type === "input") return run.write(message);
      return message.type === "signal" && run.signal(message.signal);
    },
    sweep: async (commandId) => await host.runOf(commandId)?.sweep() ?? [],
    close: () => host.close(),
  };
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

const CANNOT = "Cannot use workers with";

const schema = v.strictObject({
  ...poolFields,
  clock: v.exactOptional(v.looseObject({ after: v.function() })),
  startMs: v.optional(v.pipe(v.number(), v.finite("it must be finite"), v.minValue(1)), 30_000),
});

/** What a worker needs of an invocation. */
function orderOf({ env, shell: _, ...rest }: Invocation): RemoteOrder {
  return { ...rest, env: env.reveal() };
}
