import { EnvValues } from "../../event/env-values.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { Executor } from "../../execution/executor.ts";
import { fromBase64 } from "../../platform/base64.ts";
import type { Clock } from "../../platform/clock.ts";
import { environment } from "../../platform/environment/environment.ts";
import { messageOf } from "../../platform/failure.ts";
import { randomIds } from "../../platform/ids.ts";
import type { Demand } from "../../stream/bytes.ts";
import { Beats } from "./beats.ts";
import type { JetStreamConsumer, JetStreamMessage, NatsMessage } from "./jet-stream.ts";
import { Outlet } from "./outlet.ts";
import {
  readMessage,
  type RemoteMessage,
  type RemoteOrder,
  type Reply,
  taken,
  ticket,
  toWorker,
  VERSION,
} from "./messages.ts";
import type { NatsPool } from "./pool.ts";
import { namesOf, type PoolNames, prepareStreams, WORKERS } from "./streams.ts";

/** How long the server may hold a request for a ticket, in milliseconds. */
const PULL_MS = 5_000;
/** How long a host may take to answer a worker that wants its command, in milliseconds. */
const TAKE_MS = 5_000;
/** How long after a failure the server is asked again, in milliseconds. */
const RETRY_MS = 1_000;
/** Variables that tell of a machine: a command has those of its worker. */
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
  /** Resolves when it was given to the executor. */
  begun: Promise<void>;
}

/** Takes commands of hosts, runs them, and reports what they print and do. */
export class Worker {
  readonly id: string = randomIds.next("worker");
  readonly #options: WorkerOptions;
  readonly #names: PoolNames;
  readonly #runs = new Map<string, WorkerRun>();
  readonly #beats: Beats<WorkerRun>;
  #closing = false;
  #roomMade: () => void = () => {};
  #unsubscribe: () => void = () => {};

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#names = namesOf(options.pool);
    this.#beats = new Beats({
      ...{ clock: options.clock, silenceMs: options.silenceMs, runs: this.#runs },
      peerOf: ({ host }) => host,
      send: (host, runs) =>
        options.connection.publish(
          this.#names.addressOf(host),
          JSON.stringify({ type: "beat", runs }),
        ),
      silent: (run) => this.#forsake(run),
    });
  }

  /** Begin to take commands. */
  async begin(): Promise<void> {
    const { connection, jetstream } = this.#options;
    await prepareStreams(jetstream, this.#names);
    const consumer = await jetstream.consumers.get(this.#names.tickets, WORKERS);
    const subscription = connection.subscribe(this.#names.addressOf(this.id), {
      callback: (failure, message) => failure === null ? this.#receive(message) : undefined,
    });
    this.#unsubscribe = () => subscription.unsubscribe();
    await connection.flush();
    void this.#pull(consumer);
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#options.executor.close();
    await Promise.all([...this.#runs.values()].map(({ outlet }) => outlet.sent()));
    this.#roomMade();
    this.#beats.end();
    this.#unsubscribe();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // Taking

  async #pull(consumer: JetStreamConsumer): Promise<void> {
    while (!this.#closing) {
      if (this.#runs.size >= this.#options.atOnce) {
        await new Promise<void>((resolve) => this.#roomMade = resolve);
        continue;
      }
      const message = await consumer.next({ expires: PULL_MS }).catch(() => undefined);
      if (message === undefined && !this.#closing) await this.#pause();
      if (this.#closing) message?.nak();
      else if (message) this.#take(message);
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(RETRY_MS, resolve));
  }

  #take(message: JetStreamMessage): void {
    const wanted = readMessage(ticket, message.data);
    if (wanted === undefined) return message.term();
    const { run: id, host } = wanted;
    const outlet = new Outlet({
      clock: this.#options.clock,
      send: (frame, number) => {
        const subject = this.#names.outputSubject(host, id);
        return this.#options.jetstream.publish(subject, frame, { msgID: `${id}:${number}` });
      },
    });
    const run: WorkerRun = { id, host, outlet, silentBeats: 0, begun: Promise.resolve() };
    this.#runs.set(id, run);
    run.begun = this.#askFor(run).then((order) => {
      message.ack();
      if (order === undefined || this.#closing) this.#forget(run);
      else this.#begin(run, order);
    });
    this.#beats.begin();
  }

  /** What the host says of it; nothing where the host is gone, or another worker was first. */
  async #askFor({ id: run, host }: WorkerRun): Promise<RemoteOrder | undefined> {
    const text = JSON.stringify({ type: "take", version: VERSION, run, worker: this.id });
    const { connection } = this.#options;
    const answer = await connection.request(this.#names.addressOf(host), text, { timeout: TAKE_MS })
      .catch(() => undefined);
    return answer && readMessage(taken, answer.data)?.order;
  }

  // Running

  #begin(run: WorkerRun, { env, ...order }: RemoteOrder): void {
    const { id, outlet } = run;
    const own = environment();
    const machine = OF_MACHINE.flatMap((name) => own[name] ? [[name, own[name]]] : []);
    const invocation = { ...order, env: new EnvValues({ ...env, ...Object.fromEntries(machine) }) };
    const sinks = {
      open: (_: string, demand: Demand) => {
        outlet.follow(demand);
        return outlet;
      },
    };
    const ended = () => void outlet.sent().then(() => this.#forget(run));
    this.#options.executor.run(id, invocation, sinks).subscribe({
      next: (event) => outlet.event(event),
      error: (cause) => {
        for (const event of broken(id, messageOf(cause))) outlet.event(event);
        ended();
      },
      complete: ended,
    });
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

  #receive(message: NatsMessage): void {
    const told = readMessage(toWorker, message.data);
    if (told === undefined) return;
    if (told.type === "beat") return this.#beats.heard(told.runs);
    const answer = (reply: Reply) => void message.respond(JSON.stringify(reply));
    const run = this.#runs.get(told.run);
    if (run === undefined) return answer({ failure: "it has ended" });
    void run.begun.then(() => this.#deliver(run, told.message, answer));
  }

  #deliver(run: WorkerRun, message: RemoteMessage, answer: (reply: Reply) => void): void {
    const { executor } = this.#options;
    const { id, outlet } = run;
    switch (message.type) {
      case "pause":
      case "resume":
        return outlet.hold("host", message.type === "pause");
      case "sweep":
        void Promise.resolve(executor.sweep?.(id)).then((leftovers) => answer({ leftovers }));
        return;
      case "input": {
        const { base64, end } = message;
        const written = (failure?: Error) => answer(failure ? { failure: failure.message } : {});
        const input = { type: "input", bytes: fromBase64(base64), end, written } as const;
        if (!executor.send(id, input)) answer({ failure: "it takes no input now" });
        return;
      }
      default:
        executor.send(id, message);
    }
  }
}

/** The executor broke, which is a defect. */
function broken(commandId: string, reason: string): readonly ExecutionEvent[] {
  return [
    { type: "task.lost", commandId, reason, leftovers: [] },
    { type: "execution.closed", commandId, leftovers: [] },
  ];
}
