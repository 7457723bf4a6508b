import type { SimpleCommand } from "../../event/analysis.ts";

/**
 * The rule that would cover a command without covering more than its kind.
 *
 * @returns Nothing for programs that run other code, for dangerous commands, and where words are unknown.
 */
export function suggestRule(
  { argv, program, startedBy }: SimpleCommand,
  commands: readonly SimpleCommand[],
): string | undefined {
  const { runs, dangers, arity } = program;
  const [name, verb] = argv;
  const hidden = startedBy !== undefined && !commands[startedBy.command]?.program.transparent;
  if (typeof name !== "string" || hidden) return undefined;
  // A tool that runs the workspace's code is suggested with what it does, as `npm test`.
  const tool = runs && arity !== undefined && arity > 1 && verb !== undefined && verb !== null &&
    !STARTS.test(verb) && !LANGUAGES.test(name);
  if ((runs && !tool) || dangers !== undefined || STARTERS.test(name)) return undefined;
  const spelled = arity === undefined ? argv : argv.slice(0, arity);
  const unclear = spelled.some((word, index) =>
    word === null || (index > 0 && arity !== undefined && word.startsWith("-"))
  );
  if (unclear || (arity !== undefined && argv.length < arity)) return undefined;
  const text = spelled.map((word) => quote(word ?? "")).join(" ");
  if (/[\p{Cc}\p{Cf}]/u.test(text)) return undefined;
  return arity === undefined ? `Bash(${text})` : `Bash(${text} *)`;
}

/** Subcommands that run whatever follows. */
const STARTS = /^(?:exec|x|dlx|run|shell|develop|eval|repl)$/;
/** Programs that start what is in their words. */
const STARTERS =
  /^(?:xargs|find|fd|fdfind|env|timeout|nice|nohup|time|stdbuf|command|builtin|exec|eval|source|\.|trap|awk|gawk|mawk|sudo|doas)$/;
const LANGUAGES = /^(?:python|node|ruby|perl|php|npx|bunx|pnpx|uvx|docker|podman|kubectl)/;

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && !word.endsWith(":")
    ? word
    : `"${word.replace(/["\\$\`*]/g, "\\$&")}"`;
}
