import { EnvValues } from "../../event/env-values.ts";
import type { StopCause } from "../../event/command.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { Executor } from "../../execution/executor.ts";
import { cannotStart } from "../../execution/run/cannot-start.ts";
import { fromBase64 } from "../../platform/base64.ts";
import type { Clock } from "../../platform/clock.ts";
import { environment } from "../../platform/environment/environment.ts";
import { messageOf } from "../../platform/failure.ts";
import { randomIds } from "../../platform/ids.ts";
import type { Demand } from "../../stream/bytes.ts";
import { Beats } from "./beats.ts";
import type { JetStreamConsumer, JetStreamMessage } from "./jet-stream.ts";
import { type Answer, Mailbox } from "./mailbox.ts";
import { Outlet } from "./outlet.ts";
import {
  type Meant,
  readMessage,
  type RemoteMessage,
  type RemoteOrder,
  type Reply,
  taken,
  ticket,
  type ToWorker,
  toWorker,
  VERSION,
} from "./messages.ts";
import type { NatsPool } from "./pool.ts";
import { namesOf, pieceSize, type PoolNames, prepareStreams, WORKERS } from "./streams.ts";

/** How long the server may hold a request for a ticket, in milliseconds. */
const PULL_MS = 5_000;
/** How long a host may take to answer a worker that wants its command, in milliseconds. */
const TAKE_MS = 5_000;
/** How long after a failure the server is asked again, in milliseconds. */
const RETRY_MS = 1_000;
/** Variables about a machine: a command has those of its worker. */
const OF_MACHINE = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR"];

/** What a worker needs. */
export interface WorkerOptions extends Required<NatsPool> {
  readonly atOnce: number;
  readonly executor: Executor;
  readonly clock: Clock;
}

/** A run of a host, at its worker. */
interface WorkerRun {
  readonly id: string;
  readonly host: string;
  readonly outlet: Outlet;
  /** Beats of the host that are missing. */
  silentBeats: number;
  /** Resolves when it was given to the executor, or is not to run. */
  begun: Promise<void>;
  /** Why its host has ended it. */
  stop?: StopCause | undefined;
  /** The last input that came for it, and its answer. */
  input?: { readonly number: number; readonly reply: Promise<Reply> };
}

/** Takes commands of hosts, runs them, and reports what they print and do. */
export class Worker {
  readonly id: string = randomIds.next("worker");
  readonly #options: WorkerOptions;
  readonly #names: PoolNames;
  readonly #runs = new Map<string, WorkerRun>();
  readonly #beats: Beats<WorkerRun>;
  readonly #mailbox: Mailbox;
  #closing = false;
  #roomMade: () => void = () => {};

  constructor(options: WorkerOptions) {
    const { connection, clock, silenceMs, pool } = options;
    this.#options = options;
    this.#names = namesOf(pool);
    this.#mailbox = new Mailbox(connection, this.#names);
    this.#beats = new Beats({
      ...{ clock, silenceMs, runs: this.#runs },
      peerOf: ({ host }) => host,
      send: (host, runs) =>
        this.#mailbox.send(host, { type: "beat", runs: runs.map(({ id }) => ({ run: id })) }),
      silent: (run) => this.#forsake(run),
    });
  }

  /** Begin to take commands. */
  async begin(): Promise<void> {
    const consumer = await this.#consumer();
    await this.#mailbox.open(
      this.id,
      toWorker,
      (message, answer) => this.#receive(message, answer),
    );
    void this.#pull(consumer);
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#options.executor.close();
    await Promise.all([...this.#runs.values()].map(async ({ begun, outlet }) => {
      await begun;
      await outlet.sent();
    }));
    this.#roomMade();
    this.#beats.end();
    this.#mailbox.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // Taking

  async #consumer(): Promise<JetStreamConsumer> {
    const { jetstream } = this.#options;
    await prepareStreams(jetstream, this.#names);
    return await jetstream.consumers.get(this.#names.tickets, WORKERS);
  }

  async #pull(first: JetStreamConsumer): Promise<void> {
    let consumer: JetStreamConsumer | undefined = first;
    while (!this.#closing) {
      if (this.#runs.size >= this.#options.atOnce) {
        await new Promise<void>((resolve) => this.#roomMade = resolve);
        continue;
      }
      try {
        consumer ??= await this.#consumer();
        const message = await consumer.next({ expires: PULL_MS });
        if (this.#closing) message?.nak();
        else if (message) this.#take(message);
      } catch {
        // The server is away, or has lost its streams.
        consumer = undefined;
        if (!this.#closing) await this.#pause();
      }
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(RETRY_MS, resolve));
  }

  #take(message: JetStreamMessage): void {
    const wanted = readMessage(ticket, message.data);
    if (wanted === undefined) return message.term();
    const { run: id, host } = wanted;
    if (this.#runs.has(id)) return message.ack(); // the server gave it again
    const { clock, connection, jetstream } = this.#options;
    const outlet = new Outlet({
      ...{ clock, pieceSize: pieceSize(connection) },
      send: (frame, number) => {
        const subject = this.#names.outputSubject(host, id);
        return jetstream.publish(subject, frame, { msgID: `${id}:${number}` });
      },
    });
    const run: WorkerRun = { id, host, outlet, silentBeats: 0, begun: Promise.resolve() };
    this.#runs.set(id, run);
    run.begun = this.#askFor(run).then((order) => {
      message.ack();
      if (order === undefined) this.#forget(run);
      else this.#begin(run, order);
    }).catch((cause) => this.#end(run, broken(id, messageOf(cause))));
    this.#beats.begin();
  }

  /** What the host says of it; nothing where the host is gone, or another worker was first. */
  async #askFor({ id: run, host }: WorkerRun): Promise<RemoteOrder | undefined> {
    const message = { type: "take", version: VERSION, run, worker: this.id };
    return (await this.#mailbox.ask(host, message, { schema: taken, timeoutMs: TAKE_MS }))?.order;
  }

  // Running

  #begin(run: WorkerRun, { env, ...order }: RemoteOrder): void {
    const { id, outlet } = run;
    if (this.#closing) {
      const reason = cannotStart(order, new Error(`${this.id} was closed`));
      return this.#end(run, [{ type: "execution.failed", commandId: id, reason }]);
    }
    const own = environment();
    const machine = OF_MACHINE.flatMap((name) => own[name] ? [[name, own[name]]] : []);
    const invocation = { ...order, env: new EnvValues({ ...env, ...Object.fromEntries(machine) }) };
    const sinks = {
      open: (_: string, demand: Demand) => {
        outlet.follow(demand);
        return outlet;
      },
    };
    this.#options.executor.run(id, invocation, sinks).subscribe({
      next: (event) => outlet.event(event),
      error: (cause) => this.#end(run, broken(id, messageOf(cause))),
      complete: () => this.#end(run),
    });
  }

  #end(run: WorkerRun, last: readonly ExecutionEvent[] = []): void {
    for (const event of last) run.outlet.event(event);
    void run.outlet.sent().then(() => this.#forget(run));
  }

  #forget({ id }: WorkerRun): void {
    this.#runs.delete(id);
    this.#roomMade();
  }

  /** Its host is gone. */
  #forsake(run: WorkerRun): void {
    const { executor } = this.#options;
    run.outlet.abandon();
    if (!executor.send(run.id, { type: "stop", by: "close" })) void executor.sweep?.(run.id);
  }

  // Messages

  #receive(message: ToWorker, answer: Answer): void {
    if (message.type === "beat") {
      for (const meant of message.runs) {
        const run = this.#runs.get(meant.run);
        if (run === undefined) continue;
        run.silentBeats = 0;
        void run.begun.then(() => this.#follow(run, meant));
      }
      return;
    }
    const run = this.#runs.get(message.run);
    if (run === undefined) return void answer({ failure: "it has ended" });
    void run.begun.then(() => this.#deliver(run, message.message))
      .catch((cause): Reply => ({ failure: messageOf(cause) }))
      .then(answer);
  }

  #follow(run: WorkerRun, { paused, stop }: Meant): void {
    run.outlet.hold("host", paused === true);
    if (stop === undefined || stop === run.stop) return;
    run.stop = stop;
    this.#options.executor.send(run.id, { type: "stop", by: stop });
  }

  async #deliver(run: WorkerRun, message: RemoteMessage): Promise<Reply> {
    const { executor } = this.#options;
    switch (message.type) {
      case "sweep":
        return { leftovers: await executor.sweep?.(run.id) };
      case "input": {
        const { number } = message;
        if (run.input?.number !== number) run.input = { number, reply: this.#write(run, message) };
        return await run.input.reply;
      }
      default:
        executor.send(run.id, message);
        return {};
    }
  }

  #write({ id }: WorkerRun, { base64, end }: InputOf): Promise<Reply> {
    return new Promise((resolve) => {
      const written = (failure?: Error) => resolve(failure ? { failure: failure.message } : {});
      const input = { type: "input", bytes: fromBase64(base64), end, written } as const;
      if (!this.#options.executor.send(id, input)) resolve({ failure: "it takes no input now" });
    });
  }
}

type InputOf = Extract<RemoteMessage, { readonly type: "input" }>;

/** The executor broke, which is a defect. */
function broken(commandId: string, reason: string): readonly ExecutionEvent[] {
  return [
    { type: "task.lost", commandId, reason, leftovers: [] },
    { type: "execution.closed", commandId, leftovers: [] },
  ];
}
