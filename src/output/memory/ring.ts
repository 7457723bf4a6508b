/**
 * The newest bytes of a stream, in a ring that grows only as far as what must be kept.
 *
 * Each append names the offset from which on bytes are still wanted, so one ring serves as the tail
 * of a log, as the queue of its spill file and as what slow readers hold back: each byte is copied once.
 */
export class Ring {
  readonly #usual: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #from: number;
  #to: number;
  /** Where in `#bytes` the next byte goes. */
  #next = 0;

  /**
   * @param start The offset of its first byte.
   * @param usual The capacity, in bytes, that doubling does not exceed without need.
   */
  constructor(start: number, usual: number) {
    this.#from = start;
    this.#to = start;
    this.#usual = usual;
  }

  /** The oldest offset that it holds. */
  get from(): number {
    return this.#from;
  }

  /** The offset after the newest byte. */
  get to(): number {
    return this.#to;
  }

  /** Memory that it occupies. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /**
   * Copy a chunk in and forget what lies before an offset.
   *
   * @param chunk The bytes that follow; of them, too, only those that are wanted are copied.
   * @param keepFrom The oldest offset that is wanted afterwards.
   */
  append(chunk: Uint8Array, keepFrom: number): void {
    const end = this.#to + chunk.length;
    if (keepFrom >= this.#to) {
      this.#restart(keepFrom === this.#to ? chunk : chunk.subarray(keepFrom - this.#to), end);
      return;
    }
    if (keepFrom > this.#from) this.#from = keepFrom;
    if (end - this.#from > this.#bytes.length) this.#move(this.#roomFor(end - this.#from));
    this.#put(chunk);
    this.#to = end;
  }

  /**
   * The bytes from an offset on, up to `to`, as far as they are in one piece; no copy.
   *
   * They stay as they are while appends keep them.
   */
  view(from: number, to: number): Uint8Array {
    const capacity = this.#bytes.length;
    const back = this.#to - from;
    const start = this.#next >= back ? this.#next - back : this.#next - back + capacity;
    return this.#bytes.subarray(start, Math.min(start + Math.min(to, this.#to) - from, capacity));
  }

  /** Copy a range that it holds. */
  copy(from: number, to: number, into: Uint8Array, at: number): void {
    for (let next = from; next < to;) {
      const part = this.view(next, to);
      into.set(part, at + next - from);
      next += part.length;
    }
  }

  /** Forget what lies before an offset. */
  forget(keepFrom: number): void {
    if (keepFrom > this.#from) this.#from = Math.min(keepFrom, this.#to);
  }

  /** Give back the memory that is not in use. */
  shrink(): void {
    const capacity = Math.max(this.#usual, this.#to - this.#from);
    if (this.#bytes.length > capacity) this.#move(capacity);
  }

  /** Forget everything. */
  clear(): void {
    this.#from = this.#to;
    this.#bytes = new Uint8Array(0);
    this.#next = 0;
  }

  #restart(rest: Uint8Array, end: number): void {
    if (rest.length > this.#bytes.length) this.#bytes = new Uint8Array(this.#roomFor(rest.length));
    this.#from = end - rest.length;
    this.#to = end;
    this.#next = 0;
    this.#put(rest);
  }

  /** Copy in at the place of the next byte. */
  #put(chunk: Uint8Array): void {
    const bytes = this.#bytes;
    const room = bytes.length - this.#next;
    if (chunk.length < room) {
      bytes.set(chunk, this.#next);
      this.#next += chunk.length;
      return;
    }
    bytes.set(chunk.subarray(0, room), this.#next);
    bytes.set(chunk.subarray(room), 0);
    this.#next = chunk.length - room;
  }

  #roomFor(size: number): number {
    if (size <= this.#usual) return Math.max(size, Math.min(2 * this.#bytes.length, this.#usual));
    return 2 ** Math.ceil(Math.log2(size));
  }

  #move(capacity: number): void {
    const parts: Uint8Array[] = [];
    for (let at = this.#from; at < this.#to; at += parts.at(-1)?.length ?? 0) {
      parts.push(this.view(at, this.#to));
    }
    this.#bytes = new Uint8Array(capacity);
    this.#next = 0;
    for (const part of parts) this.#put(part);
  }
}
