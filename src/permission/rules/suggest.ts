import type { SimpleCommand } from "../../event/command.ts";
import { dangersOf } from "../dangers/dangers.ts";
import { startsOthers } from "../dangers/privilege.ts";
import { strippedForm } from "./forms.ts";
import { baseName } from "../words.ts";

/** How many words say what a program does; others are suggested as they stand. */
const ARITY: ReadonlyMap<string, number> = new Map([
  ...words(
    1,
    "ls cat head tail wc echo pwd grep rg diff stat file which sort uniq cut tree du df date jq true false basename dirname",
  ),
  ...words(
    2,
    "git npm pnpm yarn cargo go docker kubectl pip pip3 brew apt systemctl terraform helm mvn gradle dotnet deno bun tsc jest",
  ),
  ...words(3, "gh aws gcloud az"),
]);
const LONGER: ReadonlyMap<string, number> = new Map([
  ["npm run", 3],
  ["pnpm run", 3],
  ["yarn run", 3],
  ["bun run", 3],
  ["docker compose", 3],
  ["git remote", 3],
  ["git stash", 3],
  ["git config", 3],
  ["git worktree", 3],
]);

function words(arity: number, names: string): [string, number][] {
  return names.split(" ").map((name) => [name, arity]);
}

/**
 * The rule that would cover a command without covering more than its kind.
 *
 * @returns Nothing for programs that run others, for dangerous commands, and where words are unknown.
 */
export function suggestRule(command: SimpleCommand): string | undefined {
  const { argv, inner } = strippedForm(command);
  const [program] = argv;
  if (typeof program !== "string" || inner.length > 0 || command.via !== undefined) {
    return undefined;
  }
  if (startsOthers(baseName(program)) || dangersOf(command).length > 0) {
    return undefined;
  }
  const arity = LONGER.get(`${program} ${argv[1]}`) ?? ARITY.get(program);
  const spelled = arity === undefined ? argv : argv.slice(0, arity);
  if (
    spelled.some((word, index) =>
      word === null || (index > 0 && arity !== undefined && word.startsWith("-"))
    )
  ) {
    return undefined;
  }
  const text = spelled.map((word) => quote(word ?? "")).join(" ");
  if (/[\p{Cc}\p{Cf}]/u.test(text) || (arity !== undefined && argv.length < arity)) {
    return undefined;
  }
  return arity === undefined ? `Bash(${text})` : `Bash(${text} *)`;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && !word.endsWith(":")
    ? word
    : `"${word.replace(/["\\$\`*]/g, "\\$&")}"`;
}
