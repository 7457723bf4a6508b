import type { CommandId } from "../../event/command.ts";
import type {
  ExecutionEvent,
  ExecutionRefused,
  ExecutionResized,
  ExecutionWaitingForInput,
  ExecutionWentOn,
} from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { TerminalSize } from "../../platform/terminal/terminals.ts";
import type { ByteSinks, OutputStream } from "../../stream/bytes.ts";
import type { ExecutorMessage, LiveScreen } from "../executor.ts";
import { KillProtocol } from "../tree/kill-protocol.ts";
import type { ProcessTree } from "../tree/process-tree.ts";
import { type CommandRunOptions, Ending, type RunExit } from "./ending.ts";
import { InputQueue } from "./input-queue.ts";
import { RunLimits } from "./limits.ts";
import type { Stop } from "./outcome.ts";
import { OutputFlow } from "./output-flow.ts";
import type { RunBody } from "./run-body.ts";

/**
 * The life of one command, whatever runs it: it starts, writes, takes messages, exits, and is closed
 * when every process of it has ended.
 */
export class CommandRun {
  readonly commandId: CommandId;
  readonly #options: CommandRunOptions;
  readonly #output: OutputFlow;
  readonly #ending: Ending;
  readonly #signals = new Set<string>();
  /** Why it was stopped before its exit: the first cause decides. */
  #cause: Stop | undefined;
  /** One for the command and what it left, however often it is asked for. */
  #kill: KillProtocol | undefined;
  #body: RunBody | undefined;
  #limits: RunLimits | undefined;
  #input: InputQueue | undefined;

  constructor(options: CommandRunOptions) {
    this.commandId = options.commandId;
    this.#options = options;
    this.#output = new OutputFlow({
      onHold: (held) => this.#limits?.hold(held),
      onRefused: () => void this.stop({ by: "outputLimit" }),
    });
    this.#ending = new Ending({
      ...options,
      output: this.#output,
      kill: () => this.#kill,
      sent: () => ({ stop: this.#cause, signals: this.#signals }),
      endRest: () => void this.stop({ by: "stop" }),
    });
  }

  /** Resolves when the run is over. */
  get finished(): Promise<void> {
    return this.#ending.finished;
  }

  /** Whether it is over. */
  get over(): boolean {
    return this.#ending.closed;
  }

  /** Whether it is to be ended. */
  get stopping(): boolean {
    return this.#cause !== undefined;
  }

  // Start

  /** Open the sink; answers whether the command is still wanted. */
  open(sinks: ByteSinks): boolean {
    this.#output.open(this.commandId, sinks);
    return this.wanted();
  }

  /** Whether the command is still wanted; if not, the run is over, and nothing may be started. */
  wanted(): boolean {
    if (!this.#options.subscriber.closed) return true;
    if (this.over) return false;
    this.#output.end();
    this.#ending.over();
    return false;
  }

  /**
   * The command runs.
   *
   * @param announcement The event that says so; absent: the log has it.
   */
  started(body: RunBody, announcement: ExecutionEvent | undefined): void {
    const { clock, limits, subscriber } = this.#options;
    this.#body = body;
    this.#input = body.input && new InputQueue(body.input);
    this.#output.connect(body.output);
    this.#ending.started(body);
    if (announcement !== undefined) subscriber.next(announcement);
    this.#limits = new RunLimits({ clock, limits, reached: (stop) => void this.stop(stop) });
    this.#limits.hold(this.#output.held);
    // It was stopped while it was being started.
    if (this.#cause !== undefined) void this.stop(this.#cause);
  }

  /** It could not start. */
  failed(reason: string): void {
    if (this.over) return;
    const { commandId } = this;
    const { subscriber } = this.#options;
    this.#output.end();
    this.#ending.over();
    subscriber.next({ type: "execution.failed", commandId, reason });
    subscriber.complete();
  }

  // Bytes

  /** The chunk is valid only during this call. */
  data(chunk: Uint8Array, stream?: OutputStream): void {
    this.#limits?.byteCame();
    this.#output.write(chunk, stream);
  }

  /** No process holds the output any more, or it was released. */
  outputEnded(): void {
    this.#output.end();
    this.#ending.settle();
  }

  // Messages

  /** Answers whether the message was taken. */
  send(message: ExecutorMessage): boolean {
    if (this.#ending.closed) return false;
    switch (message.type) {
      case "stop":
        void this.stop({ by: message.by });
        return true;
      case "signal": {
        const sent = this.#body?.signal(message.signal) ?? false;
        if (sent) this.#signals.add(message.signal);
        return sent;
      }
      case "input":
        return this.#input?.write(message) ?? false;
      case "resize":
        return this.#resize(message);
    }
  }

  /** What its terminal shows; `undefined` when it has none, or the run is over. */
  get screen(): LiveScreen | undefined {
    return this.#ending.closed ? undefined : this.#body?.screen;
  }

  /** The words of the processes that read its input. */
  readers(): readonly (readonly string[])[] {
    const body = this.#body;
    return body?.readers?.() ?? body?.tree.words() ?? [];
  }

  #resize({ columns, rows }: TerminalSize): boolean {
    const taken = this.#body?.resize?.({ columns, rows }) ?? false;
    const { commandId } = this;
    if (taken) {
      this.report({ type: "execution.resized", commandId, columns, rows, at: this.#output.total });
    }
    return taken;
  }

  /** Emit what happens to it between its start and its end. */
  report(
    event: ExecutionRefused | ExecutionResized | ExecutionWaitingForInput | ExecutionWentOn,
  ): void {
    if (!this.#ending.exited && !this.#ending.closed) this.#options.subscriber.next(event);
  }

  /**
   * End the command, or what it left, by the kill protocol; the first cause decides the outcome.
   *
   * @returns The survivors, once the protocol is over.
   */
  stop(stop: Stop): Promise<readonly Leftover[]> {
    if (!this.#ending.exited) this.#cause ??= stop;
    const body = this.#body;
    if (body === undefined || this.#ending.closed) return NO_SURVIVORS;
    // A command that its reader holds back cannot end while it waits for room in the pipe.
    this.#output.resume();
    const { survivors } = this.#kill ?? this.#endProcesses(body.tree, stop);
    return survivors.then((members) => body.describe(members));
  }

  #endProcesses(tree: ProcessTree, stop: Stop): KillProtocol {
    const { commandId } = this;
    const { by } = this.#cause ?? stop;
    // Set before the first signal: a subscriber to that event may stop the command again.
    const kill = this.#kill = new KillProtocol(tree, {
      ...this.#options,
      onSignal: (signal) =>
        this.#options.subscriber.next({ type: "execution.stopping", commandId, by, signal }),
    });
    kill.begin();
    void kill.survivors.then((left) => this.#ended(left.length));
    return kill;
  }

  #ended(survivors: number): void {
    this.#output.resume(true);
    this.#ending.killed(survivors);
    this.#body?.killed?.();
  }

  // Exit

  /** How the command ended; its background processes may still write. */
  exited(exit: RunExit): void {
    if (this.#ending.closed) return;
    this.#limits?.lift();
    this.#input?.end();
    this.#kill?.lookNow();
    this.#ending.exit(exit);
  }

  /** It was unsubscribed: end it, or do not start it. */
  unsubscribed(): void {
    if (this.#body !== undefined) void this.stop({ by: "abort" });
    else this.wanted();
  }

  /** Follow it no more; its processes go on. */
  abandon(): void {
    this.#limits?.lift();
    this.#ending.over();
  }
}

const NO_SURVIVORS: Promise<readonly Leftover[]> = Promise.resolve([]);
