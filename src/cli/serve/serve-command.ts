import { Command } from "commander";
import type { Cli } from "../cli.ts";
import { Conversation } from "../../control/conversation.ts";
import { OpenQuestions } from "../../control/open-questions.ts";
import { toolFormat } from "../../control/tool-format.ts";
import { toolMethods, toolNotifications, type ToolService } from "../../control/tool-methods.ts";
import type { LineChannel } from "../../platform/control/line-channel.ts";
import { environment } from "../../platform/environment.ts";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import type { Stdio } from "../../platform/stdio.ts";
import { createRuntime } from "../../runtime/create.ts";
import { toolPort } from "../../runtime/tool-port.ts";
import { createSuite } from "../../tool/create-suite.ts";
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
  const { owner } = options;
  const questions = options.askOverStdio === true ? new OpenQuestions() : undefined;
  const runtime = await createRuntime({
    ...runtimeOptions(options),
    ...(questions && { ask: questions.ask }),
  });
  const { notices } = runtime;
  const tools = createSuite(toolPort(runtime), suiteOptions(options, environment()));
  const service: ToolService = {
    tools,
    notices,
    owner,
    ...(options.events === true && { events: runtime.events }),
    ...(questions && { questions }),
  };
  const client = new Conversation(channelOf(stdio), {
    methods: toolMethods(service),
    format: toolFormat,
  });
  let stop = () => {};
  const stopping = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const stopped = onStopSignals({ stop, stopNow: () => void runtime.close({ now: true }) });
  void client.notify("ready", {
    runtimeId: runtime.id,
    owner,
    nonce: notices.nonce,
    background: notices.background(owner),
    tools: tools.tools.map(({ name }) => name),
  });
  const notifications = toolNotifications(service).subscribe(({ method, params }) =>
    void client.notify(method, params)
  );
  try {
    await Promise.race([client.read(), stopping]);
    if (stopped.exitCode === undefined) await client.settled();
  } finally {
    await runtime.close();
    // What still waits is answered now.
    client.abort();
    await client.settled();
    notifications.unsubscribe();
    stopped.forget();
  }
  return stopped.exitCode ?? 0;
}

/** The end of the input does not end the output. */
function channelOf(stdio: Stdio): LineChannel {
  return {
    lines: stdio.lines(),
    send: (line) => stdio.out(`${line}\n`),
    close: () => {},
  };
}
