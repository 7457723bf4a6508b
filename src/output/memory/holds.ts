/** A reader's claim on the bytes that it has not read yet. */
export interface Hold {
  /** The offset that it has come to; further than asked when the writer did not wait for it. */
  readonly at: number;
  /** Claim nothing before this offset any more. */
  moveTo(offset: number): void;
  /** Claim nothing. Idempotent. */
  release(): void;
}

/** The readers that make a command wait for them. */
export class Holds {
  readonly #moved: () => void;
  readonly #offsets = new Map<Hold, number>();

  /** @param moved Called when less may be held than before. */
  constructor(moved: () => void) {
    this.#moved = moved;
  }

  /** How many there are. */
  get size(): number {
    return this.#offsets.size;
  }

  /** The oldest offset that is claimed; infinite when none is. */
  get oldest(): number {
    return Math.min(...this.#offsets.values());
  }

  /** Claim what follows an offset. */
  add(from: number): Hold {
    const offsets = this.#offsets;
    let last = from;
    const hold: Hold = {
      get at() {
        return offsets.get(hold) ?? last;
      },
      moveTo: (offset) => {
        const at = offsets.get(hold);
        if (at === undefined || offset <= at) return;
        last = offset;
        offsets.set(hold, offset);
        this.#moved();
      },
      release: () => {
        last = hold.at;
        if (offsets.delete(hold)) this.#moved();
      },
    };
    offsets.set(hold, from);
    return hold;
  }

  /** Claim nothing before an offset any more, as the writer did not wait. */
  overrun(limit: number): void {
    for (const [hold, at] of this.#offsets) if (at < limit) this.#offsets.set(hold, limit);
  }
}
