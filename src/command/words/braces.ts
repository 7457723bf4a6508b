import { isUnknown } from "./word-marks.ts";

const MOST = 256;

/**
 * Expand the unquoted braces of a marked word.
 *
 * @returns The words it becomes, or `undefined` when there are too many to follow.
 */
export function expandBraces(marked: string): readonly string[] | undefined {
  return expand(marked, { left: MOST });
}

function expand(marked: string, budget: { left: number }): string[] | undefined {
  for (let open = marked.indexOf("{"); open !== -1; open = marked.indexOf("{", open + 1)) {
    const group = readGroup(marked, open);
    if (group === undefined) continue;
    const members = group.parts.length > 1 ? group.parts : sequence(group.parts[0] ?? "");
    if (members === undefined) continue;
    if (members === "unknown") return undefined;
    const before = marked.slice(0, open);
    const rests = expand(marked.slice(group.end), budget);
    if (rests === undefined) return undefined;
    const words: string[] = [];
    for (const member of members) {
      const inner = expand(member, budget);
      if (inner === undefined) return undefined;
      for (const word of inner) {
        for (const rest of rests) {
          if (--budget.left < 0) return undefined;
          words.push(before + word + rest);
        }
      }
    }
    return words;
  }
  return [marked];
}

function readGroup(marked: string, open: number): { parts: string[]; end: number } | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open; at < marked.length; at++) {
    const char = marked[at];
    if (char === "{") depth++;
    else if (char === "}" && --depth === 0) {
      parts.push(marked.slice(from, at));
      return { parts, end: at + 1 };
    } else if (char === "," && depth === 1) {
      parts.push(marked.slice(from, at));
      from = at + 1;
    }
  }
  return undefined;
}

function sequence(inside: string): string[] | "unknown" | undefined {
  if (isUnknown(inside) && inside.includes("..")) return undefined;
  const match = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(inside);
  if (match === null) return undefined;
  const [, first = "", last = "", step = "1"] = match;
  const letters = /[A-Za-z]/.test(first);
  if (letters !== /[A-Za-z]/.test(last)) return undefined;
  const from = letters ? first.charCodeAt(0) : Number(first);
  const to = letters ? last.charCodeAt(0) : Number(last);
  const by = Math.max(1, Math.abs(Number(step)));
  const count = Math.floor(Math.abs(to - from) / by) + 1;
  if (count > MOST) return "unknown";
  const width = /^-?0\d|\.\.-?0\d/.test(inside) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, index) => {
    const value = from + (to >= from ? 1 : -1) * index * by;
    return letters ? String.fromCharCode(value) : String(value).padStart(width, "0");
  });
}
