import { InvalidArgumentError } from "commander";

/** What `shellflow read` was given. */
export interface ReadCommandOptions {
  readonly from?: number;
  readonly lines?: LineRange;
  readonly grep?: string;
  readonly context?: number;
  readonly encoding?: string;
  readonly raw?: boolean;
  readonly json?: boolean;
}

/** Lines by number, from 1. */
export interface LineRange {
  readonly first: number;
  /** Inclusive; absent: so many as are shown at a time. */
  readonly last?: number;
}

/** What is wrong with the options together: each of them decides alone what is shown. */
export function clashOf(
  { lines, from, grep, context, encoding, raw, json }: ReadCommandOptions,
): string | undefined {
  const given = {
    lines: lines && `--lines ${lines.first}:${lines.last ?? ""}`,
    from: from !== undefined && `--from ${from}`,
    grep: grep !== undefined && `--grep "${grep}"`,
    context: context !== undefined && `--context ${context}`,
    encoding: encoding !== undefined && `--encoding "${encoding}"`,
    raw: raw === true && "--raw",
    json: json === true && "--json",
  };
  const one = (
    option: string | false | undefined,
    others: readonly (string | false | undefined)[],
    why: string,
  ) => {
    const other = others.find((other) => typeof other === "string");
    return option && other ? `${other} with ${option}, ${why}` : undefined;
  };
  const { grep: search, context: around } = given;
  return one(given.lines, [given.from, search], "which says by itself which lines to show") ??
    one(given.raw, [given.lines, search, given.encoding, given.json], "which prints bytes") ??
    (around && !search
      ? `${around} without --grep, around whose matches lines are shown`
      : undefined);
}

/** Read lines from the command line, such as `100:200` or `100:`. */
export function lineRange(text: string): LineRange {
  const [, from = "", to = ""] = /^(\d+):(\d*)$/.exec(text) ?? [];
  const [first, last] = [Number(from), to === "" ? undefined : Number(to)];
  if (first < 1 || (last !== undefined && last < first)) {
    throw new InvalidArgumentError("It must be two numbers of lines such as 100:200, or 100:.");
  }
  return { first, ...(last !== undefined && { last }) };
}
