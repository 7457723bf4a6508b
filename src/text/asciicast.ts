import * as v from "valibot";
import type { Recorded } from "../event/event.ts";
import type { Outcome } from "../event/execution.ts";
import { signalNumber } from "../platform/process/signals/signal-numbers.ts";
import type { ByteRange } from "../stream/byte-range.ts";
import { decoderOf, type DecodingOptions } from "./decode/decode.ts";
import { checkFields } from "../value/check-fields.ts";
import { isLimit } from "../value/check-limits.ts";
import { viewFields } from "./option-fields.ts";
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
}

const size = v.custom<number>(
  (value) => isLimit(value, { least: 1 }),
  "it must be a whole number, 1 or more",
);

const schema = v.strictObject(
  {
    encoding: viewFields.encoding,
    columns: v.optional(size),
    rows: v.optional(size),
  } satisfies Record<keyof AsciicastOptions, v.GenericSchema>,
);

/**
 * Make an asciicast of a recorded command, which terminal players show as it was, at its times.
 *
 * No event ends inside a character. Bytes that are lost are a marker.
 *
 * @param recorded The events of the command.
 * @param source Its output.
 * @returns Lines, each with its newline: the header, then the events.
 * @throws {TypeError} If an option cannot be used.
 * @throws {RangeError} If there is no such encoding.
 * @see {@link https://docs.asciinema.org/manual/asciicast/v3/} for the format.
 */
export async function* asciicast(
  recorded: readonly Recorded[],
  source: ByteSource,
  options: AsciicastOptions = {},
): AsyncGenerator<string, void, void> {
  checkFields(schema, options, "Cannot make an asciicast with");
  const start = recorded.find(({ event }) => event.type === "execution.started") ?? recorded[0];
  const startAt = start?.at ?? 0;
  const terminal = start?.event.type === "execution.started" ? start.event.terminal : undefined;
  const { columns = terminal?.columns ?? 80, rows = terminal?.rows ?? 24 } = options;
  const command =
    recorded.flatMap(({ event }) => event.type === "command.requested" ? [event.command] : [])[0];
  const decoder = decoderOf(options);
  let last = startAt;
  /** An event has the time since the one before. */
  const line = ({ at, code, data }: CastEvent): string => {
    const ms = Math.max(0, at - last);
    last += ms;
    return `${JSON.stringify([ms / 1000, code, data])}\n`;
  };
  async function* output(at: number, range: ByteRange) {
    for await (const { from, to, bytes } of blocks(source, range)) {
      const text = decoder.decode(bytes, { stream: bytes !== undefined });
      // A terminal has put a return before each newline; players need it.
      const data = terminal === undefined ? text.replaceAll(/(?<!\r)\n/g, "\r\n") : text;
      if (text !== "") yield line({ at, code: "o", data });
      if (bytes === undefined) {
        yield line({ at, code: "m", data: `bytes ${from} to ${to} are lost` });
      }
    }
  }
  yield `${
    JSON.stringify({
      version: 3,
      term: { cols: columns, rows },
      timestamp: Math.floor(startAt / 1000),
      ...(command !== undefined && { command }),
    })
  }\n`;
  let shownTo = 0;
  let end = 0;
  let exit: CastEvent | undefined;
  // In their order: output is announced before its terminal gets another size.
  for (const { at, event } of recorded) {
    end = Math.max(end, at);
    if (event.type === "execution.resized") {
      yield line({ at, code: "r", data: `${event.columns}x${event.rows}` });
    } else if (event.type === "output.appended") {
      yield* output(at, event);
      shownTo = event.to;
    } else if (event.type === "execution.exited") {
      exit = { at, code: "x", data: `${statusOf(event.outcome)}` };
    }
  }
  // A detached command writes its file by itself, without an event.
  yield* output(end, { from: shownTo, to: source.total });
  // A character that was never completed.
  const rest = decoder.decode();
  if (rest !== "") yield line({ at: last, code: "o", data: rest });
  if (exit !== undefined) yield line(exit);
}

/** The exit status as a shell would report it. */
function statusOf(outcome: Outcome): number {
  if (outcome.type === "signaled") return 128 + (signalNumber(outcome.signal) ?? 0);
  return outcome.type === "exited" ? outcome.code : 1;
}
