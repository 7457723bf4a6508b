import { defer } from "rxjs";
import { EnvValues } from "../../event/env-values.ts";
import type { CommandId, StopCause } from "../../event/command.ts";
import type { Invocation } from "../../event/env.ts";
import type { Executor } from "../../execution/executor.ts";
import { cannotStart } from "../../execution/run/cannot-start.ts";
import { environment } from "../../platform/environment/environment.ts";
import { messageOf } from "../../platform/failure.ts";
import type { Demand } from "../../stream/bytes.ts";
import type { BeatingRun } from "./beats.ts";
import type { Answer, Mailbox } from "./mailbox.ts";
import { type Meant, type RemoteOrder, type Reply, type ToRun, VERSION } from "./messages.ts";
import { Outlet } from "./outlet.ts";

/** Variables about a machine: a command has those of its worker. */
const OF_MACHINE = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR"];

/** What the run of one command needs. */
export interface WorkerRunOptions {
  readonly id: CommandId;
  readonly host: string;
  /** The worker that runs it. */
  readonly worker: string;
  readonly mailbox: Mailbox;
  readonly executor: Executor;
  /** Whether commands may still start. */
  readonly isOpen: () => boolean;
}

/** One command of a host, as its worker runs it. */
export class WorkerRun implements BeatingRun {
  readonly id: CommandId;
  readonly peer: string;
  readonly meant: Meant;
  silentBeats = 0;
  /** Its host is gone. */
  #silent = false;
  /** Resolves when it was given to the executor, or is not to run. */
  readonly begun: Promise<void>;
  /** Resolves when all of it was reported, or is wanted no more. */
  readonly ended: Promise<void>;
  readonly #options: WorkerRunOptions;
  readonly #outlet: Outlet;
  #executed: Promise<void> = Promise.resolve();
  /** Why its host has ended it. */
  #stop: StopCause | undefined;
  /** The last input that came for it, and its answer. */
  #input: { readonly number: number; readonly reply: Promise<Reply> } | undefined;

  constructor(options: WorkerRunOptions) {
    const { id, host, mailbox } = options;
    this.id = id;
    this.peer = host;
    this.meant = { run: id };
    this.#options = options;
    this.#outlet = new Outlet({ run: id, host }, mailbox);
    this.begun = this.#take();
    this.ended = this.begun.then(() => this.#executed).then(() => this.#outlet.sent);
  }

  follow({ paused, stop }: Meant): void {
    void this.begun.then(() => {
      this.#outlet.hold(paused === true);
      if (stop === undefined || stop === this.#stop) return;
      this.#stop = stop;
      this.#options.executor.send(this.id, { type: "stop", by: stop });
    });
  }

  /** Give it a message of its host. */
  deliver(message: ToRun, bytes: Uint8Array, answer: Answer): void {
    void this.begun.then(() => this.#handle(message, bytes))
      .catch((cause): Reply => ({ failure: messageOf(cause) }))
      .then(answer);
  }

  fallSilent(): void {
    const { executor } = this.#options;
    this.#silent = true;
    this.#outlet.abandon();
    if (!executor.send(this.id, { type: "stop", by: "close" })) void executor.sweep?.(this.id);
  }

  /**
   * Ask the host, which gives no order where another worker was first, until it answers or is gone: an
   * answer may be lost with the server.
   */
  async #take(): Promise<void> {
    const { id: commandId, host, worker, mailbox, executor, isOpen } = this.#options;
    const message = { type: "take", version: VERSION, run: commandId, worker };
    const isWanted = () => isOpen() && !this.#silent;
    const order = (await mailbox.insist(host, message, { isWanted }))?.order;
    if (order === undefined) return;
    const apart = order.split === true && executor.capabilities.splits !== true;
    const why = apart ? "gives both streams as one" : isOpen() ? undefined : "was closed";
    if (why === undefined) return this.#execute(order);
    const reason = cannotStart(order, new Error(`${worker} ${why}`));
    this.#outlet.event({ type: "execution.failed", commandId, reason });
  }

  #execute(order: RemoteOrder): void {
    const { id: commandId, worker, executor } = this.#options;
    const outlet = this.#outlet;
    const sinks = {
      open: (_: string, demand: Demand) => {
        outlet.follow(demand);
        return outlet;
      },
    };
    this.#executed = new Promise((resolve) => {
      defer(() => executor.run(commandId, invocationOf(order, worker), sinks)).subscribe({
        next: (event) => outlet.event(event),
        error: (cause) => {
          // The executor broke, which is a defect.
          const reason = messageOf(cause);
          outlet.event({ type: "task.lost", commandId, reason, leftovers: [] });
          outlet.event({ type: "execution.closed", commandId, leftovers: [] });
          resolve();
        },
        complete: resolve,
      });
    });
  }

  async #handle(message: ToRun, bytes: Uint8Array): Promise<Reply> {
    const { executor } = this.#options;
    if (message.type === "sweep") return { leftovers: await executor.sweep?.(this.id) };
    if (message.type === "signal") {
      executor.send(this.id, message);
      return {};
    }
    const { number, end = false } = message;
    if (this.#input?.number !== number) this.#input = { number, reply: this.#write(bytes, end) };
    return await this.#input.reply;
  }

  #write(bytes: Uint8Array, end: boolean): Promise<Reply> {
    return new Promise((resolve) => {
      const written = (failure?: Error) => resolve(failure ? { failure: failure.message } : {});
      const input = { type: "input", bytes: Uint8Array.from(bytes), end, written } as const;
      if (!this.#options.executor.send(this.id, input)) {
        resolve({ failure: "it takes no input now" });
      }
    });
  }
}

/** Says to a command that it runs on another machine than its host, and by which worker. */
const REMOTE = "SHELLFLOW_REMOTE";

/** With the variables of this machine. */
function invocationOf({ env, ...order }: RemoteOrder, worker: string): Invocation {
  const own = environment();
  const machine = OF_MACHINE.flatMap((name) => own[name] ? [[name, own[name]]] : []);
  const values = { ...env, ...Object.fromEntries(machine), [REMOTE]: worker };
  return { ...order, env: new EnvValues(values) };
}
