import { arrivedParts } from "../event/arrived.ts";
import type { Recorded } from "../event/event.ts";
import type { Outcome } from "../event/execution.ts";
import type { ByteRange } from "../stream/byte-range.ts";
import { decoderOf, type DecodingOptions } from "./decode/decode.ts";
import { checkLimits } from "./text-limits.ts";
import { blocks } from "./source/blocks.ts";
import type { ByteSource } from "./source/source.ts";

/** An event of a recording: output, a new size such as "80x24", a marker, or the exit status. */
interface CastEvent {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly code: "o" | "r" | "m" | "x";
  readonly data: string;
}

/** How a recording is made. */
export interface AsciicastOptions extends DecodingOptions {
  /** Default: that of the command's terminal, or 80. */
  readonly columns?: number;
  /** Default: that of the command's terminal, or 24. */
  readonly rows?: number;
  /** The exit status of an outcome; that of the command itself, or 1, when absent. */
  readonly statusOf?: (outcome: Outcome) => number;
}

/**
 * Make an asciicast of a recorded command, which terminal players show as it was, at its times.
 *
 * No event ends inside a character. Bytes that are lost are a marker.
 *
 * @param recorded The events of the command.
 * @param source Its output.
 * @returns Lines, each with its newline: the header, then the events.
 * @throws {TypeError} If a size is none.
 * @throws {RangeError} If there is no such encoding.
 * @see {@link https://docs.asciinema.org/manual/asciicast/v3/} for the format.
 */
export async function* asciicast(
  recorded: readonly Recorded[],
  source: ByteSource,
  options: AsciicastOptions = {},
): AsyncGenerator<string, void, void> {
  const start = recorded.find(({ event }) => event.type === "execution.started") ?? recorded[0];
  const terminal = start?.event.type === "execution.started" ? start.event.terminal : undefined;
  const { columns = terminal?.columns ?? 80, rows = terminal?.rows ?? 24 } = options;
  const { statusOf = ownStatus } = options;
  checkLimits("make an asciicast", { columns, rows }, { least: 1 });
  const command =
    recorded.flatMap(({ event }) => event.type === "command.requested" ? [event.command] : [])[0];
  const cast = new Cast(source, {
    ...options,
    // A terminal has put a return before each newline; players need it.
    terminal: terminal !== undefined,
    startAt: start?.at ?? 0,
  });
  yield `${
    JSON.stringify({
      version: 3,
      term: { cols: columns, rows },
      timestamp: Math.floor((start?.at ?? 0) / 1000),
      ...(command !== undefined && { command }),
    })
  }\n`;
  const sizes = recorded.flatMap(({ at, event }): Resize[] =>
    event.type === "execution.resized"
      ? [{ at, code: "r", data: `${event.columns}x${event.rows}`, offset: event.at }]
      : []
  );
  let to = 0;
  let end = start?.at ?? 0;
  let exit: CastEvent | undefined;
  for (const { at, event } of recorded) {
    end = Math.max(end, at);
    if (event.type === "output.appended") {
      for (const { at: partAt, from, to: end } of arrivedParts({ at, event })) {
        let rest = from;
        for (let next = sizes[0]; next !== undefined && next.offset < end; next = sizes[0]) {
          if (next.offset > rest) yield* cast.output({ from: rest, to: next.offset }, partAt);
          yield cast.line(next);
          rest = Math.max(rest, next.offset);
          sizes.shift();
        }
        yield* cast.output({ from: rest, to: end }, partAt);
      }
      to = event.to;
    }
    if (event.type === "execution.exited") {
      exit = { at, code: "x", data: `${statusOf(event.outcome)}` };
    }
  }
  // A detached command writes its file by itself, without an event.
  yield* cast.output({ from: to, to: source.total }, end);
  yield* cast.rest();
  for (const size of sizes) yield cast.line(size);
  if (exit !== undefined) yield cast.line(exit);
}

/** A new size, from an offset of the output on. */
interface Resize extends CastEvent {
  readonly offset: number;
}

function ownStatus(outcome: Outcome): number {
  return outcome.type === "exited" ? outcome.code : 1;
}

/** What {@linkcode Cast} needs. */
interface CastOptions extends AsciicastOptions {
  readonly terminal: boolean;
  readonly startAt: number;
}

/** Encodes the events of one recording, each by the time since the one before. */
class Cast {
  readonly #source: ByteSource;
  readonly #decoder: ReturnType<typeof decoderOf>;
  readonly #terminal: boolean;
  #last: number;

  constructor(source: ByteSource, options: CastOptions) {
    this.#source = source;
    this.#decoder = decoderOf(options);
    this.#terminal = options.terminal;
    this.#last = options.startAt;
  }

  /** A part of the output that came at a time. */
  async *output(range: ByteRange, at: number): AsyncGenerator<string, void, void> {
    for await (const { from, to, bytes } of blocks(this.#source, range)) {
      const text = this.#decoder.decode(bytes, { stream: bytes !== undefined });
      if (text !== "") yield this.line({ at, code: "o", data: this.#shown(text) });
      if (bytes !== undefined) continue;
      yield this.line({ at, code: "m", data: `bytes ${from} to ${to} are lost` });
    }
  }

  /** A character that was never completed. */
  *rest(): Generator<string, void, void> {
    const data = this.#decoder.decode();
    if (data !== "") yield this.line({ at: this.#last, code: "o", data });
  }

  line({ at, code, data }: CastEvent): string {
    const ms = Math.max(0, at - this.#last);
    this.#last += ms;
    return `${JSON.stringify([ms / 1000, code, data])}\n`;
  }

  #shown(text: string): string {
    return this.#terminal ? text : text.replaceAll(/(?<!\r)\n/g, "\r\n");
  }
}
