import type { Analysis } from "../event/analysis.ts";
import { defined } from "../value/defined.ts";
import type { Concern } from "../event/permission.ts";
import { shownWords } from "./words.ts";

const SINKS = /^\/dev\/(?:null|stdout|stderr|fd\/\d+|tty)$/;

/** What is not certain about a line. */
export function opaqueConcern({ certainty, reason, span }: Analysis): readonly Concern[] {
  if (certainty !== "opaque") return [];
  return [{ reason: reason ?? "what it runs is not certain", ...defined({ span }) }];
}

/** Find what changes anything, or cannot be read; plan mode runs only lines without it. */
export function changeConcerns(analysis: Analysis): readonly Concern[] {
  const { commands, uses = [] } = analysis;
  const concerns: Concern[] = [...opaqueConcern(analysis)];
  for (const [index, { argv, program, startedBy, span }] of commands.entries()) {
    const hands = program.transparent && commands.some((each) => each.startedBy?.command === index);
    const reads = program.reads && !/[\\/]/.test(argv[0] ?? "/") && startedBy?.how !== "reading";
    if (argv.length === 0 || hands || reads) continue;
    concerns.push({ reason: `"${shownWords(argv)}" is not known to only read`, span });
  }
  for (const { access, path, span } of uses) {
    if (access === "write" && !SINKS.test(path ?? "")) {
      concerns.push({
        reason: `it writes ${path === undefined ? "a path known only at run time" : `"${path}"`}`,
        span,
      });
    }
  }
  return concerns;
}
