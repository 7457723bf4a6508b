/** Put bytes one after the other; what is only one run of them is not copied. */
export function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const filled = parts.filter((part) => part.length > 0);
  const only = filled[0];
  if (only !== undefined && filled.length === 1) return only;
  const bytes = new Uint8Array(filled.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of filled) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
