import type { ByteRange } from "../../stream/byte-range.ts";
import { concatenated } from "../../stream/concatenated.ts";
import { blocks } from "./blocks.ts";
import type { ByteSource } from "./source.ts";

/** The bytes of a range up to the first gap, however short the answers of the source are. */
export async function firstBytes(source: ByteSource, range: ByteRange): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of blocks(source, range)) {
    if (bytes === undefined) break;
    parts.push(bytes);
  }
  return concatenated(parts);
}

/** The bytes of a range after the last gap. */
export async function lastBytes(source: ByteSource, range: ByteRange): Promise<Uint8Array> {
  let parts: Uint8Array[] = [];
  for await (const { bytes } of blocks(source, range)) {
    if (bytes === undefined) parts = [];
    else parts.push(bytes);
  }
  return concatenated(parts);
}
