import type { Analysis, PathUse, SimpleCommand } from "../event/command.ts";
import type { TextParser } from "../platform/grammar.ts";
import { auditTree } from "./audit/audit.ts";
import { characterDoubts } from "./audit/characters.ts";
import type { Doubt } from "./doubt.ts";
import type { AnalysisFacts } from "./facts.ts";
import { asSubshells } from "./subshells.ts";
import type { FoundScript, FoundUse } from "./walk/result.ts";
import { keywordDoubts } from "./walk/simple/shadows.ts";
import { Walk } from "./walk/walk.ts";

/** How much an analysis may cost. */
export interface AnalysisLimits {
  /** The longest line, in UTF-16 code units. */
  readonly length: number;
  /** The longest time to parse, in milliseconds of work. */
  readonly parseMs: number;
}

/** Longer lines are opaque; half a second is far beyond what any honest line takes. */
const ANALYSIS_LIMITS: AnalysisLimits = { length: 10_000, parseMs: 500 };

/** Texts in texts: `sh -c "sh -c '…'"`. */
const DEEPEST_TEXT = 4;
/** A line beyond the limit is still searched for denied commands, up to this length. */
const LONGEST_SEARCHED = 100_000;

/** What an analysis needs besides the line and its facts. */
interface AnalyseOptions {
  readonly parser: TextParser;
  readonly limits?: AnalysisLimits;
}

/**
 * Tell what a bash line would run and touch, and how sure that is.
 *
 * Pure, and total: whatever the text, there is an answer, and one that cannot be trusted is opaque.
 */
export function analyse(
  command: string,
  facts: AnalysisFacts,
  { parser, limits = ANALYSIS_LIMITS }: AnalyseOptions,
): Analysis {
  return analyseText(command, facts, { parser, limits, depth: 0 });
}

interface Depth {
  readonly parser: TextParser;
  readonly limits: AnalysisLimits;
  readonly depth: number;
}

function analyseText(command: string, facts: AnalysisFacts, context: Depth): Analysis {
  const whole = { start: 0, end: command.length };
  const doubts: Doubt[] = [];
  if (command.length > context.limits.length) {
    doubts.push({ reason: `more than ${context.limits.length} characters`, span: whole });
  }
  doubts.push(...characterDoubts(command), ...keywordDoubts(command, facts.state));
  const tree = command.length > LONGEST_SEARCHED
    ? undefined
    : context.parser.parse(command, context.limits.parseMs);
  if (tree === undefined) {
    doubts.push({ reason: "it nests too deep or takes too long to read", span: whole });
    return result({ doubts, commands: [], uses: [], sets: [] });
  }
  const walk = new Walk(tree.root, command, facts);
  walk.sequence(tree.root.type === "program" ? tree.root.children : [tree.root], {
    place: { dirs: [facts.cwd], lost: false },
    inherited: {},
  });
  const { findings } = walk;
  doubts.push(...auditTree(tree, command), ...findings.doubts);
  const commands = distinct(findings.commands);
  // Opaque anyhow; read once more so that what is denied may be found.
  const subshells = tree.faulty ? asSubshells(command) : undefined;
  const scripts = subshells === undefined
    ? findings.scripts
    : [...findings.scripts, { by: "((", text: subshells, span: whole, cwd: facts.cwd }];
  const inner = scripts.map((script) => analyseScript(script, facts, context));
  for (const { script, analysis } of inner) {
    if (analysis === undefined) {
      doubts.push({
        reason: `text for "${script.by}" that is known only at run time`,
        span: script.span,
      });
    } else if (analysis.certainty === "opaque") {
      doubts.push({
        reason: `text for "${script.by}": ${analysis.reason ?? "opaque"}`,
        span: script.span,
      });
    }
  }
  const nested = inner.flatMap(({ script, analysis }) =>
    (analysis?.commands ?? []).map((each) => ({
      ...each,
      span: script.span,
      via: each.via ?? script.by,
    }))
  );
  const nestedUses = inner.flatMap(({ script, analysis }) =>
    (analysis?.uses ?? []).map((use) => ({ ...use, path: use.path ?? null, span: script.span }))
  );
  const sets = inner.flatMap(({ script, analysis }) =>
    (analysis?.sets ?? []).map((set) => ({ ...set, span: script.span }))
  );
  return result({
    doubts,
    commands: [...commands, ...nested],
    uses: [...findings.uses, ...nestedUses],
    sets: [...findings.sets, ...sets],
  });
}

function analyseScript(
  script: FoundScript,
  facts: AnalysisFacts,
  context: Depth,
): { script: FoundScript; analysis: Analysis | undefined } {
  if (script.text === null || context.depth >= DEEPEST_TEXT) return { script, analysis: undefined };
  const there = { ...facts, cwd: script.cwd ?? facts.cwd };
  return {
    script,
    analysis: analyseText(script.text, there, { ...context, depth: context.depth + 1 }),
  };
}

/** A body that is walked at its definition and at each call holds each command once. */
function distinct(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const seen = new Set<string>();
  return commands.filter(({ span, argv }) => {
    const key = `${span.start}:${span.end}:${argv.length}`;
    return seen.size < seen.add(key).size;
  });
}

interface Parts {
  readonly doubts: readonly Doubt[];
  readonly commands: readonly SimpleCommand[];
  readonly uses: readonly FoundUse[];
  readonly sets: NonNullable<Analysis["sets"]>;
}

function result({ doubts, commands, uses, sets }: Parts): Analysis {
  const doubt = doubts[0];
  const known = (access: PathUse["access"]) =>
    [
      ...new Set(
        uses.flatMap((use) => use.access === access && use.path !== null ? [use.path] : []),
      ),
    ]
      .sort();
  return {
    certainty: doubt === undefined ? "complete" : "opaque",
    ...(doubt !== undefined && { reason: doubt.reason, span: doubt.span }),
    commands,
    reads: known("read"),
    writes: known("write"),
    dynamic: uses.some(({ path }) => path === null),
    uses: uses.map(({ path, ...use }) => path === null ? use : { ...use, path }),
    sets,
  };
}
