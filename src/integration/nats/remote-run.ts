import type { Subscriber } from "rxjs";
import type { CommandId, StopCause } from "../../event/command.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { InputMessage } from "../../execution/executor.ts";
import { InputQueue } from "../../execution/run/input-queue.ts";
import { base64Of } from "../../platform/base64.ts";
import type { ByteSink, ByteSinks } from "../../stream/bytes.ts";
import type { Frame } from "./frames.ts";
import type { RemoteMessage, RemoteOrder, Reply } from "./messages.ts";

/** How a run reaches its worker. */
export interface RunLink {
  readonly send: (worker: string, message: RemoteMessage) => void;
  /** Waits for the answer. */
  readonly ask: (worker: string, message: RemoteMessage) => Promise<Reply>;
}

/** What the run of one command needs. */
export interface RemoteRunOptions extends RunLink {
  readonly id: string;
  readonly commandId: CommandId;
  readonly order: RemoteOrder;
  readonly sinks: ByteSinks;
  readonly subscriber: Subscriber<ExecutionEvent>;
  /** What is said when it cannot start. */
  readonly failure: (cause: unknown) => string;
}

/** The life of one command that a worker runs, as its host sees it. */
export class RemoteRun {
  readonly id: string;
  /** Resolves when nothing more is known of it, or wanted. */
  readonly finished: Promise<void>;
  #finish: () => void = () => {};
  readonly #options: RemoteRunOptions;
  readonly #sink: ByteSink;
  /** Beats of its worker that are missing. */
  silentBeats = 0;
  /** Who runs it; absent: nobody took it yet. */
  worker: string | undefined;
  #nextFrame = 0;
  readonly #early: RemoteMessage[] = [];
  #isOver = false;
  #exited = false;
  #outputEnded = false;
  readonly #input: InputQueue | undefined;

  constructor(options: RemoteRunOptions) {
    this.id = options.id;
    this.#options = options;
    this.finished = new Promise((resolve) => {
      this.#finish = () => {
        this.#isOver = true;
        resolve();
      };
    });
    this.#sink = options.sinks.open(options.commandId, {
      pause: () => this.send({ type: "pause" }),
      resume: () => this.send({ type: "resume" }),
      end: () => void this.send({ type: "stop", by: "outputLimit" }),
    });
    if (options.order.input) {
      this.#input = new InputQueue({
        write: (bytes) => this.#write(bytes, false),
        end: () => void this.#write(new Uint8Array(), true).catch(() => {}), // it reads no more
      });
    }
  }

  /** Whether nothing more is wanted of it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** A worker asks for it: the order, for the first one. */
  take(worker: string): RemoteOrder | undefined {
    if (this.#isOver || this.worker !== undefined) return undefined;
    this.worker = worker;
    return this.#options.order;
  }

  /** Send its worker a message, or keep it for the one that takes it; answers whether it goes on. */
  send(message: RemoteMessage): boolean {
    if (this.#isOver) return false;
    if (this.worker === undefined) this.#early.push(message);
    else this.#options.send(this.worker, message);
    return true;
  }

  /** Send what was to be sent before it had a worker. */
  sendEarly(): void {
    for (const message of this.#early.splice(0)) this.send(message);
  }

  /** Write to its standard input; answers whether that was taken. */
  write(message: InputMessage): boolean {
    const isReady = this.worker !== undefined && !this.#isOver && !this.#exited;
    return isReady && this.#input?.write(message) === true;
  }

  /** End what it has left behind; answers what survived. */
  async sweep(): Promise<readonly Leftover[]> {
    return (await this.#ask({ type: "sweep" })).leftovers ?? [];
  }

  /** End it; answers whether it had not ended yet. */
  stop(by: StopCause): boolean {
    if (this.#isOver || this.#exited) return false;
    if (this.worker !== undefined) return this.send({ type: "stop", by });
    this.fail(new Error(`it was stopped (${by}) before a worker took it`));
    return true;
  }

  /** The runtime closes: end it, or what it has left behind. */
  close(): void {
    if (this.#exited) void this.sweep();
    else this.stop("close");
  }

  /** Its caller is gone: it ends without further events. */
  abandon(): void {
    if (this.#isOver) return;
    this.send({ type: "stop", by: "abort" });
    this.#finish();
  }

  /** It cannot start. */
  fail(cause: unknown): void {
    if (this.#isOver) return;
    const { commandId, failure } = this.#options;
    this.#complete({ type: "execution.failed", commandId, reason: failure(cause) });
  }

  /** Nothing is known of it any more. */
  lose(reason: string): void {
    if (this.#isOver) return;
    const { commandId, subscriber } = this.#options;
    if (!this.#exited) {
      this.#endOutput();
      subscriber.next({ type: "task.lost", commandId, reason, leftovers: [] });
    }
    this.#complete({ type: "execution.closed", commandId, leftovers: [] });
  }

  /** Take what its worker sent. */
  receive(frame: Frame & { readonly number: number }): void {
    if (this.#isOver || frame.number < this.#nextFrame) return;
    if (frame.number > this.#nextFrame) {
      this.send({ type: "stop", by: "abort" });
      return this.lose("The server dropped a part of what the worker sent");
    }
    this.#nextFrame++;
    if (frame.type === "output") this.#sink.write(frame.bytes);
    else if (frame.type === "end") this.#endOutput();
    else this.#happened(JSON.parse(new TextDecoder().decode(frame.bytes)));
  }

  async #ask(message: RemoteMessage): Promise<Reply> {
    if (this.worker === undefined || this.#isOver) return { failure: "no worker runs it" };
    return await this.#options.ask(this.worker, message);
  }

  async #write(bytes: Uint8Array, end: boolean): Promise<void> {
    const { failure } = await this.#ask({ type: "input", base64: base64Of(bytes), end });
    if (failure !== undefined) throw new Error(failure);
  }

  #endOutput(): void {
    if (!this.#outputEnded) this.#sink.end();
    this.#outputEnded = true;
  }

  #happened(event: ExecutionEvent): void {
    const { commandId, subscriber } = this.#options;
    const own = { ...event, commandId };
    switch (own.type) {
      case "execution.started": {
        // No process of this machine may be taken for it.
        const { startTime: _, ...rest } = own;
        const where = this.worker === undefined ? {} : { worker: this.worker };
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
