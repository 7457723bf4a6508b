import process from "node:process";
import { stdio } from "../platform/stdio.ts";
import { uniqueTemporaryPath } from "../platform/file/temporary.ts";
import { runCli } from "./command-line.ts";

/** What the runtime shows of itself, on the directory that it is started in. */
const COMMANDS: readonly string[] = [
  "git log --oneline -n 3",
  "ls src && wc -l src/*.ts",
  "for i in 1 2 3; do echo tick $i; sleep 0.2; done",
  "grep -c 'no such line' package.json",
  "echo to both streams; echo in order > /dev/stderr",
  "sleep 30 & echo answered at once",
  "rm -rf src",
];

const RULES = [
  ...["git log *", "ls *", "wc *", "echo *", "sleep *", "grep *"]
    .flatMap((rule) => ["--allow", `Bash(${rule})`]),
  ...["--deny", "Bash(rm *)"],
];

const given = process.argv.slice(2);
process.exitCode = given.length > 0 ? await runCli(["run", "--", ...given], stdio) : await show();
process.exit();

/** Run the commands with a log, and then print that as it was. */
async function show(): Promise<number> {
  const log = uniqueTemporaryPath("shellflow-start");
  try {
    for (const command of COMMANDS) {
      await stdio.out(`\n$ ${command}\n`);
      await runCli(["run", "--log", log.path, ...RULES, "--", command], stdio);
    }
    await stdio.out("\nThe same, replayed from the log of it:\n\n");
    return await runCli(["replay", log.path], stdio);
  } finally {
    log.remove();
  }
}
