/** Cut a text to a number of UTF-16 code units, and never inside a surrogate pair. */
export function clip(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = Math.max(0, Math.floor(maxChars));
  return text.slice(0, isTrail(text.charCodeAt(end)) ? end - 1 : end);
}

/** The end of a text, cut in the same way. */
export function clipStart(text: string, maxChars: number): string {
  const from = Math.max(0, text.length - Math.floor(maxChars));
  return text.slice(isTrail(text.charCodeAt(from)) ? from + 1 : from);
}

/** The beginning of a text on one line. */
export function oneLine(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > most ? `${clip(line, most - 1)}…` : line;
}

/** A part of a text, by UTF-16 code units. */
export interface Part {
  readonly from: number;
  readonly to: number;
}

/** Cut a text to what stands around a part of it, with an ellipsis at each side that is cut. */
export function clipAround(
  text: string,
  maxChars: number,
  part: Part = { from: 0, to: 0 },
): string {
  if (text.length <= maxChars) return text;
  const room = Math.max(0, maxChars - Math.min(part.to - part.from, maxChars));
  let from = Math.max(0, Math.min(part.from - Math.floor(room / 2), text.length - maxChars));
  let to = Math.min(text.length, from + maxChars);
  if (isTrail(text.charCodeAt(from))) from++;
  if (isTrail(text.charCodeAt(to))) to--;
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
