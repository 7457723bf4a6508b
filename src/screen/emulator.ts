import type { IBufferCell, Terminal as XtermTerminal } from "@xterm/headless";
import { exportsOf, whyNotLoaded } from "../platform/optional-package.ts";
import type { TerminalSize } from "../platform/terminal/terminals.ts";
import { defined } from "../value/defined.ts";
import type { CellColor, CellStyle, ScreenSnapshot, StyledRun } from "./snapshot.ts";

/** A terminal that only its screen is left of. */
export interface Emulator {
  /** Show text and follow the sequences in it, before it returns. */
  write(text: string): void;
  resize(size: TerminalSize): void;
  /** Where the cursor is, from 0. */
  cursor(): { readonly row: number; readonly column: number };
  lines(): ScreenSnapshot["lines"];
  /** A row, up to a column. */
  line(row: number, columns: number): string;
  styled(): readonly (readonly StyledRun[])[];
  dispose(): void;
}

/** Makes emulators. */
export type CreateEmulator = (size: TerminalSize) => Emulator;

/**
 * Load xterm.js.
 *
 * @throws {Error} When it is not installed.
 */
export async function loadEmulator(): Promise<CreateEmulator> {
  let loaded: unknown;
  try {
    ({ Terminal: loaded } = exportsOf(await import("@xterm/headless")));
  } catch (cause) {
    throw new Error(`Cannot show a screen: ${whyNotLoaded(PACKAGE, cause)}`, { cause });
  }
  if (!isTerminalClass(loaded)) {
    throw new Error(`Cannot show a screen: what is installed as ${PACKAGE} is another package`);
  }
  const Terminal = loaded;
  return ({ columns, rows }) =>
    emulator(
      new Terminal({
        cols: columns,
        rows,
        // Output is read elsewhere; a screen without history is what text can be left out of soundly.
        scrollback: 0,
        // What lines become at another width is for the program to say; without history, xterm.js fails at
        // it, and this is how it is switched off.
        windowsPty: { backend: "winpty", buildNumber: 1 },
        logLevel: "off",
        allowProposedApi: true,
      }),
    );
}

const PACKAGE = "@xterm/headless";

/**
 * What makes a terminal write at once. The public `write` parses in a timer, where an error that some
 * output causes would end the host, and a look at the screen would have to wait for it.
 */
interface Synchronous {
  readonly _core: { writeSync(text: string): void };
}

type SynchronousTerminal = XtermTerminal & Synchronous;

function isTerminalClass(
  value: unknown,
): value is new (options: ConstructorParameters<typeof XtermTerminal>[0]) => SynchronousTerminal {
  return typeof value === "function";
}

function emulator(terminal: SynchronousTerminal): Emulator {
  const row = (y: number) => terminal.buffer.active.getLine(terminal.buffer.active.baseY + y);
  const rows = <T>(read: (y: number) => T): T[] =>
    Array.from({ length: terminal.rows }, (_, y) => read(y));
  return {
    write: (text) => terminal._core.writeSync(text),
    resize: ({ columns, rows }) => terminal.resize(columns, rows),
    cursor: () => ({
      row: terminal.buffer.active.cursorY,
      // Behind the last column when the next character goes to a new line.
      column: Math.min(terminal.buffer.active.cursorX, terminal.cols - 1),
    }),
    lines: () => rows((y) => row(y)?.translateToString(true, 0, terminal.cols).trimEnd() ?? ""),
    line: (y, columns) => row(y)?.translateToString(false, 0, columns) ?? "",
    styled: () => {
      const cell = terminal.buffer.active.getNullCell();
      return rows((y) => {
        const line = row(y);
        return line === undefined ? [] : runsOf(terminal.cols, (x) => line.getCell(x, cell));
      });
    },
    dispose: () => terminal.dispose(),
  };
}

function runsOf(columns: number, cellAt: (x: number) => IBufferCell | undefined): StyledRun[] {
  const runs: { text: string; readonly style: CellStyle; readonly key: string }[] = [];
  for (let x = 0; x < columns; x++) {
    const cell = cellAt(x);
    // The right half of a wide character
    if (cell === undefined || cell.getWidth() === 0) continue;
    const text = cell.getChars() || " ";
    const style = styleOf(cell);
    const key = JSON.stringify(style);
    const last = runs.at(-1);
    if (last?.key === key) last.text += text;
    else runs.push({ text, style, key });
  }
  return runs.map(({ text, style }) => ({ text, style }));
}

function styleOf(cell: IBufferCell): CellStyle {
  const on = (flag: number) => flag === 0 ? undefined : true;
  return defined({
    foreground: colorOf(cell.getFgColor(), cell.isFgRGB(), cell.isFgDefault()),
    background: colorOf(cell.getBgColor(), cell.isBgRGB(), cell.isBgDefault()),
    bold: on(cell.isBold()),
    dim: on(cell.isDim()),
    italic: on(cell.isItalic()),
    underline: on(cell.isUnderline()),
    blink: on(cell.isBlink()),
    inverse: on(cell.isInverse()),
    invisible: on(cell.isInvisible()),
    strikethrough: on(cell.isStrikethrough()),
    overline: on(cell.isOverline()),
  });
}

function colorOf(value: number, rgb: boolean, usual: boolean): CellColor | undefined {
  if (usual) return undefined;
  return rgb ? `#${value.toString(16).padStart(6, "0")}` : value;
}
