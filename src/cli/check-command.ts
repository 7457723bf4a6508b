import { Command } from "commander";
import {
  fromCurrentDirectory,
  homeDirectory,
  temporaryDirectory,
} from "../platform/environment/environment.ts";
import { absolutePath } from "../platform/file/paths.ts";
import { check, checkLine } from "../runtime/permission/check.ts";
import { explain } from "../runtime/permission/explain.ts";
import type { Cli } from "./cli.ts";
import { asUsage, UsageError } from "./option-values.ts";
import { policyOf, type RuleOptions, withAgentRules } from "./rules.ts";

interface Options extends RuleOptions {
  readonly cwd?: string;
  readonly workspace?: string;
  readonly json?: boolean;
  readonly batch?: boolean;
}

/** `shellflow check`: what would be decided about a command; runs nothing. */
export function checkCommand({ stdio, exit }: Cli): Command {
  const command = new Command("check")
    .description(
      "Say what would be decided about a command, and run nothing: as JSON, or explained in a terminal. " +
        "The exit code is 0 whatever the decision is, and 1 where a line of a batch has none.",
    )
    .usage("[options] -- COMMAND")
    .argument("[command...]", "the command line, in bash; several words are joined by blanks")
    .option("--cwd <directory>", "where it would run")
    .option("--workspace <directory>", "what it may write to; default the same directory")
    .option("--json", "print JSON in a terminal, too")
    .option("--batch", "read a question from each line of standard input, as JSON")
    .passThroughOptions();
  return withAgentRules(command).action(async (words: string[], options: Options) => {
    let failed = false;
    if (options.batch) {
      refuseOthers(words, options);
      for await (const line of stdio.lines()) {
        if (line.trim() === "") continue;
        const answer = await checkLine(line);
        failed ||= "error" in answer;
        await stdio.out(`${JSON.stringify(answer)}\n`);
      }
    } else {
      const line = words.join(" ");
      if (words.length === 0) {
        throw new UsageError("Cannot check nothing: name a COMMAND, or --batch");
      }
      if (line.trim() === "") throw new UsageError('Cannot check "": it is empty');
      const cwd = fromCurrentDirectory(options.cwd ?? ".");
      const explained = stdio.terminal === true && !options.json;
      const policy = policyOf(options);
      const answer = await asUsage(check({
        ...policy,
        cwd,
        workspace: options.workspace === undefined ? cwd : absolutePath(cwd, options.workspace),
        // As a runtime decides.
        readFreely: true,
        directories: [temporaryDirectory(), ...policy.directories ?? []],
        home: homeDirectory(),
        command: line,
        explain: explained,
      }));
      await stdio.out(explained ? explain(line, answer) : `${JSON.stringify(answer)}\n`);
    }
    exit(failed ? 1 : 0);
  });
}

/** In a batch every line has its own rules and directory: what is given beside would be ignored. */
function refuseOthers(words: readonly string[], { batch: _, ...others }: Options): void {
  const [name = words[0]] = Object.keys(others);
  if (name !== undefined) {
    throw new UsageError(`Cannot check a batch with "${name}": each line has its own`);
  }
}
