import { errorSign } from "../excerpt/error-lines.ts";

/** Lines of one kind that say little: progress, passed tests, the rest of a long list. */
export interface LineRule<Expression = string> {
  /** What they are, in the plural: `compiled crates`. */
  readonly what: string;
  /** Finds one of them. */
  readonly lines: Expression;
  /** Finds what belongs to one that was left out, in the lines behind it. */
  readonly more?: Expression | undefined;
  /** How many are kept, anew behind each line that no rule finds; default 0. */
  readonly keep?: number | undefined;
  /** The last of them is kept where a line that stays follows: it says what wrote that. */
  readonly heads?: boolean | undefined;
}

/** A rule whose expressions are compiled. */
export type CompiledRule = LineRule<Pick<RegExp, "test">>;

/** What remains of lines. */
export interface FilteredLines {
  /** Indices of the lines that remain, and markers in the place of the rest of a list. */
  readonly items: readonly (number | string)[];
  /** How many lines were left out, by what they are. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/**
 * Leave out the lines that rules find.
 *
 * A line that looks like an error or a warning stays, whatever finds it. Applied to what remains,
 * the same rules leave out nothing.
 */
export function filterLines(
  lines: readonly string[],
  rules: readonly CompiledRule[],
): FilteredLines {
  const out = new Map<number, CompiledRule>();
  const heads = new Map<CompiledRule, number>();
  const counts = new Map<CompiledRule, number>();
  /** By these, lines were left out since the last one that stayed. */
  const open = new Set<CompiledRule>();
  let isBlankBefore = true;
  for (const [at, line] of lines.entries()) {
    const rule = rules.find(({ lines }) => lines.test(line));
    const isBlank = rule === undefined && line.trim() === "";
    const found = isBlank ? EMPTY : rule ?? [...open].find(({ more }) => more?.test(line));
    const count = counts.get(found ?? EMPTY) ?? 0;
    const isShort = rule !== undefined && count < (rule.keep ?? 0);
    // One of the empty lines on either side of what is left out is enough.
    const stays = isBlank ? !isBlankBefore || open.size === 0 : isShort || isEssential(line);
    if (found !== undefined && !stays) {
      out.set(at, found);
      if (!isBlank) open.add(found);
      if (rule?.heads) heads.set(rule, at);
      continue;
    }
    isBlankBefore = isBlank;
    open.clear();
    if (isBlank) continue;
    if (found === undefined) counts.clear();
    else if (isShort && !isEssential(line)) counts.set(found, count + 1);
    for (const head of heads.values()) out.delete(head);
    heads.clear();
  }
  return { items: itemsOf(lines.length, out), leftOut: countsOf(out.values()) };
}

/** Empty lines between lines that are left out. */
const EMPTY: CompiledRule = { what: "empty lines", lines: /^$/ };

const MARKER = /^\[\.\.\. .*: \d+ more \.\.\.\]$/;

function isEssential(line: string): boolean {
  return /warn/i.test(line) || errorSign(line) !== undefined || MARKER.test(line);
}

/** What stays, with a marker where a list goes on. */
function itemsOf(count: number, out: ReadonlyMap<number, CompiledRule>): (number | string)[] {
  const items: (number | string)[] = [];
  let rest: CompiledRule[] = [];
  for (let at = 0; at <= count; at++) {
    const rule = out.get(at);
    if (rule !== undefined) {
      if (rule.keep) rest.push(rule);
      continue;
    }
    if (rest.length > 0) items.push(`[... ${countsText(countsOf(rest), " more")} ...]`);
    rest = [];
    if (at < count) items.push(at);
  }
  return items;
}

function countsOf(rules: Iterable<CompiledRule>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { what } of rules) counts.set(what, (counts.get(what) ?? 0) + 1);
  return counts;
}

/** How many of what, such as `compiled crates: 84, passed tests: 120`. */
export function countsText(counts: ReadonlyMap<string, number>, word = ""): string {
  return [...counts].map(([what, count]) => `${what}: ${count}${word}`).join(", ");
}
