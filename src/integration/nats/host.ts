import { Observable } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { Invocation } from "../../event/env.ts";
import type { Executor } from "../../execution/executor.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/failure.ts";
import { randomIds } from "../../platform/ids.ts";
import { Beats } from "./beats.ts";
import { type Answer, Mailbox } from "./mailbox.ts";
import { type RemoteOrder, type ToHost, toHost, VERSION } from "./messages.ts";
import type { NatsPool } from "./pool.ts";
import { RemoteRun } from "./remote-run.ts";
import { offerTicket } from "./tickets.ts";

/** How soon a command is offered again to a server that has not answered, in milliseconds. */
const RETRY_MS = 500;

/** What a host needs. */
export interface HostOptions extends Required<NatsPool> {
  readonly startMs: number;
  readonly clock: Clock;
}

/** Offers commands to the workers of a pool, and follows them. */
export function hostOf(options: HostOptions): Executor {
  const { clock, startMs, pool, jetstream } = options;
  const host = randomIds.next("host");
  const runs = new Map<string, RemoteRun>();
  const mailbox = new Mailbox(options);
  const beats = new Beats({ ...options, mailbox, runs });
  const idOf = (commandId: CommandId) => `${host}.${commandId}`;
  const runOf = (commandId: CommandId) => runs.get(idOf(commandId));

  const receive = (message: ToHost, bytes: Uint8Array, answer: Answer): void => {
    if (message.type === "beat") return beats.receive(message);
    const run = runs.get(message.run);
    if (message.type === "frame") {
      run?.receive(message, bytes);
      return void answer({});
    }
    const { worker, version } = message;
    if (version !== VERSION) {
      run?.fail(new Error(`worker ${worker} has version ${version}, and this host ${VERSION}`));
    }
    const cause = answer({ order: run?.take(worker) });
    if (cause === undefined) return run?.beat();
    run?.fail(new Error(`the server does not take the command: ${messageOf(cause)}`, { cause }));
    answer({});
  };

  /** Let a worker take a run; it fails when none does in time. */
  const offer = async (run: RemoteRun): Promise<void> => {
    const cancel = clock.after(startMs, () => {
      if (run.peer !== undefined) return;
      run.fail(new Error(`no worker of the pool "${pool}" took it within ${startMs} ms`));
    });
    void run.finished.then(cancel);
    while (!run.isOver && run.peer === undefined) {
      try {
        mailbox.open(host, toHost, receive);
        beats.begin();
        return await offerTicket(jetstream, pool, { run: run.id, host });
      } catch (cause) {
        if (!isTimeout(cause)) {
          run.fail(new Error(`the server cannot be used: ${messageOf(cause)}`, { cause }));
        }
      }
      await new Promise<void>((resolve) => void clock.after(RETRY_MS, resolve));
    }
  };

  return {
    name: "nats",
    capabilities: {
      terminal: false,
      input: true,
      persistent: false,
      detaches: false,
      splits: true,
    },
    run: (commandId, invocation, sinks) =>
      new Observable((subscriber) => {
        const id = idOf(commandId);
        const order = orderOf(invocation);
        const run = new RemoteRun({ id, commandId, order, mailbox, sinks, subscriber });
        runs.set(id, run);
        void run.finished.then(() => runs.delete(id));
        void offer(run);
        return () => run.abandon();
      }),
    send: (commandId, message) => {
      const run = runOf(commandId);
      if (run === undefined) return false;
      if (message.type === "stop") return run.stop(message.by);
      if (message.type === "input") return run.write(message);
      return message.type === "signal" && run.signal(message.signal);
    },
    sweep: async (commandId) => await runOf(commandId)?.sweep() ?? [],
    close: async () => {
      const all = [...runs.values()];
      for (const run of all) run.close();
      await Promise.all(all.map(({ finished }) => finished));
      beats.end();
      mailbox.close();
    },
  };
}

/** Whether a server has not answered, as one that is being started again: it may answer later. */
function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "TimeoutError";
}

/** What a worker needs of an invocation. */
function orderOf({ env, shell: _, ...rest }: Invocation): RemoteOrder {
  return { ...rest, env: env.reveal() };
}
