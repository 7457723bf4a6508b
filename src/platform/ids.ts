import { randomBytes } from "node:crypto";

/** Makes names that were never used before. */
export interface Ids {
  /** @param kind What is named; it is the first part of the name. */
  next(kind: string): string;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Names that no other runtime makes either: 60 random bits. */
export const randomIds: Ids = {
  next: (kind) => {
    let id = "";
    for (let i = 0; i < LENGTH; i++) id += ALPHABET[randomByte() & 31];
    return `${kind}_${id}`;
  },
};

const LENGTH = 12;
let pool: Uint8Array = new Uint8Array(0);
let used = 0;

/** Fetched by the page, as a call to the system for each name costs more than the name. */
function randomByte(): number {
  if (used === pool.length) {
    pool = randomBytes(4_096);
    used = 0;
  }
  return pool[used++] ?? 0;
}

/** Names that count from 1, the same in every run; for tests. */
export function countingIds(): Ids {
  let count = 0;
  return { next: (kind) => `${kind}_${++count}` };
}
