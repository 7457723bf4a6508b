import type { TerminalSize } from "../platform/terminal/terminals.ts";
import type { CreateEmulator } from "./emulator.ts";
import { Screen } from "./screen.ts";
import type { ScreenSnapshot } from "./snapshot.ts";

/** The size of a terminal from an offset of its output on. */
export interface SizeFrom extends TerminalSize {
  readonly from: number;
}

/** The output of a terminal, and its sizes. */
export interface RecordedTerminal {
  readonly sizes: readonly SizeFrom[];
  /** Reads bytes from an offset to another, or fewer, but some. */
  readonly read: (range: { from: number; to: number }) => Promise<Uint8Array>;
}

/** So many bytes are shown in one turn of the event loop: it takes some milliseconds. */
const TURN_BYTES = 64 * 1024;

/** Show again what a terminal showed once so many bytes of its output had come. */
export async function rebuildScreen(
  { sizes, read }: RecordedTerminal,
  { offset, createEmulator, styled = false }: {
    readonly offset: number;
    readonly createEmulator: CreateEmulator;
    readonly styled?: boolean;
  },
): Promise<ScreenSnapshot> {
  const [first, ...changes] = sizes;
  if (first === undefined) throw new Error("Cannot show the screen: there was no terminal");
  const { from: _, ...size } = first;
  const screen = new Screen({ size, createEmulator, answer: () => {} });
  try {
    let at = 0;
    const showUntil = async (end: number) => {
      while (at < end) {
        const bytes = await read({ from: at, to: Math.min(end, at + TURN_BYTES) });
        screen.write(bytes);
        at += bytes.length;
      }
    };
    for (const { from, ...next } of changes) {
      if (from > offset) break;
      await showUntil(from);
      screen.resize(next);
    }
    await showUntil(offset);
    return screen.snapshot({ styled });
  } finally {
    screen.close();
  }
}
