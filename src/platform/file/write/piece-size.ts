/** What a write may take at most, in bytes, the first to be tried first. */
const SIZES = [64 * 1024, 16 * 1024] as const;
/** How many bytes are written before their cost is looked at. */
const TURN_BYTES = 1024 * 1024;
/** How many of them, when it is only to be seen what the other size costs by now. */
const TRIAL_BYTES = 256 * 1024;
/** After so many turns in one size the other is tried. */
const TURNS = 8;

/**
 * Finds out in how large pieces a file is written best just now.
 *
 * Linux takes a write into its memory by pieces as large as the write, which costs least, as long as
 * it has pieces of that size. Where its memory is in smaller ones, it has to make them first, and
 * then a byte of a large write costs several times that of a small one. That comes and goes within
 * seconds, and nothing but the time that writes take tells of it.
 */
export class PieceSize {
  /** What a byte last cost in either size, in milliseconds; nothing before it was tried. */
  readonly #costs: [number, number] = [0, 0];
  #using: 0 | 1 = 0;
  #samples: number[] = [];
  /** How many bytes are left of the turn. */
  #left: number = TRIAL_BYTES;
  /** How many turns are left before the other size is tried. */
  #turns = 1;

  /** How many bytes the next write should take at most. */
  get bytes(): number {
    return SIZES[this.#using];
  }

  /** Learn how long a write of so many bytes took. */
  took(bytes: number, ms: number): void {
    // What is less than a piece tells more of the call than of its bytes.
    if (bytes < this.bytes) return;
    this.#samples.push(ms / bytes);
    this.#left -= bytes;
    if (this.#left <= 0) this.#turnOver();
  }

  #turnOver(): void {
    const using = this.#using;
    const other = using === 0 ? 1 : 0;
    const cost = this.#costs[using] = median(this.#samples);
    this.#samples = [];
    const due = --this.#turns <= 0;
    if (due) this.#turns = TURNS;
    if (due || this.#costs[other] < cost) this.#using = other;
    this.#left = due ? TRIAL_BYTES : TURN_BYTES;
  }
}

/** Not the mean: on a busy machine some writes wait for the processor. */
function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[values.length >> 1] ?? 0;
}
