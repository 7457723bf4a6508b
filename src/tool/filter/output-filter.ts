import { messageOf } from "../../platform/failure.ts";
import { finderOf } from "../../text/search/expression.ts";
import type { LineRule } from "../../text/filter/filter-lines.ts";

/** Which lines of a program's output an answer may leave out. Expressions are those of RE2. */
export interface OutputFilter<Expression = string> {
  /** Names of programs with such output, separated by spaces. */
  readonly programs: string;
  /** Finds the words behind the name where it applies; default: it always does. */
  readonly when?: Expression | undefined;
  /** The first that finds a line counts it. */
  readonly rules: readonly LineRule<Expression>[];
}

/** A filter whose expressions are compiled. */
export type CompiledFilter = OutputFilter<Pick<RegExp, "test">>;

/**
 * Compile the expressions of filters.
 *
 * @throws {SyntaxError} For the first that is no expression of RE2, with the programs that it is for.
 */
export async function compiledFilters(
  filters: readonly OutputFilter[],
): Promise<readonly CompiledFilter[]> {
  return await Promise.all(filters.map((filter) =>
    compiledFilter(filter).catch((cause) => {
      const why = `Cannot use the filter for "${filter.programs}": ${messageOf(cause)}`;
      throw new SyntaxError(why, { cause });
    })
  ));
}

async function compiledFilter({ programs, when, rules }: OutputFilter): Promise<CompiledFilter> {
  return {
    programs,
    when: when === undefined ? undefined : await compiled(when),
    rules: await Promise.all(rules.map(async ({ lines, more, ...rule }) => ({
      ...rule,
      lines: await compiled(lines),
      more: more === undefined ? undefined : await compiled(more),
    }))),
  };
}

async function compiled(expression: string): Promise<Pick<RegExp, "test">> {
  const find = await finderOf(expression);
  return { test: (line) => find(line) !== undefined };
}
