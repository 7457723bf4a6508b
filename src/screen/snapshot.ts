import type { TerminalSize } from "../platform/terminal/terminals.ts";
import type { ProgramReport } from "./program-report.ts";

/** A colour: its index in the palette of 256, or its value. */
export type CellColor = number | `#${string}`;

/** How text looks; what is absent is as usual. */
export interface CellStyle {
  readonly foreground?: CellColor;
  readonly background?: CellColor;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly blink?: true;
  readonly inverse?: true;
  readonly invisible?: true;
  readonly strikethrough?: true;
  readonly overline?: true;
}

/** Neighbouring cells of one look. */
export interface StyledRun {
  readonly text: string;
  readonly style: CellStyle;
}

/** What a terminal shows at one moment. */
export interface ScreenSnapshot {
  /** How many bytes of output it shows. */
  readonly offset: number;
  readonly size: TerminalSize;
  /** The rows from top to bottom, without blanks at their ends. */
  readonly lines: readonly string[];
  /** The same with styles, where it was asked for; each row has all of its columns. */
  readonly styled?: readonly (readonly StyledRun[])[];
  /** From 0. */
  readonly cursor: { readonly row: number; readonly column: number; readonly visible: boolean };
  readonly title: string;
  /** What the program claims of its directory and its command lines; empty when it has said nothing. */
  readonly reported: ProgramReport;
  /** A full-screen program is shown. */
  readonly alternate: boolean;
}
