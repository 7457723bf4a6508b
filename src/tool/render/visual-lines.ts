import { eastAsianWidth } from "get-east-asian-width";

const segmenter = new Intl.Segmenter();

/** Break a text into lines as a terminal of so many columns shows them. */
export function visualLines(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapped(line, Math.max(1, columns)));
}

function wrapped(line: string, columns: number): readonly string[] {
  if (line.length <= columns && /^[\x20-\x7e]*$/.test(line)) return [line];
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (const { segment } of segmenter.segment(line)) {
    const size = eastAsianWidth(segment.codePointAt(0) ?? 0);
    if (width + size > columns && row !== "") {
      rows.push(row);
      row = "";
      width = 0;
    }
    row += segment;
    width += size;
  }
  return [...rows, row];
}
