import {
  type ControlSequence,
  ControlSequences,
  type OperatingSystemCommand,
} from "../platform/terminal/control-sequences.ts";
import type { TerminalSize } from "../platform/terminal/terminals.ts";
import { Backlog } from "./backlog.ts";
import type { CreateEmulator, Emulator } from "./emulator.ts";
import { ModeTracker, type ScreenModes } from "./modes.ts";
import { type ProgramReport, reportAfter } from "./program-report.ts";
import { answerToCommand, answerToControl } from "./queries.ts";
import { type Skip, skipLines } from "./skip.ts";
import type { ScreenSnapshot } from "./snapshot.ts";

/** How a screen begins, and what it calls. */
export interface ScreenOptions {
  readonly size: TerminalSize;
  /** Makes the emulator, when one is needed; where there is none, nothing can be shown. */
  readonly createEmulator: CreateEmulator | undefined;
  /** Sends an answer to the program that asked its terminal something. */
  readonly answer: (text: string) => void;
  /** How many bytes the emulator may be behind; default 65536, which take it one or two milliseconds. */
  readonly mostPendingBytes?: number;
}

/**
 * The screen of a terminal, over the bytes that are written to it.
 *
 * It follows modes and questions at once. The emulator gets the bytes when a snapshot is taken, or
 * when too many wait; lines that have scrolled off the screen by then are left out.
 */
export class Screen {
  readonly #options: ScreenOptions;
  readonly #mostPendingBytes: number;
  readonly #modes = new ModeTracker();
  readonly #sequences: ControlSequences;
  readonly #backlog = new Backlog();
  #size: TerminalSize;
  #title = "";
  #reported: ProgramReport = {};
  #emulator: Emulator | undefined;
  #failure: Error | undefined;
  #decoder = decoder();
  /** From this offset on there are only text, simple controls and styles. */
  #textFrom = 0;
  /** Something may have changed modes that are not followed. */
  #uncertain = false;
  /** What was left out before the bytes that wait. */
  #skip: Skip | undefined;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#mostPendingBytes = options.mostPendingBytes ?? 65_536;
    this.#size = options.size;
    this.#sequences = new ControlSequences({
      csi: (sequence, end) => this.#control(sequence, end),
      osc: (command, end) => this.#command(command, end),
      escape: (text, end) => this.#escape(text, end),
      other: (end) => this.#textFrom = end,
      unknown: (end) => {
        this.#textFrom = end;
        this.#uncertain = true;
      },
    });
  }

  get modes(): ScreenModes {
    return this.#modes.modes;
  }

  get size(): TerminalSize {
    return this.#size;
  }

  /** What the program has said of itself. */
  get reported(): ProgramReport {
    return this.#reported;
  }

  /** Take output; the chunk is valid only during this call. */
  write(chunk: Uint8Array): void {
    this.#backlog.add(chunk);
    this.#sequences.feed(chunk);
    if (this.#backlog.size <= this.#mostPendingBytes) return;
    // To look for few lines again and again would take longer than to show them.
    if (this.#leaveOut() < this.#mostPendingBytes / 2) this.#showUntil(this.#sequences.complete);
  }

  /** Follow a change of the terminal's size. */
  resize(size: TerminalSize): void {
    if (size.columns === this.#size.columns && size.rows === this.#size.rows) return;
    this.#catchUp();
    this.#size = size;
    this.#modes.resized();
    this.#emulator?.resize(size);
  }

  /**
   * Look at the screen as it is now.
   *
   * @throws {Error} When there is no emulator, or it failed on some output.
   */
  snapshot({ styled = false }: { readonly styled?: boolean } = {}): ScreenSnapshot {
    this.#catchUp();
    if (this.#failure !== undefined) throw this.#failure;
    const emulator = this.#emulate();
    if (emulator === undefined) throw new Error("Cannot show the screen: there is no emulator");
    return {
      offset: this.#backlog.total,
      size: this.#size,
      lines: emulator.lines(),
      ...(styled ? { styled: emulator.styled() } : {}),
      cursor: { ...emulator.cursor(), visible: this.modes.cursorVisible },
      title: this.#title,
      reported: this.#reported,
      alternate: this.modes.alternate,
    };
  }

  /** The text on the row of the cursor, up to the cursor; empty where there is no emulator. */
  textBeforeCursor(): string {
    this.#catchUp();
    const emulator = this.#failure === undefined ? this.#emulate() : undefined;
    if (emulator === undefined) return "";
    const { row, column } = emulator.cursor();
    return emulator.line(row, column);
  }

  /** Free the emulator; no call may follow. */
  close(): void {
    this.#emulator?.dispose();
  }

  #control(sequence: ControlSequence, end: number): void {
    this.#textFrom = end;
    this.#modes.control(sequence, this.#size.rows);
    this.#answer(answerToControl(sequence, {
      modes: this.#modes,
      size: this.#size,
      cursor: () => {
        this.#showUntil(end);
        return this.#emulate()?.cursor() ?? { row: 0, column: 0 };
      },
    }));
  }

  #command(command: OperatingSystemCommand, end: number): void {
    this.#textFrom = end;
    const [, title] = /^[02];(.*)$/s.exec(command.text) ?? [];
    if (title !== undefined) this.#title = title;
    this.#reported = reportAfter(this.#reported, command.text);
    this.#answer(answerToCommand(command));
  }

  #escape(text: string, end: number): void {
    this.#textFrom = end;
    this.#modes.escape(text);
    if (text === "c") this.#uncertain = false;
  }

  #answer(text: string | undefined): void {
    if (text !== undefined) this.#options.answer(text);
  }

  /** Show all that waits, but for the lines that are gone from the screen by its end. */
  #catchUp(): void {
    this.#leaveOut();
    this.#showUntil(this.#sequences.complete);
  }

  /** Leave out lines, if there are any; answers how many bytes these were. */
  #leaveOut(): number {
    if (this.#sequences.inText) this.#showUntil(this.#textFrom);
    const skipped = this.#maySkip()
      ? skipLines(this.#backlog.bytes(), {
        rows: this.#size.rows,
        styled: this.#sequences.lastStyle > this.#backlog.from,
        before: this.#skip,
      })
      : undefined;
    if (skipped === undefined) return 0;
    this.#backlog.drop(skipped.bytes);
    this.#skip = skipped;
    return skipped.bytes;
  }

  #maySkip(): boolean {
    const { alternate, margins, origin, reverseWrap } = this.modes;
    return this.#sequences.inText && !this.#uncertain && !alternate && !margins && !origin &&
      !reverseWrap;
  }

  /** Show what waits of the bytes before an offset. */
  #showUntil(offset: number): void {
    const bytes = offset - this.#backlog.from;
    if (bytes <= 0) return;
    if (this.#failure === undefined) this.#show(this.#backlog.bytes(bytes));
    this.#backlog.drop(bytes);
  }

  #show(bytes: Uint8Array): void {
    try {
      this.#emulate()?.write(this.#skipped() + this.#decoder.decode(bytes, { stream: true }));
    } catch (cause) {
      const message = "Cannot show the screen: the emulator failed on some output";
      this.#failure = new Error(message, { cause });
    }
  }

  #emulate(): Emulator | undefined {
    return this.#emulator ??= this.#options.createEmulator?.(this.#size);
  }

  /** What makes up for what was left out: the cursor on the last row, and the styles. */
  #skipped(): string {
    if (this.#skip === undefined) return "";
    const { styles } = this.#skip;
    this.#skip = undefined;
    this.#decoder = decoder();
    return `\x1b[${this.#size.rows};1H${styles.join("")}`;
  }
}

/** A byte order mark is a character like any other here. */
function decoder() {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}
