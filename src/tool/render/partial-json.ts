/** What of a JSON object is there already: its fields, the last one as far as it came. */
export type PartialFields = Readonly<Record<string, unknown>>;

/** Read a JSON object that is still being written. What cannot be read yet is left out. */
export function partialFields(json: string): PartialFields {
  const { text, close, lastComma } = openEnds(json);
  // A name without its value, or half a literal, goes with the comma before it.
  const shorter = lastComma === undefined ? "{}" : `${text.slice(0, lastComma)}}`;
  return parsed(text + close) ?? parsed(shorter) ?? {};
}

function parsed(json: string): PartialFields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The text without a half escape sequence, what closes it, and its last comma between fields. */
function openEnds(json: string): {
  readonly text: string;
  readonly close: string;
  readonly lastComma: number | undefined;
} {
  const open: string[] = [];
  let inString = false;
  let escape = "";
  let lastComma: number | undefined;
  for (let at = 0; at < json.length; at++) {
    const letter = json[at] ?? "";
    if (escape !== "") {
      escape += letter;
      if (escape.length === (escape[1] === "u" ? 6 : 2)) escape = "";
    } else if (inString) {
      if (letter === "\\") escape = letter;
      else if (letter === '"') inString = false;
    } else if (letter === '"') inString = true;
    else if (letter === "{") open.push("}");
    else if (letter === "[") open.push("]");
    else if (letter === "}" || letter === "]") open.pop();
    else if (letter === "," && open.length === 1) lastComma = at;
  }
  return {
    text: json.slice(0, json.length - escape.length),
    close: `${inString ? '"' : ""}${open.reverse().join("")}`,
    lastComma,
  };
}
