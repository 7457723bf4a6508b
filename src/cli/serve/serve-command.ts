import { Command } from "commander";
import type { Cli } from "../cli.ts";
import { OpenQuestions } from "../../integration/serve/open-questions.ts";
import { serveTools } from "../../integration/serve/serve-tools.ts";
import type { LineChannel } from "../../platform/control/line-channel.ts";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import type { Stdio } from "../../platform/stdio.ts";
import { createRuntime } from "../../runtime/create.ts";
import { createTools } from "../../tool/create-tools.ts";
import { asUsage } from "../option-values.ts";
import { readerWatch } from "./reader-watch.ts";
import {
  runtimeOptions,
  type ToolCommandOptions,
  toolsOptions,
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
  const runtime = await asUsage(createRuntime({
    ...await runtimeOptions(options),
    ...(questions && { ask: questions.ask }),
  }));
  const reader = readerWatch(stdio);
  const client = serveTools(channelOf(stdio, () => reader.start()), {
    runtimeId: runtime.id,
    tools: createTools(runtime, toolsOptions(options)),
    notices: runtime.notices,
    owner: options.owner,
    ...(options.events === true && { events: runtime.events }),
    ...(questions && { questions }),
  });
  let closeNow = () => {};
  const closedNow = new Promise<void>((resolve) => {
    closeNow = resolve;
  });
  const stopNow = () => {
    closeNow();
    void runtime.close({ now: true });
  };
  const signals = onStopSignals({ stopNow });
  try {
    await Promise.race([client.ended, signals.stopped, reader.gone]);
  } finally {
    reader.stop();
    await runtime.close();
    // A client that does not read must not keep this process alive after a second signal.
    await Promise.race([client.close(), closedNow]);
    signals.forget();
  }
  return signals.exitCode ?? 0;
}

/** The end of the input does not end the output. */
function channelOf(stdio: Stdio, inputEnded: () => void): LineChannel {
  return {
    lines: (async function* () {
      yield* stdio.lines();
      inputEnded();
    })(),
    send: (line) => stdio.out(`${line}\n`),
    close: () => {},
  };
}
