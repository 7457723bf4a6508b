import process from "node:process";
import { fold } from "../event/project.ts";
import type { Recorded } from "../event/event.ts";
import { readLog } from "../event/log/read-log.ts";
import { currentDirectory } from "../platform/environment.ts";
import { stdio } from "../platform/stdio.ts";
import { temporaryPath } from "../platform/file/temporary.ts";
import { createRuntime } from "../runtime/create.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { tasks } from "../task/tasks.ts";
import { runCli } from "./run-cli.ts";
import { taskLines } from "./state/task-lines.ts";

/** What the runtime shows of itself, on the directory that it is started in. */
const COMMANDS: readonly string[] = [
  "git log --oneline -n 3",
  "ls src && wc -l src/*.ts",
  "for i in 1 2 3; do echo tick $i; sleep 0.2; done",
  "grep -c 'no such line' package.json",
  "seq 1 100000",
  "echo to both streams; echo in order > /dev/stderr",
  "sleep 30 & echo answered at once",
  "rm -rf src",
];

/** Longer outputs are shown by their beginning. */
const SHOWN_BYTES = 400;

const given = process.argv.slice(2);
try {
  process.exitCode = given.length > 0 ? await runCli(["run", "--", ...given], stdio) : await show();
} catch (cause) {
  await stdio.err(`${cause instanceof Error ? cause.message : String(cause)}\n`);
  process.exitCode = 1;
}
process.exit();

/** Run the commands, show their tasks, and show that a replay of the log is the same. */
async function show(): Promise<number> {
  const log = temporaryPath("shellflow-start");
  try {
    const runtime = await createRuntime({
      log: log.path,
      cwd: currentDirectory(),
      rules: {
        allow: ["git log *", "ls *", "wc *", "echo *", "sleep *", "grep *", "seq *"]
          .map((rule) => `Bash(${rule})`),
        deny: ["Bash(rm *)"],
      },
    });
    for (const command of COMMANDS) await runShown(runtime, command);
    await runtime.close();
    const live = taskLines([...runtime.tasks.current.byId.values()]);
    await stdio.out(`\nThe tasks, as the runtime has them:\n\n${live}`);

    const events: Recorded[] = [];
    for await (const recorded of readLog(log.path)) events.push(recorded);
    const replayed = taskLines([...fold(tasks, events).byId.values()]);
    await stdio.out(
      `\nThe same, replayed from the ${events.length} events of its log:\n\n${replayed}`,
    );
    const same = live === replayed;
    await stdio.out(
      same ? "\nBoth tables are the same.\n" : "\nThe tables differ: this is a bug.\n",
    );
    return same ? 0 : 1;
  } finally {
    log.remove();
  }
}

async function runShown(runtime: Runtime, command: string): Promise<void> {
  await stdio.out(`\n$ ${command}\n`);
  let shown = 0;
  const out = (data: string | Uint8Array) => {
    const part = data.slice(0, Math.max(0, SHOWN_BYTES - shown));
    shown += data.length;
    return stdio.out(part);
  };
  const running = runtime.start(command, { timeoutMs: 60_000 });
  const copied = running.output.then((log) =>
    log && log.pipeTo(out, { hold: true, until: running.result })
  );
  const { outcome, totalBytes, leftovers } = await running.result;
  await copied;
  if (totalBytes > SHOWN_BYTES) {
    await stdio.out(
      `\n[${totalBytes - SHOWN_BYTES} bytes more, which the runtime keeps in a file]\n`,
    );
  }
  if ("reason" in outcome) await stdio.out(`[${outcome.reason}]\n`);
  else if (outcome.type === "exited" && outcome.code !== 0) {
    await stdio.out(`[exit code ${outcome.code}]\n`);
  }
  for (const { pid, command } of leftovers) {
    await stdio.out(`[left running: ${command} (${pid})]\n`);
  }
}
