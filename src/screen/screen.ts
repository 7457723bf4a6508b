import type { TerminalSize } from "../platform/terminal/terminals.ts";
import type { CreateEmulator, Emulator } from "./emulator.ts";
import { ModeTracker, type ScreenModes } from "./modes.ts";
import { type ProgramReport, reportAfter } from "./program-report.ts";
import { answerToCommand, answerToControl } from "./queries.ts";
import {
  type ControlSequence,
  hasUnknown,
  mayHaveSequences,
  type OperatingSystemCommand,
  sequencesIn,
  unfinishedIn,
} from "./sequences.ts";
import { skipLines } from "./skip.ts";
import type { ScreenSnapshot } from "./snapshot.ts";

/** How a screen begins, and what it calls. */
export interface ScreenOptions {
  readonly size: TerminalSize;
  /** Makes the emulator, when one is needed; where there is none, nothing can be shown. */
  readonly createEmulator: CreateEmulator | undefined;
  /** Sends an answer to the program that asked its terminal something. */
  readonly answer: (text: string) => void;
  /** How many characters the emulator may be behind; default 65536, which take it one or two milliseconds. */
  readonly mostWaiting?: number;
}

/**
 * The screen of a terminal, over the bytes that are written to it.
 *
 * It follows modes and questions at once. The emulator gets the text when a snapshot is taken, or
 * when too much waits; lines that have scrolled off the screen by then are left out.
 */
export class Screen {
  readonly #options: ScreenOptions;
  readonly #mostWaiting: number;
  readonly #modes = new ModeTracker();
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #size: TerminalSize;
  #total = 0;
  #title = "";
  #reported: ProgramReport = {};
  #emulator: Emulator | undefined;
  #failure: Error | undefined;
  /** What the emulator has not got yet. */
  #waiting = "";
  /** From here on it has only text, simple controls and styles. */
  #textFrom = 0;
  /** A sequence of which the end is still to come. */
  #unfinished = "";
  /** Something may have changed modes that are not followed. */
  #uncertain = false;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#mostWaiting = options.mostWaiting ?? 65_536;
    this.#size = options.size;
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
    this.#total += chunk.length;
    const text = this.#decoder.decode(chunk, { stream: true });
    if (this.#unfinished === "" && !mayHaveSequences(text)) this.#waiting += text;
    else this.#follow(text);
    if (this.#waiting.length > this.#mostWaiting && !this.#leaveOut()) this.#show();
  }

  /** Follow a change of the terminal's size. */
  resize(size: TerminalSize): void {
    if (size.columns === this.#size.columns && size.rows === this.#size.rows) return;
    this.#show();
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
    this.#show();
    if (this.#failure !== undefined) throw this.#failure;
    const emulator = this.#emulate();
    if (emulator === undefined) throw new Error("Cannot show the screen: there is no emulator");
    return {
      offset: this.#total,
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
    this.#show();
    const emulator = this.#failure === undefined ? this.#emulate() : undefined;
    if (emulator === undefined) return "";
    const { row, column } = emulator.cursor();
    return emulator.line(row, column);
  }

  /** Free the emulator; no call may follow. */
  close(): void {
    this.#emulator?.dispose();
  }

  /** Let text wait for the emulator, and do at once what its sequences ask for. */
  #follow(text: string): void {
    const all = this.#unfinished + text;
    let waitsTo = this.#unfinished.length;
    let at = 0;
    const unfinished = unfinishedIn(all);
    const open = unfinished === "" ? all.length : all.lastIndexOf("\x1b");
    this.#unfinished = "";
    for (const { from, to, control, command, resets } of sequencesIn(all)) {
      // What shifts character sets is none inside of a string, the end of which is still to come.
      if (from >= open) break;
      this.#waiting += all.slice(waitsTo, to);
      waitsTo = Math.max(waitsTo, to);
      // Lines are counted: one inside of a sequence is none.
      this.#uncertain ||= hasUnknown(all.slice(at, from)) || all.slice(from, to).includes("\n");
      at = to;
      this.#textFrom = this.#waiting.length;
      if (control !== undefined) this.#control(control);
      if (command !== undefined) this.#command(command);
      if (resets) this.#reset();
    }
    this.#waiting += all.slice(waitsTo);
    this.#unfinished = unfinished;
    this.#uncertain ||= hasUnknown(all.slice(at, all.length - unfinished.length));
  }

  #control(sequence: ControlSequence): void {
    this.#modes.control(sequence, this.#size.rows);
    this.#answer(answerToControl(sequence, {
      modes: this.#modes,
      size: this.#size,
      cursor: () => {
        this.#show();
        return this.#emulate()?.cursor() ?? { row: 0, column: 0 };
      },
    }));
  }

  #command(command: OperatingSystemCommand): void {
    const [, title] = /^[02];(.*)$/s.exec(command.text) ?? [];
    if (title !== undefined) this.#title = title;
    this.#reported = reportAfter(this.#reported, command.text);
    this.#answer(answerToCommand(command));
  }

  #reset(): void {
    this.#modes.reset();
    this.#uncertain = false;
  }

  #answer(text: string | undefined): void {
    if (text !== undefined) this.#options.answer(text);
  }

  /** Leave out lines that have left the screen by the end of what waits; answers whether there were some. */
  #leaveOut(): boolean {
    const { alternate, margins, origin, reverseWrap } = this.modes;
    if (this.#uncertain || alternate || margins || origin || reverseWrap) return false;
    const from = this.#textFrom;
    const skip = skipLines(this.#waiting.slice(from, this.#complete), this.#size.rows);
    if (skip === undefined) return false;
    this.#emulatorTakes(this.#waiting.slice(0, from + skip.from) + skip.instead);
    this.#waiting = this.#waiting.slice(from + skip.to);
    this.#textFrom = 0;
    return true;
  }

  /** Where a sequence begins of which the end is still to come. */
  get #complete(): number {
    return this.#waiting.length - this.#unfinished.length;
  }

  /** Show what waits, but for such a sequence. */
  #show(): void {
    const end = this.#complete;
    if (end <= 0) return;
    this.#emulatorTakes(this.#waiting.slice(0, end));
    this.#waiting = this.#waiting.slice(end);
    this.#textFrom = 0;
  }

  #emulatorTakes(text: string): void {
    if (this.#failure !== undefined) return;
    try {
      this.#emulate()?.write(text);
    } catch (cause) {
      const message = "Cannot show the screen: the emulator failed on some output";
      this.#failure = new Error(message, { cause });
    }
  }

  #emulate(): Emulator | undefined {
    return this.#emulator ??= this.#options.createEmulator?.(this.#size);
  }
}
