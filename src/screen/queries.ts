import type { TerminalSize } from "../platform/terminal/terminals.ts";
import type { ModeTracker } from "./modes.ts";
import type { ControlSequence, OperatingSystemCommand } from "./sequences.ts";

/** What the answers are made of. */
export interface AnswerParts {
  readonly modes: ModeTracker;
  readonly size: TerminalSize;
  /** Where the cursor is, counted from 0; a screen that lags catches up first. */
  readonly cursor: () => { readonly row: number; readonly column: number };
}

/** Light text on a dark ground, as most terminals have it. */
const COLORS: Readonly<Record<string, string>> = {
  10: "rgb:ffff/ffff/ffff",
  11: "rgb:0000/0000/0000",
  12: "rgb:ffff/ffff/ffff",
};

/**
 * What a terminal answers to a control sequence that asks something; `undefined` when it asks nothing.
 *
 * @see {@link https://invisible-island.net/xterm/ctlseqs/ctlseqs.html}
 */
export function answerToControl(
  { final, parameters }: ControlSequence,
  { modes, size, cursor }: AnswerParts,
): string | undefined {
  switch (final) {
    case "c":
      return deviceAttributes(parameters);
    case "n":
      return deviceStatus(parameters, cursor);
    case "t":
      return parameters === "18" ? `\x1b[8;${size.rows};${size.columns}t` : undefined;
    case "u":
      return parameters === "?" ? `\x1b[?${modes.modes.kittyKeyboard}u` : undefined;
    default:
      return undefined;
  }
}

/** The same for the commands that ask for the colour of text, ground or cursor. */
export function answerToCommand(
  { text, terminator }: OperatingSystemCommand,
): string | undefined {
  const [number = "", question] = text.split(";");
  const color = question === "?" && Object.hasOwn(COLORS, number) ? COLORS[number] : undefined;
  return color === undefined ? undefined : `\x1b]${number};${color}${terminator}`;
}

/** A VT100 with advanced video (DA1); a VT100 of version 10 (DA2). */
function deviceAttributes(parameters: string): string | undefined {
  if (/^0?$/.test(parameters)) return "\x1b[?1;2c";
  return /^>0?$/.test(parameters) ? "\x1b[>0;10;1c" : undefined;
}

function deviceStatus(parameters: string, cursor: AnswerParts["cursor"]): string | undefined {
  if (parameters === "5") return "\x1b[0n";
  if (parameters !== "6" && parameters !== "?6") return undefined;
  const { row, column } = cursor();
  return `\x1b[${parameters.slice(0, -1)}${row + 1};${column + 1}R`;
}
