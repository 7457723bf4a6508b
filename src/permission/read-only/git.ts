import { hasFlag, operandsOf } from "../flags.ts";
import type { Words } from "../words.ts";

const READS = new Set(
  ("status log diff show shortlog blame rev-parse rev-list ls-files ls-tree cat-file describe name-rev merge-base " +
    "for-each-ref grep version help").split(" "),
);
const RUNS = {
  long: [
    "--output",
    "--output-directory",
    "--ext-diff",
    "--textconv",
    "--filters",
    "--batch-command",
    "--open-files-in-pager",
    "--upload-pack",
    "--exec",
    "--no-index",
    "--contents",
  ],
};

/** Whether a `git` command only reads; options before the subcommand are not looked into. */
export function gitOnlyReads(args: Words): boolean {
  const [subcommand, ...rest] = args;
  if (typeof subcommand !== "string" || rest.includes(null) || hasFlag(rest, RUNS)) return false;
  if (subcommand === "--version") return true;
  if (READS.has(subcommand)) return !(subcommand === "grep" && hasFlag(rest, { short: "O" }));
  const operands = operandsOf(rest);
  switch (subcommand) {
    case "branch":
      return operands.length === 0 &&
        !hasFlag(rest, {
          long: [
            "--delete",
            "--move",
            "--copy",
            "--force",
            "--set-upstream-to",
            "--unset-upstream",
            "--edit-description",
          ],
          short: "dDmMcCfu",
        });
    case "tag":
      return operands.length === 0 || rest[0] === "-l" || rest[0] === "--list";
    case "remote":
      return operands.length === 0 || operands[0] === "get-url";
    case "stash":
      return operands[0] === "list" || operands[0] === "show";
    case "worktree":
      return operands[0] === "list";
    case "reflog":
      return operands.length === 0 || operands[0] === "show";
    case "config":
      return rest.some((arg) => /^(?:--get(?:-all|-regexp)?|--list|-l)$/.test(arg ?? "")) &&
        !hasFlag(rest, { long: ["--unset", "--add", "--replace-all", "--edit"], short: "e" });
    default:
      return false;
  }
}
