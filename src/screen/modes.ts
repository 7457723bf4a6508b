import type { ControlSequence } from "./sequences.ts";

/** What a program has switched on in its terminal, as far as input and screen depend on it. */
export interface ScreenModes {
  /** Cursor keys are sent as ESC O A instead of ESC [ A (DECCKM). */
  readonly applicationCursor: boolean;
  /** What is pasted comes between markers. */
  readonly bracketedPaste: boolean;
  readonly cursorVisible: boolean;
  /** The screen of full-screen programs is shown, which has no history. */
  readonly alternate: boolean;
  /** Line feeds scroll a part of the normal screen only (DECSTBM). */
  readonly margins: boolean;
  /** Cursor positions count from the margins (DECOM). */
  readonly origin: boolean;
  /** A backspace at the left edge goes to the line above. */
  readonly reverseWrap: boolean;
  /** Flags of the keyboard protocol of kitty that are in force, of those that are supported. */
  readonly kittyKeyboard: number;
}

/** The flags "disambiguate escape codes" and "report all keys as escape codes". */
export const KITTY_DISAMBIGUATE = 1;
export const KITTY_ALL_KEYS = 8;
const SUPPORTED_KITTY = KITTY_DISAMBIGUATE | KITTY_ALL_KEYS;
/** How many flags are kept under the ones in force; a program that pushes more loses the oldest. */
const MOST_KITTY_ENTRIES = 16;

/** The keyboard protocol has a stack for each screen. */
type Switches = Omit<ScreenModes, "kittyKeyboard">;

const INITIAL: Switches = {
  applicationCursor: false,
  bracketedPaste: false,
  cursorVisible: true,
  alternate: false,
  margins: false,
  origin: false,
  reverseWrap: false,
};

/** Private modes by number, as `CSI ? number h` and `l` switch them. */
const PRIVATE: ReadonlyMap<number, keyof Switches> = new Map([
  [1, "applicationCursor"],
  [6, "origin"],
  [25, "cursorVisible"],
  [45, "reverseWrap"],
  [47, "alternate"],
  [1047, "alternate"],
  [1049, "alternate"],
  [2004, "bracketedPaste"],
]);

/** What more parameters a sequence has, xterm.js passes over. */
const MOST_PARAMETERS = 32;

/** Follows the modes of a terminal. */
export class ModeTracker {
  #modes: Switches = INITIAL;
  /** Of the normal and of the alternate screen; the last entry is in force. */
  readonly #kitty: { readonly normal: number[]; readonly alternate: number[] } = {
    normal: [0],
    alternate: [0],
  };

  /** The modes now in force. */
  get modes(): ScreenModes {
    return { ...this.#modes, kittyKeyboard: this.#kittyStack.at(-1) ?? 0 };
  }

  get #kittyStack(): number[] {
    return this.#modes.alternate ? this.#kitty.alternate : this.#kitty.normal;
  }

  /** Follow a control sequence. */
  control({ final, parameters }: ControlSequence, rows: number): void {
    switch (final) {
      case "h":
      case "l":
        return this.#switch(parameters, final === "h");
      case "r":
        return this.#setMargins(parameters, rows);
      case "u":
        return this.#changeKitty(parameters);
      case "p":
        // DECSTR
        if (parameters === "!") this.#softReset();
    }
  }

  /** All is as it was at first (RIS). */
  reset(): void {
    this.#kitty.normal.splice(0, Infinity, 0);
    this.#kitty.alternate.splice(0, Infinity, 0);
    this.#modes = INITIAL;
  }

  /** A terminal of another size has no margins. */
  resized(): void {
    this.#set({ margins: false });
  }

  #switch(parameters: string, on: boolean): void {
    if (!parameters.startsWith("?")) return;
    for (const number of numbers(parameters.slice(1))) {
      const name = PRIVATE.get(number);
      if (name !== undefined) this.#set({ [name]: on });
    }
  }

  /** Each screen has its own; those of the alternate screen matter to nothing here. */
  #setMargins(parameters: string, rows: number): void {
    if (/[^\d;:]/.test(parameters) || this.#modes.alternate) return;
    const [top = 0, bottom = 0] = numbers(parameters);
    const last = bottom === 0 || bottom > rows ? rows : bottom;
    const first = Math.max(top, 1);
    if (last > first) this.#set({ margins: first > 1 || last < rows });
  }

  #softReset(): void {
    const { alternate, margins } = this.#modes;
    this.#set({ ...INITIAL, alternate, margins: alternate && margins });
  }

  /** `CSI > flags u` pushes, `CSI < count u` pops, `CSI = flags ; how u` changes. */
  #changeKitty(parameters: string): void {
    const stack = this.#kittyStack;
    const [first = 0, second = 1] = numbers(parameters.slice(1));
    const flags = first & SUPPORTED_KITTY;
    const now = stack.at(-1) ?? 0;
    if (parameters.startsWith(">")) {
      stack.push(flags);
      if (stack.length > MOST_KITTY_ENTRIES) stack.shift();
    } else if (parameters.startsWith("<")) {
      stack.splice(Math.max(0, stack.length - Math.max(1, first)));
      if (stack.length === 0) stack.push(0);
    } else if (parameters.startsWith("=")) {
      stack[stack.length - 1] = second === 2 ? now | flags : second === 3 ? now & ~flags : flags;
    }
  }

  #set(changed: Partial<Switches>): void {
    this.#modes = { ...this.#modes, ...changed };
  }
}

/** Parameters as numbers, 0 for none, without the parts behind a colon. */
function numbers(parameters: string): readonly number[] {
  return parameters.split(";", MOST_PARAMETERS).map((part) => Number.parseInt(part, 10) || 0);
}
