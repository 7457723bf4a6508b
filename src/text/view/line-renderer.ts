import { EscapeParser } from "./escape-parser.ts";
import { Row } from "./row.ts";

/** How the text view treats what moves a cursor. */
export interface RenderOptions {
  /**
   * `terminal`: a backspace moves the cursor, and what was there stays until it is overwritten.
   * `erase`: a backspace deletes the character before it.
   *
   * @default {"terminal"}
   */
  readonly backspace?: "terminal" | "erase";
  /**
   * `collapse`: of a line that a carriage return rewrites, the last state remains.
   * `frames`: each state is a line.
   *
   * @default {"collapse"}
   */
  readonly progress?: "collapse" | "frames";
  /** Columns kept of a line; the others are counted. @default {16384} */
  readonly maxColumns?: number;
}

/** What ended a rendered line: a frame is a line for who looks at it, and none where lines are counted. */
export type LineEnd = "newline" | "frame" | "end";

/** Is told of lines as they are complete. */
export interface LineSink {
  line(text: string, omittedColumns: number, end: LineEnd): void;
  /** A carriage return stands at this index of the text being fed. */
  returned(index: number): void;
  /** A control that goes to the next line ends at this index; says whether that can be the end of a line. */
  broken(index: number): boolean;
}

/** Every control character but the newline and the tab, which stays in the text. */
// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/** Colours, which are most of all sequences and do nothing here. */
// deno-lint-ignore no-control-regex
const COLOURS = /\x1b\[[\d;:]{0,64}m/y;
const ASCII = /^[\x20-\x7e]*$/;

/**
 * Turns decoded output into lines as a terminal without width would show them.
 *
 * While a line is only appended to it is a string; the first move of the cursor makes it a row of cells.
 */
export class LineRenderer {
  readonly #sink: LineSink;
  readonly #erases: boolean;
  readonly #frames: boolean;
  readonly #maxColumns: number;
  readonly #escapes = new EscapeParser();
  readonly #row: Row;
  /** Where the next newline stands in the text being fed. */
  #newline = -1;
  #text = "";
  /** Whether the text is plain ASCII without tabs; not known before it is asked. */
  #ascii: boolean | undefined;
  #cells = false;
  /** A carriage return acts when something follows it; before a newline it is a part of that. */
  #returned = false;
  /** The column that was saved in this line; the view cannot go back to another one. */
  #saved: number | undefined;

  constructor(sink: LineSink, options: RenderOptions = {}) {
    this.#sink = sink;
    this.#erases = options.backspace === "erase";
    this.#frames = options.progress === "frames";
    this.#maxColumns = Math.max(1, options.maxColumns ?? 16_384);
    this.#row = new Row(this.#maxColumns);
  }

  /** Render more text; a cut between two calls may fall between any two code points. */
  feed(text: string): void {
    let at = 0;
    let control = -1;
    this.#newline = -1;
    while (at < text.length) {
      if (!this.#escapes.idle) {
        at = this.#sequence(text, at);
        continue;
      }
      if (control < at) control = nextControl(text, at);
      at = this.#plain(text, at, control);
      if (at === text.length) return;
      const colours = endOfColours(text, at);
      if (colours > at) at = colours;
      else this.#control(text.charCodeAt(at), at++);
    }
  }

  /** No more follows: a line without its newline is complete as well, when it shows anything. */
  end(): void {
    if (this.#cells ? !this.#row.empty : this.#text !== "") this.#emit("end");
    this.#reset();
  }

  /** Render what has no control character but newlines, which is nearly everything. */
  #plain(text: string, from: number, to: number): number {
    let at = from;
    while (at < to) {
      // Looked for once and remembered, as between two of them there may be a million controls.
      if (this.#newline < at) this.#newline = indexOrEnd(text, "\n", at);
      const end = Math.min(this.#newline, to);
      if (end > at) this.#write(text.slice(at, end));
      at = end;
      if (this.#newline > end || end === to) break;
      this.#emit("newline");
      this.#reset();
      at++;
    }
    return at;
  }

  #sequence(text: string, at: number): number {
    const { taken, sequence } = this.#escapes.read(text, at);
    // NEL, next line.
    if (sequence?.final === "\x1bE") this.#nextLine(at + taken - 1);
    else if (sequence !== undefined) this.#act(sequence.final, sequence.count);
    return at + taken;
  }

  #control(unit: number, index: number): void {
    if (unit === 0x0d) {
      // Where a frame ends is where its return stands; further returns belong to it as well.
      this.#returned = true;
      if (this.#frames) this.#sink.returned(index);
    } else if (unit === 0x08) this.#backspace();
    else if (unit === 0x85) this.#nextLine(index);
    else this.#escapes.open(unit);
  }

  #write(run: string): void {
    if (this.#returned) {
      if (!this.#frames && this.#covers(run)) this.#clear();
      else this.#return();
      this.#returned = false;
    }
    if (this.#cells) return this.#row.write(run);
    const units = this.#text.length + run.length;
    // A unit takes at most the eight columns of a tab, so most lines need no closer look.
    if (units * 8 > this.#maxColumns) {
      this.#ascii = (this.#ascii ?? ASCII.test(this.#text)) && ASCII.test(run);
      if (!this.#ascii || units > this.#maxColumns) return this.#toCells().write(run);
    }
    this.#text += run;
  }

  /** Whether a run that begins the line anew leaves nothing of it, as most frames do. */
  #covers(run: string): boolean {
    if (!ASCII.test(run)) return false;
    if (this.#cells) return this.#row.columns <= run.length && !this.#row.led;
    return this.#text.length <= run.length && ASCII.test(this.#text);
  }

  #return(): void {
    this.#returned = false;
    if (!this.#frames) return this.#toCells().moveTo(0);
    if (this.#cells ? !this.#row.empty : this.#text !== "") this.#emit("frame");
    this.#clear();
    this.#saved = undefined;
  }

  /** To whoever counts lines only a newline ends one, so that numbers are those of other programs. */
  #nextLine(index: number): void {
    if (!this.#sink.broken(index)) return;
    this.#emit("frame");
    this.#reset();
  }

  #backspace(): void {
    if (this.#returned) this.#return();
    if (this.#erases) this.#toCells().eraseBackwards();
    else this.#toCells().moveBy(-1);
  }

  #act(final: string, count: number | undefined): void {
    const times = Math.max(1, count ?? 1);
    switch (final) {
      case "C":
      case "a":
        return this.#cursor().moveBy(times);
      case "D":
        return this.#cursor().moveBy(-times);
      case "G":
      case "`":
        return this.#cursor().moveTo(times - 1);
      case "P":
        return this.#cursor().deleteColumns(times);
      case "@":
        return this.#cursor().insertColumns(times);
      case "X":
        return this.#cursor().blankColumns(times);
      case "K":
        return this.#eraseInLine(count ?? 0);
      case "b":
        // A return moves the cursor, so nothing printed comes right before.
        return this.#returned ? undefined : this.#toCells().repeat(times);
      case "\x1b7":
        return this.#save();
      case "\x1b8":
        return this.#restore();
      // With parameters these set margins and tell of keys.
      case "s":
        return count === undefined ? this.#save() : undefined;
      case "u":
        return count === undefined ? this.#restore() : undefined;
      case "J":
        // Of what erases to the end of the screen, a line sees that it erases to the end of the line.
        return (count ?? 0) === 0 ? this.#eraseInLine(0) : undefined;
    }
  }

  #eraseInLine(which: number): void {
    // At the end of a line, where most programs send it, erasing to the end does nothing.
    if (which === 0 && !this.#cells && !this.#returned) return;
    if (which === 0 && this.#returned && !this.#frames) {
      this.#returned = false;
      this.#clear();
    } else if (which === 0) this.#cursor().cutAtCursor();
    else if (which === 1) this.#cursor().blankToCursor();
    else if (which === 2) this.#cursor().clear();
  }

  #save(): void {
    this.#saved = this.#cursor().cursor;
  }

  #restore(): void {
    if (this.#saved !== undefined) this.#cursor().moveTo(this.#saved);
  }

  #cursor(): Row {
    if (this.#returned) this.#return();
    return this.#toCells();
  }

  #toCells(): Row {
    if (!this.#cells) {
      this.#cells = true;
      this.#row.reset();
      this.#row.write(this.#text);
      this.#text = "";
    }
    return this.#row;
  }

  #emit(end: LineEnd): void {
    if (this.#cells) this.#sink.line(this.#row.text(), this.#row.omittedColumns, end);
    else this.#sink.line(this.#text, 0, end);
  }

  #clear(): void {
    this.#text = "";
    this.#ascii = undefined;
    this.#cells = false;
  }

  #reset(): void {
    this.#clear();
    this.#returned = false;
    this.#saved = undefined;
    this.#escapes.reset();
  }
}

function nextControl(text: string, from: number): number {
  CONTROL.lastIndex = from;
  return CONTROL.test(text) ? CONTROL.lastIndex - 1 : text.length;
}

function endOfColours(text: string, from: number): number {
  COLOURS.lastIndex = from;
  return text.charCodeAt(from) === 0x1b && COLOURS.test(text) ? COLOURS.lastIndex : from;
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index < 0 ? text.length : index;
}
