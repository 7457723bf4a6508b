import { clip } from "../clip.ts";
import { ERASE_LEFT, ERASE_LINE, ERASE_RIGHT } from "./escapes.ts";
import { clusterAt, columnsOf } from "./width.ts";

/** A cluster keeps no more code units than this, whatever is stacked upon it. */
const MAX_CLUSTER = 64;

/** Printable ASCII, each character of which takes one column. */
const ASCII = /[\x20-\x7e]+/y;

/** How a row is kept. */
export interface RowOptions {
  readonly maxColumns: number;
  /** Whether a return begins a line below, instead of going back to the first column. */
  readonly frames: boolean;
}

/**
 * One line as a terminal of any width shows it: cells, and a cursor that returns, goes back and erases.
 *
 * A cluster stands in its first column, the other columns that it takes hold "". Columns from
 * `maxColumns` on are counted and not kept; of a cluster that reaches beyond, blanks are kept.
 */
export class Row {
  readonly #maxColumns: number;
  readonly #framed: boolean;
  /** The frames that ended, each with a newline, and the columns of those that were not kept. */
  #frames = "";
  #omittedFrames = 0;
  /** A return ends a frame once something follows it. */
  #returned = false;
  #cells: string[] = [];
  #cursor = 0;
  #columns = 0;
  /** The cluster before the cursor, as long as the next text may extend it. */
  #last = "";

  constructor({ maxColumns, frames }: RowOptions) {
    this.#maxColumns = maxColumns;
    this.#framed = frames;
  }

  /** The text that is kept. */
  get text(): string {
    return this.#frames + this.#cells.join("");
  }

  /** How many of its columns were not kept. */
  get omittedColumns(): number {
    return this.#omittedFrames + this.#columns - this.#cells.length;
  }

  /** Begin an empty line. */
  reset(): void {
    this.#frames = "";
    this.#omittedFrames = 0;
    this.#clear();
  }

  /** Write cleaned text at the cursor. */
  write(text: string): void {
    // What was written last is written again, together with what extends it.
    const again = text.charCodeAt(0) < 0x7f ? "" : this.#last;
    if (again !== "") this.#cursor -= columnsOf(again);
    const all = again + text;
    for (let at = 0; at < all.length;) {
      const unit = all.charCodeAt(at);
      if (this.#returned && unit !== 0x0d) this.#endFrame();
      if (unit < 0x20) this.#control(all.charAt(at++));
      else at = this.#ascii(all, at) || this.#character(all, at);
    }
  }

  #control(control: string): void {
    const column = this.#cursor;
    this.#last = "";
    switch (control) {
      case "\t":
        return this.#tab();
      case "\r":
        if (this.#framed) this.#returned = true;
        else this.#cursor = 0;
        return;
      case "\b":
        this.#cursor = Math.max(0, column - 1);
        return;
      case ERASE_RIGHT:
        if (column >= this.#columns) return;
        this.#split(column);
        this.#columns = column;
        this.#cells.length = Math.min(this.#cells.length, column);
        return;
      case ERASE_LEFT:
        this.#split(column + 1);
        this.#cells.fill(" ", 0, column + 1);
        return;
      case ERASE_LINE:
        this.#cells = [];
        this.#columns = 0;
    }
  }

  #endFrame(): void {
    if (this.#columns > 0) {
      if (this.#frames.length + this.#columns > this.#maxColumns) {
        this.#omittedFrames += this.#columns;
      } else this.#frames += `${this.#cells.join("")}\n`;
    }
    this.#clear();
  }

  #clear(): void {
    this.#returned = false;
    this.#cells = [];
    this.#cursor = this.#columns = 0;
    this.#last = "";
  }

  /** A tab writes itself at the end of the line, and otherwise only moves the cursor. */
  #tab(): void {
    const width = 8 - this.#cursor % 8;
    if (this.#cursor < this.#columns) this.#cursor += width;
    else this.#put("\t", width);
  }

  /** Write ASCII but for a last letter that a mark may follow; answers where it ends, or 0 for none. */
  #ascii(text: string, from: number): number {
    ASCII.lastIndex = from;
    if (!ASCII.test(text)) return 0;
    const to = ASCII.lastIndex - (text.charCodeAt(ASCII.lastIndex) > 0x7e ? 1 : 0);
    if (to === from) return 0;
    const start = this.#cursor;
    this.#makeRoom(to - from);
    const kept = Math.min(to - from, this.#maxColumns - start);
    for (let i = 0; i < kept; i++) this.#cells[start + i] = text.charAt(from + i);
    this.#advance(to - from);
    this.#last = text.charAt(to - 1);
    return to;
  }

  #character(text: string, at: number): number {
    const cluster = clusterAt(text, at);
    const kept = clip(cluster, MAX_CLUSTER);
    this.#put(kept, columnsOf(cluster));
    this.#last = kept;
    return at + cluster.length;
  }

  #put(cluster: string, width: number): void {
    const start = this.#cursor;
    const end = Math.min(start + width, this.#maxColumns);
    this.#makeRoom(width);
    const whole = end === start + width;
    for (let i = start; i < end; i++) this.#cells[i] = whole ? (i === start ? cluster : "") : " ";
    this.#advance(width);
  }

  /** Fill up to a cursor beyond the end, and blank clusters of which only a part will be replaced. */
  #makeRoom(width: number): void {
    const kept = Math.min(this.#cursor, this.#maxColumns);
    while (this.#cells.length < kept) this.#cells.push(" ");
    this.#split(this.#cursor);
    this.#split(this.#cursor + width);
  }

  #advance(width: number): void {
    this.#cursor += width;
    this.#columns = Math.max(this.#columns, this.#cursor);
  }

  /** Where a boundary falls inside a cluster, blanks take its place. */
  #split(column: number): void {
    if (this.#cells[column] !== "") return;
    let start = column;
    while (start > 0 && this.#cells[start] === "") start--;
    for (let i = start; i === start || this.#cells[i] === ""; i++) this.#cells[i] = " ";
  }
}
