import type { CommandId } from "../../event/command.ts";
import type { Clock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/failure.ts";
import { randomIds } from "../../platform/ids.ts";
import { Beats } from "./beats.ts";
import { type Answer, Mailbox } from "./mailbox.ts";
import { type ToHost, toHost, VERSION } from "./messages.ts";
import type { NatsPool } from "./pool.ts";
import { RemoteRun, type RemoteRunOptions } from "./remote-run.ts";
import { offerTicket } from "./tickets.ts";

/** What a host needs. */
export interface HostOptions extends Required<NatsPool> {
  readonly startMs: number;
  readonly clock: Clock;
}

/** Offers commands to the workers of a pool, and follows them. */
export class Host {
  readonly #id = randomIds.next("host");
  readonly #options: HostOptions;
  readonly #runs = new Map<string, RemoteRun>();
  readonly #beats: Beats;
  readonly #mailbox: Mailbox;
  #opened: Promise<void> | undefined;

  constructor(options: HostOptions) {
    this.#options = options;
    this.#mailbox = new Mailbox(options);
    this.#beats = new Beats({ ...options, mailbox: this.#mailbox, runs: this.#runs });
  }

  /** Follow the run of a command until it is over. */
  add(options: Omit<RemoteRunOptions, "id" | "mailbox">): RemoteRun {
    const id = this.#idOf(options.commandId);
    const run = new RemoteRun({ ...options, id, mailbox: this.#mailbox });
    this.#runs.set(id, run);
    void run.finished.then(() => this.#runs.delete(id));
    return run;
  }

  /** The run of a command that is not over. */
  runOf(commandId: CommandId): RemoteRun | undefined {
    return this.#runs.get(this.#idOf(commandId));
  }

  /** Let a worker take a run; it fails when none does in time. */
  async offer(run: RemoteRun): Promise<void> {
    const { clock, startMs, pool, jetstream } = this.#options;
    const cancel = clock.after(startMs, () => {
      if (run.peer === undefined) {
        run.fail(new Error(`no worker of the pool "${pool}" took it within ${startMs} ms`));
      }
    });
    void run.finished.then(cancel);
    try {
      await (this.#opened ??= this.#mailbox.open(
        this.#id,
        toHost,
        (...it) => this.#receive(...it),
      ));
      if (run.isOver) return;
      this.#beats.begin();
      await offerTicket(jetstream, pool, { run: run.id, host: this.#id });
    } catch (cause) {
      run.fail(new Error(`the server cannot be used: ${messageOf(cause)}`, { cause }));
    }
  }

  /** End all runs, and what they have left behind. */
  async close(): Promise<void> {
    const all = [...this.#runs.values()];
    for (const run of all) run.close();
    await Promise.all(all.map(({ finished }) => finished));
    this.#beats.end();
    this.#mailbox.close();
  }

  #idOf(commandId: CommandId): string {
    return `${this.#id}.${commandId}`;
  }

  #receive(message: ToHost, bytes: Uint8Array, answer: Answer): void {
    if (message.type === "beat") return this.#beats.receive(message);
    const run = this.#runs.get(message.run);
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
  }
}
