import type { Subscriber } from "rxjs";
import type { CommandId, StopCause } from "../../event/command.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { InputMessage } from "../../execution/executor.ts";
import { cannotStart } from "../../execution/run/cannot-start.ts";
import { InputQueue } from "../../execution/run/input-queue.ts";
import type { ByteSink, ByteSinks } from "../../stream/bytes.ts";
import type { BeatingRun } from "./beats.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Frame, Meant, RemoteOrder, Reply, ToRun } from "./messages.ts";

/** What the run of one command needs. */
export interface RemoteRunOptions {
  readonly id: string;
  readonly commandId: CommandId;
  readonly order: RemoteOrder;
  readonly mailbox: Mailbox;
  readonly sinks: ByteSinks;
  readonly subscriber: Subscriber<ExecutionEvent>;
}

/** The life of one command that a worker runs, as its host sees it. */
export class RemoteRun implements BeatingRun {
  readonly id: string;
  /** Resolves when nothing more is known of it, or wanted. */
  readonly finished: Promise<void>;
  #finish: () => void = () => {};
  readonly #options: RemoteRunOptions;
  /** Opened when the command has started: then its caller may write to it. */
  #sink: ByteSink | undefined;
  silentBeats = 0;
  /** The worker that runs it; absent: none has taken it yet. */
  peer: string | undefined;
  /** Whether nothing more is wanted of it. */
  isOver = false;
  #nextFrame = 0;
  #paused = false;
  #stop: StopCause | undefined;
  #exited = false;
  #outputEnded = false;
  #pieces = 0;
  readonly #input: InputQueue | undefined;

  constructor(options: RemoteRunOptions) {
    this.id = options.id;
    this.#options = options;
    this.finished = new Promise((resolve) => {
      this.#finish = () => {
        this.isOver = true;
        resolve();
      };
    });
    if (options.order.input) {
      this.#input = new InputQueue({
        write: (bytes) => this.#write(bytes),
        end: () => void this.#writePiece(new Uint8Array(), true),
      });
    }
  }

  get meant(): Meant {
    return { run: this.id, paused: this.#paused, stop: this.#stop };
  }

  /** A worker asks for it: the order, for the first one, which asks again where the answer was lost. */
  take(worker: string): RemoteOrder | undefined {
    const isTaken = this.peer !== undefined && (this.peer !== worker || this.#nextFrame > 0);
    if (this.isOver || isTaken) return undefined;
    this.peer = worker;
    return this.#options.order;
  }

  /** Say at once what is meant. */
  beat(): void {
    if (this.peer === undefined || this.isOver) return;
    this.#options.mailbox.send(this.peer, { type: "beat", runs: [this.meant] });
  }

  /** Send it a signal; answers whether it has a worker, and goes on. */
  signal(signal: string): boolean {
    if (this.isOver || this.peer === undefined) return false;
    const message: ToRun = { type: "signal", run: this.id, signal };
    this.#options.mailbox.send(this.peer, message);
    return true;
  }

  /** Write to its standard input; answers whether that was taken. */
  write(message: InputMessage): boolean {
    const isReady = this.peer !== undefined && !this.isOver && !this.#exited;
    return isReady && this.#input?.write(message) === true;
  }

  /** End what it has left behind; answers what survived. */
  async sweep(): Promise<readonly Leftover[]> {
    return (await this.#ask({ type: "sweep", run: this.id })).leftovers ?? [];
  }

  /** End it; answers whether it had not ended yet. */
  stop(by: StopCause): boolean {
    if (this.isOver || this.#exited) return false;
    if (this.peer !== undefined) this.#want(by);
    else this.fail(new Error(`it was stopped (${by}) before a worker took it`));
    return true;
  }

  /** The runtime closes: end it, or what it has left behind. */
  close(): void {
    if (this.#exited) void this.sweep();
    else this.stop("close");
  }

  /** Its caller is gone: it ends without further events. */
  abandon(): void {
    if (this.isOver) return;
    this.#want("abort");
    this.#finish();
  }

  /** It cannot start. */
  fail(cause: unknown): void {
    if (this.isOver) return;
    const { commandId, order } = this.#options;
    this.#complete({ type: "execution.failed", commandId, reason: cannotStart(order, cause) });
  }

  /** Nothing is known of it any more; where its worker is there after all, it ends there. */
  fallSilent(silenceMs: number): void {
    if (this.isOver) return;
    const reason = `Its worker ${this.peer} was silent for ${silenceMs} ms`;
    const { commandId, subscriber } = this.#options;
    this.#want("abort");
    if (!this.#exited) {
      this.#endOutput();
      subscriber.next({ type: "task.lost", commandId, reason, leftovers: [] });
    }
    this.#complete({ type: "execution.closed", commandId, leftovers: [] });
  }

  /** Take what its worker sent: what came before is sent again where its answer was lost. */
  receive({ number, event, end, stream }: Frame, bytes: Uint8Array): void {
    this.silentBeats = 0;
    if (this.isOver || number !== this.#nextFrame) return;
    this.#nextFrame++;
    if (event !== undefined) this.#happened(event);
    else if (end) this.#endOutput();
    else this.#open().write(bytes, stream);
  }

  #want(stop: StopCause): void {
    this.#stop = stop;
    this.beat();
  }

  async #ask(message: ToRun, bytes?: Uint8Array): Promise<Reply> {
    const isWanted = () => !this.isOver;
    const { peer } = this;
    const reply = peer !== undefined &&
      await this.#options.mailbox.insist(peer, message, { ...(bytes && { bytes }), isWanted });
    return reply || { failure: "no worker runs it" };
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { pieceSize } = this.#options.mailbox;
    for (let at = 0; at < bytes.length; at += pieceSize) {
      const { failure } = await this.#writePiece(bytes.subarray(at, at + pieceSize));
      if (failure !== undefined) throw new Error(failure);
    }
  }

  #writePiece(bytes: Uint8Array, end?: true): Promise<Reply> {
    return this.#ask({ type: "input", run: this.id, number: this.#pieces++, end }, bytes);
  }

  #open(): ByteSink {
    const { sinks, commandId } = this.#options;
    const pause = (paused: boolean) => {
      this.#paused = paused;
      this.beat();
    };
    return this.#sink ??= sinks.open(commandId, {
      pause: () => pause(true),
      resume: () => pause(false),
      end: () => this.#want("outputLimit"),
    });
  }

  #endOutput(): void {
    if (!this.#outputEnded) this.#open().end();
    this.#outputEnded = true;
  }

  #happened(event: ExecutionEvent): void {
    const { commandId, subscriber } = this.#options;
    const own = { ...event, commandId };
    switch (own.type) {
      case "execution.started": {
        this.#open();
        // No process of this machine may be taken for it.
        const { startTime: _, ...rest } = own;
        const where = this.peer === undefined ? {} : { worker: this.peer };
        return subscriber.next({ ...rest, ...where, executor: "nats", pid: 0 });
      }
      case "execution.failed":
      case "execution.closed":
        return this.#complete(own);
      case "execution.exited":
        this.#exited = true;
    }
    subscriber.next(own);
  }

  #complete(last: ExecutionEvent): void {
    const { subscriber } = this.#options;
    this.#endOutput();
    this.#finish();
    subscriber.next(last);
    subscriber.complete();
  }
}
