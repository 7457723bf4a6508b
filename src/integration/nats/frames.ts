/**
 * What a run prints and does is sent as frames, each with its number: one that is missing is noticed.
 */

/** One of them. */
export type Frame =
  | { readonly type: "output"; readonly bytes: Uint8Array }
  /** No output follows. */
  | { readonly type: "end" }
  /** An `execution.*` event as JSON. */
  | { readonly type: "event"; readonly bytes: Uint8Array };

const TYPES = ["output", "end", "event"] as const;
const HEAD = 5;

/** Write a frame: its type, its number, and its bytes. */
export function writeFrame(
  number: number,
  type: Frame["type"],
  parts: readonly Uint8Array[],
): Uint8Array {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const frame = new Uint8Array(HEAD + size);
  frame[0] = TYPES.indexOf(type);
  new DataView(frame.buffer).setUint32(1, number);
  let at = HEAD;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}

/** Read a frame; `undefined` when it is none. */
export function readFrame(data: Uint8Array): Frame & { readonly number: number } | undefined {
  const type = TYPES[data[0] ?? TYPES.length];
  if (type === undefined || data.length < HEAD) return undefined;
  const number = new DataView(data.buffer, data.byteOffset).getUint32(1);
  return { type, number, bytes: data.subarray(HEAD) };
}
