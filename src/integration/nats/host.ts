import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/failure.ts";
import { randomIds } from "../../platform/ids.ts";
import { Beats } from "./beats.ts";
import { readFrame } from "./frames.ts";
import type { JetStreamMessage, NatsMessage } from "./jet-stream.ts";
import { readMessage, type Reply, reply, toHost, type ToWorker, VERSION } from "./messages.ts";
import type { NatsPool } from "./pool.ts";
import { namesOf, type PoolNames, prepareStreams } from "./streams.ts";
import type { RemoteRun, RunLink } from "./remote-run.ts";

/** How long an answer of a worker may take, in milliseconds: longer than a kill protocol. */
const ANSWER_MS = 20_000;

/** What a host needs. */
export interface HostOptions extends Required<NatsPool> {
  readonly startMs: number;
  readonly clock: Clock;
}

/** What the server has for a host. */
interface Prepared {
  /** Stop to read what workers send, and remove it. */
  stop(): Promise<unknown>;
}

/** Offers commands to the workers of a pool, and follows them. */
export class Host {
  readonly #id = randomIds.next("host");
  readonly #options: HostOptions;
  readonly #names: PoolNames;
  readonly #runs = new Map<string, RemoteRun>();
  readonly #beats: Beats<RemoteRun>;
  #prepared: Promise<Prepared> | undefined;
  #closed = false;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#names = namesOf(options.pool);
    this.#beats = new Beats({
      ...{ clock: options.clock, silenceMs: options.silenceMs, runs: this.#runs },
      peerOf: ({ worker }) => worker,
      send: (worker, runs) => this.#tell(worker, { type: "beat", runs }),
      silent: (run) => run.lose(`Its worker ${run.worker} was silent for ${options.silenceMs} ms`),
    });
  }

  /** Make a run with an id of its own. */
  add(make: (id: string, link: RunLink) => RemoteRun): RemoteRun {
    const id = randomIds.next("run");
    const run = make(id, {
      send: (worker, message) => this.#tell(worker, { type: "message", run: id, message }),
      ask: (worker, message) => this.#ask(worker, { type: "message", run: id, message }),
    });
    this.#runs.set(id, run);
    void run.finished.then(() => this.#runs.delete(id));
    return run;
  }

  /** Let a worker take a run; it fails when none does in time. */
  async offer(run: RemoteRun): Promise<void> {
    const { clock, startMs, jetstream, pool } = this.#options;
    const cancel = clock.after(startMs, () => {
      if (run.worker === undefined) {
        run.fail(new Error(`no worker of the pool "${pool}" took it within ${startMs} ms`));
      }
    });
    void run.finished.then(cancel);
    try {
      await (this.#prepared ??= this.#prepare());
      if (run.isOver) return;
      this.#beats.begin();
      const ticket = JSON.stringify({ run: run.id, host: this.#id });
      await jetstream.publish(this.#names.ticketSubject, ticket);
    } catch (cause) {
      run.fail(cause);
    }
  }

  /** Read nothing more. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#beats.end();
    await this.#prepared?.then(({ stop }) => stop()).catch(() => {});
  }

  async #prepare(): Promise<Prepared> {
    const { connection, jetstream } = this.#options;
    try {
      const manager = await prepareStreams(jetstream, this.#names);
      const filter_subjects = this.#names.outputSubject(this.#id, "*");
      const consumer = await jetstream.consumers.get(this.#names.output, { filter_subjects });
      const messages = await consumer.consume({ callback: (message) => this.#receive(message) });
      const subscription = connection.subscribe(this.#names.addressOf(this.#id), {
        callback: (failure, message) => failure === null ? this.#answer(message) : undefined,
      });
      await connection.flush();
      void messages.closed().then(() => this.#readerEnded());
      return {
        stop: async () => {
          subscription.unsubscribe();
          await messages.close();
          // Not earlier: a server may pass over messages when others of a consumer are removed.
          await manager.streams.purge(this.#names.output, { filter: filter_subjects });
        },
      };
    } catch (cause) {
      this.#prepared = undefined;
      throw new Error(`the server cannot be used: ${messageOf(cause)}`, { cause });
    }
  }

  #readerEnded(): void {
    if (this.#closed) return;
    this.#prepared = undefined;
    for (const run of this.#runs.values()) {
      run.lose("The server gives no more of what workers send");
    }
  }

  #receive({ subject, data }: JetStreamMessage): void {
    const run = this.#runs.get(subject.slice(subject.lastIndexOf(".") + 1));
    const frame = readFrame(data);
    if (run === undefined || frame === undefined) return;
    run.silentBeats = 0;
    run.receive(frame);
  }

  #answer(message: NatsMessage): void {
    const request = readMessage(toHost, message.data);
    if (request === undefined) return;
    if (request.type === "beat") return this.#beats.heard(request.runs);
    const run = this.#runs.get(request.run);
    if (run !== undefined && request.version !== VERSION) {
      const { worker, version } = request;
      run.fail(new Error(`worker ${worker} has version ${version}, and this host ${VERSION}`));
    }
    message.respond(JSON.stringify({ order: run?.take(request.worker) }));
    run?.sendEarly();
  }

  async #ask(worker: string, message: ToWorker): Promise<Reply> {
    const to = this.#names.addressOf(worker);
    const options = { timeout: ANSWER_MS };
    try {
      const { data } = await this.#options.connection.request(to, JSON.stringify(message), options);
      return readMessage(reply, data) ?? { failure: "its worker answered nothing that is known" };
    } catch (cause) {
      return { failure: `its worker did not answer: ${messageOf(cause)}` };
    }
  }

  #tell(worker: string, message: ToWorker): void {
    this.#options.connection.publish(this.#names.addressOf(worker), JSON.stringify(message));
  }
}
