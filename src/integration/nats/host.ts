import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/failure.ts";
import { randomIds } from "../../platform/ids.ts";
import { Beats } from "./beats.ts";
import { readFrame } from "./frames.ts";
import type { JetStreamMessage, JetStreamMessages } from "./jet-stream.ts";
import { type Answer, Mailbox } from "./mailbox.ts";
import { reply, type ToHost, toHost, VERSION } from "./messages.ts";
import type { NatsPool } from "./pool.ts";
import { namesOf, type PoolNames, prepareStreams } from "./streams.ts";
import type { RemoteRun, RunLink } from "./remote-run.ts";

/** How long an answer of a worker may take, in milliseconds, before it is asked again. */
const ANSWER_MS = 5_000;
/** How soon it is asked again at least, in milliseconds. */
const RETRY_MS = 500;
/** How long a request for output lasts, in milliseconds, and how soon one follows that found no server. */
const READ_MS = 2_000;

/** What a host needs. */
export interface HostOptions extends Required<NatsPool> {
  readonly startMs: number;
  readonly clock: Clock;
}

/** Offers commands to the workers of a pool, and follows them. */
export class Host {
  readonly #id = randomIds.next("host");
  readonly #options: HostOptions;
  readonly #names: PoolNames;
  readonly #runs = new Map<string, RemoteRun>();
  readonly #beats: Beats<RemoteRun>;
  readonly #mailbox: Mailbox;
  /** Reads what workers send. */
  #reader: Promise<JetStreamMessages> | undefined;
  /** A worker was silent: the server may have lost its streams, so they are read anew. */
  #isStale = false;

  constructor(options: HostOptions) {
    const { connection, clock, silenceMs, pool } = options;
    this.#options = options;
    this.#names = namesOf(pool);
    this.#mailbox = new Mailbox(connection, this.#names);
    this.#beats = new Beats({
      ...{ clock, silenceMs, runs: this.#runs },
      peerOf: ({ worker }) => worker,
      send: (worker, runs) =>
        this.#mailbox.send(worker, { type: "beat", runs: runs.map(({ meant }) => meant) }),
      silent: (run) => {
        this.#isStale = true;
        run.lose(`Its worker ${run.worker} was silent for ${silenceMs} ms`);
      },
    });
  }

  /** Make a run with an id of its own. */
  add(make: (id: string, link: RunLink) => RemoteRun): RemoteRun {
    const id = randomIds.next("run");
    const run = make(id, {
      beat: (worker, meant) => this.#mailbox.send(worker, { type: "beat", runs: [meant] }),
      send: (worker, message) => this.#mailbox.send(worker, { type: "message", run: id, message }),
      ask: async (worker, message) => {
        const how = { schema: reply, timeoutMs: ANSWER_MS };
        const answer = await this.#mailbox.ask(worker, { type: "message", run: id, message }, how);
        if (answer === undefined) await this.#pause();
        return answer;
      },
    });
    this.#runs.set(id, run);
    void run.finished.then(() => this.#runs.delete(id));
    return run;
  }

  /** Let a worker take a run; it fails when none does in time. */
  async offer(run: RemoteRun): Promise<void> {
    const { clock, startMs, pool } = this.#options;
    const cancel = clock.after(startMs, () => {
      if (run.worker === undefined) {
        run.fail(new Error(`no worker of the pool "${pool}" took it within ${startMs} ms`));
      }
    });
    void run.finished.then(cancel);
    try {
      await this.#read();
      if (run.isOver) return;
      this.#beats.begin();
      await this.#publish(JSON.stringify({ run: run.id, host: this.#id }));
    } catch (cause) {
      run.fail(new Error(`the server cannot be used: ${messageOf(cause)}`, { cause }));
    }
  }

  /** Read nothing more, and remove what workers sent. */
  async close(): Promise<void> {
    const reader = this.#reader;
    this.#reader = undefined;
    this.#beats.end();
    this.#mailbox.close();
    try {
      if (reader === undefined) return;
      await (await reader).close();
      const { streams } = await this.#options.jetstream.jetstreamManager();
      // Not earlier: a server may pass over messages when others of a consumer are removed.
      await streams.purge(this.#names.output, { filter: this.#output });
    } catch {
      // The server is away, and removes it in time.
    }
  }

  get #output(): string {
    return this.#names.outputSubject(this.#id, "*");
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(RETRY_MS, resolve));
  }

  async #publish(ticket: string): Promise<void> {
    const { jetstream } = this.#options;
    try {
      await jetstream.publish(this.#names.ticketSubject, ticket);
    } catch {
      // The server may have lost its streams.
      await prepareStreams(jetstream, this.#names);
      await jetstream.publish(this.#names.ticketSubject, ticket);
    }
  }

  /** Read what workers send. What was read before is known by its number. */
  async #read(): Promise<void> {
    if (this.#isStale) {
      void this.#reader?.then((messages) => messages.close(), () => {});
      this.#reader = undefined;
    }
    this.#isStale = false;
    const reader = this.#reader ??= this.#openReader();
    try {
      await reader;
    } catch (cause) {
      if (this.#reader === reader) this.#reader = undefined;
      throw cause;
    }
  }

  async #openReader(): Promise<JetStreamMessages> {
    const { jetstream } = this.#options;
    await prepareStreams(jetstream, this.#names);
    await this.#mailbox.open(this.#id, toHost, (message, answer) => this.#answer(message, answer));
    const filter = { filter_subjects: this.#output };
    const consumer = await jetstream.consumers.get(this.#names.output, filter);
    const messages = await consumer.consume({
      expires: READ_MS,
      callback: (message) => this.#receive(message),
    });
    void messages.closed().then(async () => {
      if (await this.#reader?.catch(() => {}) !== messages) return;
      this.#reader = undefined;
      for (const run of this.#runs.values()) {
        run.lose("The server gives no more of what workers send");
      }
    });
    return messages;
  }

  #receive({ subject, data }: JetStreamMessage): void {
    const run = this.#runs.get(subject.slice(subject.lastIndexOf(".") + 1));
    const frame = readFrame(data);
    if (run === undefined || frame === undefined) return;
    run.silentBeats = 0;
    run.receive(frame);
  }

  #answer(request: ToHost, answer: Answer): void {
    if (request.type === "beat") {
      for (const { run } of request.runs) {
        const known = this.#runs.get(run);
        if (known !== undefined) known.silentBeats = 0;
      }
      return;
    }
    const { worker, version } = request;
    const run = this.#runs.get(request.run);
    if (run !== undefined && version !== VERSION) {
      run.fail(new Error(`worker ${worker} has version ${version}, and this host ${VERSION}`));
    }
    const cause = answer({ order: run?.take(worker) });
    if (cause === undefined) return run?.beat();
    run?.fail(new Error(`the server does not take the command: ${messageOf(cause)}`, { cause }));
    answer({});
  }
}
