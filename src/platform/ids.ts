import { randomBytes } from "node:crypto";

/** Makes names that were never used before. */
export interface Ids {
  /** @param kind What is named; it is the first part of the name. */
  next(kind: string): string;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Names that no other runtime makes either: 60 random bits. */
export const randomIds: Ids = {
  next: (kind) => `${kind}_${Array.from(randomBytes(12), (byte) => ALPHABET[byte & 31]).join("")}`,
};

/** Names that count from 1, the same in every run; for tests. */
export function countingIds(): Ids {
  let count = 0;
  return { next: (kind) => `${kind}_${++count}` };
}
