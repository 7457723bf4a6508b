/** Longest parameters of a control sequence that are believed; no terminal sends more. */
const MAX_PARAMETERS = 256;

/** What a {@linkcode EscapeParser} makes of the next characters. */
export interface ControlSequence {
  /** The letter that ends it, after an ESC where nothing else introduces it. */
  readonly final: string;
  /** Its first parameter, where it has one. */
  readonly count: number | undefined;
}

/**
 * Takes escape sequences apart, character by character, so that a cut may fall anywhere.
 *
 * States after ECMA-48 and the parser of Paul Williams for the DEC VT500 series. A newline ends
 * every sequence: text on a line of its own is never swallowed by one that has no end.
 */
export class EscapeParser {
  #state: "ground" | "escape" | "intermediate" | "csi" | "string" | "stringEscape" = "ground";
  #parameters = "";

  /** Whether no sequence is open. */
  get idle(): boolean {
    return this.#state === "ground";
  }

  /** Give up whatever is open. */
  reset(): void {
    this.#state = "ground";
    this.#parameters = "";
  }

  /** Open a sequence at an ESC or at a C1 control; says whether the character was one of these. */
  open(unit: number): boolean {
    this.#parameters = "";
    if (unit === 0x1b) this.#state = "escape";
    else if (unit === 0x9b) this.#state = "csi";
    else if (isStringOpener(unit - 0x40)) this.#state = "string";
    else return false;
    return true;
  }

  /**
   * Read on inside an open sequence.
   *
   * @returns How many units were taken, and the control sequence that they complete. Taking none
   * means that the sequence is over and the unit stands for itself.
   */
  read(text: string, at: number): { taken: number; sequence?: ControlSequence } {
    const unit = text.charCodeAt(at);
    // CAN and SUB cancel.
    if (unit === 0x18 || unit === 0x1a) return this.#over(1);
    switch (this.#state) {
      case "escape":
        return this.#escape(unit);
      case "intermediate":
        if (unit >= 0x20 && unit <= 0x2f) return { taken: 1 };
        return unit >= 0x30 && unit <= 0x7e ? this.#over(1) : this.#over(0);
      case "csi":
        return this.#csi(text, at);
      case "string":
        return this.#string(text, at);
      case "stringEscape":
        // ESC \ is the terminator; any other ESC begins a new sequence in its place.
        if (unit === 0x5c) return this.#over(1);
        this.#state = "escape";
        return this.#escape(unit);
      default:
        return { taken: 0 };
    }
  }

  #escape(unit: number): { taken: number; sequence?: ControlSequence } {
    if (unit === 0x1b) return { taken: 1 };
    if (unit === 0x5b) return this.#into("csi");
    if (isStringOpener(unit)) return this.#into("string");
    if (unit >= 0x20 && unit <= 0x2f) return this.#into("intermediate");
    if (unit < 0x30 || unit > 0x7e) return this.#over(0);
    return {
      ...this.#over(1),
      sequence: { final: `\x1b${String.fromCharCode(unit)}`, count: undefined },
    };
  }

  #csi(text: string, at: number): { taken: number; sequence?: ControlSequence } {
    for (let i = at; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x20 && unit <= 0x3f && this.#parameters.length < MAX_PARAMETERS) {
        this.#parameters += text.charAt(i);
        continue;
      }
      // What ends it is looked at on its own, so that it is given back where it is no letter.
      if (i > at) return { taken: i - at };
      if (unit >= 0x40 && unit <= 0x7e) {
        const sequence = { final: text.charAt(i), count: firstParameter(this.#parameters) };
        const plain = /^[\d;:]*$/.test(this.#parameters);
        this.reset();
        return plain ? { taken: 1, sequence } : { taken: 1 };
      }
      return this.#over(0);
    }
    return { taken: text.length - at };
  }

  #string(text: string, at: number): { taken: number } {
    for (let i = at; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit === 0x0a) return this.#over(i - at);
      if (unit === 0x18 || unit === 0x1a || unit === 0x07 || unit === 0x9c) {
        return this.#over(i - at + 1);
      }
      if (unit === 0x1b) {
        this.#state = "stringEscape";
        return { taken: i - at + 1 };
      }
    }
    return { taken: text.length - at };
  }

  #into(state: "csi" | "string" | "intermediate"): { taken: number } {
    this.#state = state;
    return { taken: 1 };
  }

  #over(taken: number): { taken: number } {
    this.reset();
    return { taken };
  }
}

/** P is DCS, X is SOS, ] is OSC, ^ is PM, _ is APC; as C1 controls they stand 0x40 higher. */
function isStringOpener(unit: number): boolean {
  return unit === 0x50 || unit === 0x58 || unit === 0x5d || unit === 0x5e || unit === 0x5f;
}

function firstParameter(parameters: string): number | undefined {
  const digits = /^\d+/.exec(parameters);
  return digits === null ? undefined : Math.min(Number(digits[0]), 9999);
}
