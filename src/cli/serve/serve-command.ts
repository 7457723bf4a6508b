import { Command } from "commander";
import type { Cli } from "../cli.ts";
import { Dispatcher } from "../../control/dispatcher.ts";
import { OpenQuestions } from "../../control/open-questions.ts";
import { environment } from "../../platform/environment.ts";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import type { Stdio } from "../../platform/stdio.ts";
import { createRuntime } from "../../runtime/create.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { toolPort } from "../../runtime/tool-port.ts";
import { createSuite } from "../../tool/create-suite.ts";
import { type LineOutput, lineOutput } from "./line-output.ts";
import {
  runtimeOptions,
  suiteOptions,
  type ToolCommandOptions,
  withToolOptions,
} from "./tool-options.ts";

interface Options extends ToolCommandOptions {
  readonly events?: boolean;
  readonly askOverStdio?: boolean;
}

/** `shellflow serve`: the tools for a program that writes and reads lines of JSON. */
export function serveCommand({ exit, stdio }: Cli): Command {
  const command = new Command("serve")
    .description(
      "Serve the tools as lines of JSON: requests on standard input, answers on output.",
    );
  return withToolOptions(command)
    .option("--events", "send every recorded event, too")
    .option("--ask-over-stdio", "send questions, in place of denying what is to be asked")
    .action(async (options: Options) => exit(await serve(options, stdio)));
}

async function serve(options: Options, stdio: Stdio): Promise<number> {
  const questions = options.askOverStdio === true ? new OpenQuestions() : undefined;
  const runtime = await createRuntime({
    ...runtimeOptions(options),
    ...(questions && { ask: questions.ask }),
  });
  const tools = createSuite(toolPort(runtime), suiteOptions(options, environment()));
  const dispatcher = new Dispatcher({
    tools,
    notices: runtime.notices,
    owner: options.owner,
    ...(options.events === true && { events: runtime.events }),
    ...(questions && { questions }),
  });
  const output = lineOutput(stdio);
  let stop = () => {};
  const stopping = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const stopped = onStopSignals({ stop, stopNow: () => void runtime.close({ now: true }) });
  output.send({
    ready: {
      runtimeId: runtime.id,
      owner: options.owner,
      nonce: runtime.notices.nonce,
      background: runtime.notices.background(options.owner),
      tools: tools.tools.map(({ name }) => name),
    },
  });
  const notifications = dispatcher.notifications.subscribe(output.send);
  try {
    await Promise.race([answerLines(dispatcher, stdio.lines(), output), stopping]);
    if (stopped.exitCode === undefined) await dispatcher.settled();
  } finally {
    await close(runtime, dispatcher);
    notifications.unsubscribe();
    stopped.forget();
  }
  await output.flushed();
  return stopped.exitCode ?? 0;
}

/** Answer each line as soon as its answer is there; a line that is none is answered by an error. */
async function answerLines(
  dispatcher: Dispatcher,
  lines: AsyncIterable<string>,
  output: LineOutput,
): Promise<void> {
  for await (const line of lines) {
    if (line.trim() === "") continue;
    await output.room();
    let request: unknown;
    try {
      request = JSON.parse(line);
    } catch (cause) {
      output.send({ error: { message: `Cannot read the line as JSON: ${String(cause)}` } });
      continue;
    }
    void dispatcher.dispatch(request).then((answer) => answer && output.send(answer));
  }
}

/** End what runs, and answer the calls that still wait. */
async function close(runtime: Runtime, dispatcher: Dispatcher): Promise<void> {
  await runtime.close();
  dispatcher.abort();
  await dispatcher.settled();
}
