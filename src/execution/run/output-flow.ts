import type { CommandId } from "../../event/command.ts";
import type { ByteSink, ByteSinks, OutputStream } from "../../stream/bytes.ts";
import type { PipeReader } from "../../platform/pipe/pipe-reader.ts";

/** What the sink of a command asks for. */
export interface OutputFlowOptions {
  /** The reader holds the command back, or does no longer. */
  readonly onHold: (held: boolean) => void;
  /** The reader wants no more. */
  readonly onRefused: () => void;
}

/** The bytes of one command on their way from their source to their sink. */
export class OutputFlow {
  readonly #options: OutputFlowOptions;
  #sink: ByteSink | undefined;
  #source: PipeReader | undefined;
  #total = 0;
  #held = false;
  #holds = true;
  #ended = false;

  constructor(options: OutputFlowOptions) {
    this.#options = options;
  }

  /** How many bytes have come so far. */
  get total(): number {
    return this.#total;
  }

  /** Whether the reader holds the command back. */
  get held(): boolean {
    return this.#held;
  }

  /** Whether no process holds the output any more, or it was released. */
  get ended(): boolean {
    return this.#ended;
  }

  open(commandId: CommandId, sinks: ByteSinks): void {
    this.#sink = sinks.open(commandId, {
      pause: () => this.#hold(true),
      resume: () => this.#hold(false),
      end: this.#options.onRefused,
    });
  }

  /** @param source Absent: the bytes go elsewhere. */
  connect(source: PipeReader | undefined): void {
    this.#source = source;
    if (source === undefined) this.#ended = true;
    else if (this.#held) source.pause();
  }

  write(chunk: Uint8Array, stream?: OutputStream): void {
    this.#total += chunk.length;
    this.#sink?.write(chunk, stream);
  }

  end(): void {
    this.#ended = true;
    this.#sink?.end();
  }

  /** Read on; `forGood`: whatever the reader asks for, as no more is left than a pipe holds. */
  resume(forGood = false): void {
    if (forGood) this.#holds = false;
    this.#hold(false);
  }

  /** Read no more, although processes may still write. */
  release(): void {
    if (!this.#ended) this.#source?.release();
  }

  #hold(held: boolean): void {
    if (this.#held === held || (held && !this.#holds)) return;
    this.#held = held;
    this.#options.onHold(held);
    if (held) this.#source?.pause();
    else this.#source?.resume();
  }
}
