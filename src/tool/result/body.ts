import type { CommandId } from "../../event/command.ts";
import { defined } from "../../value/defined.ts";
import { shown as visible } from "../../value/shown.ts";
import { edgeAfter } from "../../text/decode/edges.ts";
import { excerpt } from "../../text/excerpt/excerpt.ts";
import { lines } from "../../text/lines.ts";
import { blocks, lastBytes } from "../../text/source/blocks.ts";
import type { ByteSource } from "../../text/source/source.ts";
import { windowStart } from "../../text/source/window.ts";
import type { Suite } from "../configuration.ts";
import { hasEnded } from "../../task/task-view.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import type { ScreenSnapshot } from "../../screen/snapshot.ts";
import { shortened } from "../filter/shortened.ts";
import { maskedOutput } from "../../runtime/output/masked-output.ts";
import type { TerminalSize } from "../../platform/terminal/terminals.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import type { Truncation } from "../tool.ts";

/** The part of an output that an answer shows. */
export interface Body {
  /** Without a newline at its end; empty where there is nothing. */
  readonly text: string;
  readonly from: number;
  /** The offset up to which the reader has seen it now. */
  readonly to: number;
  /** Nothing of the output is beyond `to` at this moment. */
  readonly atEnd: boolean;
  readonly truncation?: Truncation;
}

/** Which part of an output is to be shown. */
export interface BodyRange {
  readonly from: number;
  /** As many lines from there on as fit into an answer, in place of an excerpt of all that follows. */
  readonly page?: boolean;
  /** Lines that say little may be left out, where it is the whole output of a command that has ended. */
  readonly shortens?: boolean;
  /** Columns shown of one line; default 2 000. */
  readonly maxLineColumns?: number;
}

/** Show a part of a task's output: beginning, errors and end, with how to read what is left out. */
export async function bodyOf(
  suite: Suite,
  taskId: CommandId,
  { from: asked, page = false, shortens = false, maxLineColumns }: BodyRange,
): Promise<Body> {
  const { runtime, names, kinds, maxOutputChars, maxOutputLines: maxLines } = suite;
  const screen = page ? undefined : await screenOf(runtime, taskId, asked);
  if (screen !== undefined) {
    const to = Math.max(asked, screen.offset);
    return { text: screenText(screen), from: asked, to, atEnd: true };
  }
  const task = runtime.tasks.current.byId.get(taskId);
  const source = await maskedOutput(runtime, taskId);
  if (source.total <= asked) return { text: "", from: asked, to: asked, atEnd: true };
  const from = await windowStart(source, asked, {});
  const end = page
    ? await pageEnd(source, {
      from,
      to: (await lines(source, { from, maxLines, maxBytes: maxOutputChars })).to,
    })
    : source.total;
  const atEnd = end >= source.total;
  // The end of a command completes no character.
  const isLast = atEnd && task !== undefined && hasEnded(task);
  const to = isLast ? end : await wholeEnd(source, { from, to: end });
  if (to <= from) return { text: "", from, to, atEnd };
  const artifact = `artifact://${taskId}`;
  const what = isWhole(suite, taskId, source) ? "all of it" : "what is kept of it";
  const mayShorten = shortens && from === 0 && atEnd;
  const short = mayShorten ? await shortened(suite, taskId, source) : undefined;
  const place = short?.place ?? ((byte: number) => from + byte);
  const shown = await excerpt(short?.source ?? part(source, from, to), {
    maxChars: short === undefined ? maxOutputChars : maxOutputChars - short.note.length - 1,
    maxLines,
    ...defined({ maxLineColumns }),
    footer: ({ byte }) => {
      const more = JSON.stringify({ shellId: taskId, from: place(byte) });
      // Binary data and an overlong first line: the same read again would show nothing else.
      const shows = byte > 0 && kinds.includes("read");
      const how = shows ? `read on with ${names.read} ${more}; ` : "";
      return `[${to - from} bytes, shown in part: ${how}${what} is ${artifact}]`;
    },
  });
  const body = { text: shown.text.replace(/\n$/, ""), from, to, atEnd };
  if (!shown.truncated && short === undefined) return body;
  const totalLines = short?.lines ?? shown.total.lines;
  const truncation: Truncation = {
    shown: [shown.shown.head, shown.shown.tail]
      .filter((range) => range.to > range.from)
      .map((range) => ({ from: place(range.from), to: place(range.to) })),
    totalBytes: source.total,
    ...(totalLines !== null && from === 0 && atEnd && { totalLines }),
    ...(short && { leftOut: Object.fromEntries(short.leftOut) }),
    artifact,
  };
  if (short === undefined) return { ...body, truncation };
  const text = body.text === "" ? short.note : `${body.text}\n${short.note}`;
  return { ...body, text, truncation };
}

/** Where a page ends: before what is lost, or, where it begins with that, behind all of it. */
async function pageEnd(source: ByteSource, { from, to }: ByteRange): Promise<number> {
  for await (const block of blocks(source, { from, to: source.total })) {
    if (block.bytes === undefined) return block.from > from ? Math.min(block.from, to) : block.to;
    if (block.to >= to) break;
  }
  return to;
}

/** Where a part ends that has no piece of a character at its end, unless it is nothing else. */
async function wholeEnd(source: ByteSource, { from, to }: ByteRange): Promise<number> {
  const whole = to - edgeAfter(await lastBytes(source, { from: Math.max(from, to - 4), to }));
  return whole > from ? whole : to;
}

function isWhole({ runtime }: Suite, taskId: CommandId, { total, artifact }: ByteSource): boolean {
  const log = runtime.output(taskId);
  return log === undefined ? artifact?.bytes === total : log.omitted === 0;
}

/** Sequences that move the cursor to a place, or erase a part of the screen. */
// deno-lint-ignore no-control-regex -- a sequence begins with one
const DRAWS = /\x1b\[[\d;]*[HfJd]/;
/** Of much output, so much of its end is looked at. */
const LOOKED_AT_BYTES = 64 * 1024;

/** Sequences that move the cursor to a place, or lead back from a full-screen program. */
// deno-lint-ignore no-control-regex -- a sequence begins with one
const PLACES = /\x1b\[(?:[\d;]*[Hfd]|\?(?:1049|1047|47)l)/;

/** The screen of a command, if its output from an offset on draws on that. */
async function screenOf(
  runtime: Runtime,
  taskId: CommandId,
  from: number,
): Promise<ScreenSnapshot | undefined> {
  const task = runtime.tasks.current.byId.get(taskId);
  const size = task?.sizes?.at(-1);
  if (task === undefined || size === undefined) return undefined;
  const ended = hasEnded(task);
  if (ended && !endsOnScreen(await tail(runtime, taskId, { from, to: task.totalBytes }), size)) {
    return undefined;
  }
  // Without an emulator, or when its output is not kept, what there is of that is shown.
  const screen = await runtime.screen(taskId).catch(() => undefined);
  if (ended || screen === undefined || screen.alternate) return screen;
  return DRAWS.test(await tail(runtime, taskId, { from, to: screen.offset })) ? screen : undefined;
}

async function tail(
  runtime: Runtime,
  taskId: CommandId,
  { from, to }: ByteRange,
): Promise<string> {
  const last = Math.max(from, to - LOOKED_AT_BYTES);
  const { bytes } = await runtime.read(taskId, { from: last, maxBytes: LOOKED_AT_BYTES });
  return new TextDecoder().decode(bytes);
}

/** Whether all that follows the last drawing is still on the screen: more lines are an output to be read. */
function endsOnScreen(text: string, { columns, rows }: TerminalSize): boolean {
  const [, ...drawn] = text.split(PLACES);
  const lines = (drawn.at(-1) ?? "").split("\n");
  const needed = lines.reduce(
    (sum, { length }) => sum + Math.max(1, Math.ceil(length / columns)),
    0,
  );
  return drawn.length > 0 && needed <= rows;
}

/** A program can report a line of any length. */
const MOST_CLAIMED = 500;

/** What a terminal shows, with its place and without empty rows at its end. */
function screenText(screen: ScreenSnapshot): string {
  const { size: { columns, rows }, cursor, title, reported, lines } = screen;
  const place = `cursor in row ${cursor.row + 1}, column ${cursor.column + 1}`;
  const named = title === "" ? "" : `, title ${JSON.stringify(title)}`;
  const claims = JSON.stringify(reported);
  const claimed = claims === "{}"
    ? ""
    : `, program reports ${visible(claims, { most: MOST_CLAIMED })}`;
  return [`[screen of ${columns} x ${rows}, ${place}${named}${claimed}]`, ...lines].join("\n")
    .trimEnd();
}

/** A part of a source as a source of its own. */
function part(source: ByteSource, from: number, to: number): ByteSource {
  if (from === 0 && to === source.total) return source;
  return {
    total: to - from,
    read: async (options) => {
      const read = await source.read({ ...options, from: options.from + from });
      const gaps = read.gaps.map((gap) => ({ from: gap.from - from, to: gap.to - from }));
      return { from: read.from - from, bytes: read.bytes, gaps };
    },
  };
}
