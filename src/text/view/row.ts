import { columnsOf, EMOJI_PRESENTATION, isPictograph, joins } from "./width.ts";

/** A cluster takes no more code units than this, whatever is stacked upon it. */
const MAX_CLUSTER = 64;

/**
 * One line of a terminal: cells, a cursor, and what programs do with them.
 *
 * A cluster stands in its first column, the further columns it covers hold "". Columns from
 * `maxColumns` on are counted and not kept; of a cluster that reaches beyond, blanks are kept.
 */
export class Row {
  readonly #maxColumns: number;
  #cells: string[] = [];
  /** Marks that stand before the first column. */
  #lead = "";
  #cursor = 0;
  #end = 0;
  /** No tab stands to the right of this column. */
  #lastTab = -1;
  /** Whether the character before the cursor was written by the last write, so that one may join it. */
  #adjoins = false;
  /** The last cluster that was written, which only counts while it adjoins. */
  #last = "";

  constructor(maxColumns: number) {
    this.#maxColumns = maxColumns;
  }

  /** The column in which the next character is written. */
  get cursor(): number {
    return this.#cursor;
  }

  /** How many columns the line has, kept or not. */
  get columns(): number {
    return this.#end;
  }

  /** How many of its columns were not kept. */
  get omittedColumns(): number {
    return this.#end - this.#cells.length;
  }

  /** Whether marks stand before the first column. */
  get led(): boolean {
    return this.#lead !== "";
  }

  /** Whether nothing was ever written. */
  get empty(): boolean {
    return this.#end === 0 && this.#lead === "";
  }

  /** The text that is kept. */
  text(): string {
    return this.#lead + this.#cells.join("");
  }

  /** Begin an empty line. */
  reset(): void {
    this.#cells = [];
    this.#lead = "";
    this.#cursor = 0;
    this.#end = 0;
    this.#lastTab = -1;
    this.#adjoins = false;
  }

  /** Write printable text, tabs included, at the cursor. */
  write(text: string): void {
    let at = 0;
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      if (unit === 9) {
        this.#tab();
        at++;
      } else if (unit < 0x7f) {
        const beyond = this.#cursor >= this.#maxColumns && this.#cursor >= this.#end;
        at = beyond ? this.#skip(text, at) : this.#ascii(text, at);
      } else {
        const codePoint = text.codePointAt(at) ?? 0;
        const length = codePoint > 0xffff ? 2 : 1;
        this.#character(codePoint, text.slice(at, at + length));
        at += length;
      }
    }
  }

  /** Write the character before the cursor again, so many times, if that is what was written last. */
  repeat(count: number): void {
    const last = this.#last;
    if (!this.#adjoins || last === "") return;
    const start = this.#cursor;
    this.write(last);
    const width = this.#cursor - start;
    if (width <= 0) return;
    // Of what is not kept, the columns are counted at once.
    const kept = Math.max(0, Math.ceil((this.#maxColumns - this.#cursor) / width));
    const written = Math.min(count - 1, kept);
    this.write(last.repeat(written));
    if (count - 1 > written) this.#advance((count - 1 - written) * width);
  }

  /** Move to a column; nothing is written, and nobody goes further than the line can be kept. */
  moveTo(column: number): void {
    this.#cursor = Math.max(0, Math.min(column, Math.max(this.#end, this.#maxColumns)));
    this.#adjoins = false;
  }

  /** Move by a number of columns. */
  moveBy(columns: number): void {
    this.moveTo(this.#cursor + columns);
  }

  /** Remove the cluster before the cursor. */
  eraseBackwards(): void {
    if (this.#cursor === 0) return;
    const start = this.#clusterStart(this.#cursor - 1);
    const width = this.#cursor - start;
    this.#cursor = start;
    this.deleteColumns(width);
  }

  /** Take out columns at the cursor; those to the right move up. */
  deleteColumns(count: number): void {
    const removed = Math.min(count, this.#end - this.#cursor);
    if (removed <= 0) return;
    this.#split(this.#cursor);
    this.#split(this.#cursor + removed);
    this.#spaceTabs();
    this.#cells.splice(this.#cursor, removed);
    this.#end -= removed;
    this.#adjoins = false;
  }

  /** Put blank columns at the cursor; those to the right move on. */
  insertColumns(count: number): void {
    if (this.#cursor >= this.#end) return;
    this.#split(this.#cursor);
    this.#spaceTabs();
    const room = Math.max(0, this.#maxColumns - this.#cursor);
    const blanks = Math.min(count, room);
    if (this.#cursor <= this.#cells.length) {
      // What moves beyond the limit is cut off first, so that no row becomes longer on the way.
      this.#split(this.#maxColumns - blanks);
      const cells = this.#cells;
      cells.length = Math.min(cells.length, this.#maxColumns - blanks);
      if (blanks === 1) cells.splice(this.#cursor, 0, " ");
      else {
        const moved = cells.splice(this.#cursor);
        this.#cells = cells.concat(new Array<string>(blanks).fill(" "), moved);
      }
    }
    this.#end += count;
    this.#adjoins = false;
  }

  /** Make columns from the cursor on blank. */
  blankColumns(count: number): void {
    this.#blank(this.#cursor, Math.min(this.#cursor + count, this.#end));
  }

  /** Make the line blank up to and with the cursor. */
  blankToCursor(): void {
    this.#lead = "";
    this.#blank(0, Math.min(this.#cursor + 1, this.#end));
  }

  /** Cut the line off at the cursor. */
  cutAtCursor(): void {
    if (this.#cursor >= this.#end) return;
    this.#split(this.#cursor);
    this.#end = this.#cursor;
    if (this.#cells.length > this.#end) this.#cells.length = this.#end;
  }

  /** Empty the line and leave the cursor where it is. */
  clear(): void {
    this.#cells = [];
    this.#lead = "";
    this.#end = 0;
    this.#adjoins = false;
  }

  #ascii(text: string, from: number): number {
    this.#pad();
    this.#split(this.#cursor);
    let at = from;
    let column = this.#cursor;
    const cells = this.#cells;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit >= 0x7f || unit === 9 || column >= this.#maxColumns) break;
      if (column < cells.length) {
        // The rest of a cluster whose beginning this replaces.
        if (cells[column + 1] === "") this.#split(column + 1);
        cells[column] = text.charAt(at);
      } else cells.push(text.charAt(at));
      column++;
    }
    // Within a line that goes on beyond the limit, columns are replaced without being kept.
    if (column === this.#cursor) return this.#skip(text, from);
    this.#cursor = column;
    if (column > this.#end) this.#end = column;
    this.#adjoins = true;
    this.#last = text.charAt(at - 1);
    return at;
  }

  #skip(text: string, from: number): number {
    let at = from;
    for (; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit >= 0x7f || unit === 9) break;
    }
    this.#advance(at - from);
    this.#last = text.charAt(at - 1);
    return at;
  }

  #character(codePoint: number, character: string): void {
    const width = columnsOf(codePoint);
    const before = this.#adjoins || width === 0 ? this.#before() : undefined;
    if (width === 0) return this.#mark(character, before);
    if (before !== undefined && joins(this.#cells[before] ?? "", codePoint)) {
      if (this.#append(before, character)) this.#widen(before);
      return;
    }
    this.#put(character, width);
    this.#last = character;
  }

  #mark(mark: string, before: number | undefined): void {
    if (before !== undefined) {
      if (this.#append(before, mark) && mark === EMOJI_PRESENTATION && this.#adjoins) {
        this.#widen(before);
      }
      return;
    }
    if (this.#cursor === 0 && this.#lead.length < MAX_CLUSTER) this.#lead += mark;
  }

  #append(column: number, part: string): boolean {
    const cluster = this.#cells[column] ?? "";
    if (cluster.length + part.length > MAX_CLUSTER) return false;
    this.#cells[column] = cluster + part;
    if (this.#adjoins) this.#last = cluster + part;
    return true;
  }

  /** Give a pictorial cluster that ends at the cursor its second column. */
  #widen(column: number): void {
    const cluster = this.#cells[column] ?? "";
    if (this.#cursor !== column + 1) return;
    const flag = joins(cluster.slice(0, 2), cluster.codePointAt(2) ?? 0);
    if (!flag && !isPictograph(cluster)) return;
    this.#keep(column, cluster, 2);
    this.#advance(1);
  }

  #put(cluster: string, width: number): void {
    this.#pad();
    this.#keep(this.#cursor, cluster, width);
    this.#advance(width);
  }

  /** What columns hold must not depend on what is written to their right, so no cluster is kept in part. */
  #keep(column: number, cluster: string, width: number): void {
    const to = Math.min(column + width, this.#maxColumns);
    if (column >= to) return;
    this.#split(column);
    this.#split(to);
    const whole = to === column + width;
    this.#cells[column] = whole ? cluster : " ";
    for (let i = column + 1; i < to; i++) this.#cells[i] = whole ? "" : " ";
  }

  /** A tab writes itself at the end of the line, and otherwise only moves the cursor. */
  #tab(): void {
    const width = 8 - this.#cursor % 8;
    if (this.#cursor < this.#end) return this.moveBy(width);
    this.#lastTab = this.#cursor;
    this.#put("\t", width);
    this.#last = "";
  }

  #advance(columns: number): void {
    this.#cursor += columns;
    if (this.#cursor > this.#end) this.#end = this.#cursor;
    this.#adjoins = true;
  }

  /** Fill up to a cursor that was moved beyond the end, or to where deleting left nothing known. */
  #pad(): void {
    const kept = Math.min(this.#cursor, this.#maxColumns);
    while (this.#cells.length < kept) this.#cells.push(" ");
    if (this.#cursor > this.#end) this.#end = this.#cursor;
  }

  #before(): number | undefined {
    if (this.#cursor === 0 || this.#cursor > this.#cells.length) return undefined;
    return this.#clusterStart(this.#cursor - 1);
  }

  #clusterStart(column: number): number {
    let start = column;
    while (start > 0 && this.#cells[start] === "") start--;
    return start;
  }

  /** Where a boundary falls inside a cluster, blanks take its place. */
  #split(column: number): void {
    if (this.#cells[column] !== "") return;
    const start = this.#clusterStart(column);
    for (let i = start; i < this.#cells.length && (i === start || this.#cells[i] === ""); i++) {
      this.#cells[i] = " ";
    }
  }

  /** A tab that is about to move would no longer be as wide as it was. */
  #spaceTabs(): void {
    // Each is looked at once, whatever a program does with the line after.
    const last = Math.min(this.#lastTab, this.#cells.length - 1);
    for (let i = this.#cursor; i <= last; i++) {
      if (this.#cells[i] === "\t") this.#blank(i, Math.min(i + 8 - i % 8, this.#cells.length));
    }
    this.#lastTab = Math.min(this.#lastTab, this.#cursor - 1);
  }

  #blank(from: number, to: number): void {
    this.#split(from);
    this.#split(to);
    this.#cells.fill(" ", from, Math.max(from, to));
    this.#adjoins = false;
  }
}
