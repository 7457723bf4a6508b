import { networkText } from "../runtime/call/refusal.ts";
import type { Sandbox } from "../platform/process/containment.ts";
import type { Suite, ToolKind } from "./configuration.ts";

/** What a model reads about a tool: at most 1 500 characters, of what is there and nothing else. */
export function descriptionOf(suite: Suite, kind: ToolKind): string {
  const lines = DESCRIPTIONS[kind](suite).filter((line) => line !== "");
  return lines.join("\n");
}

const has = ({ kinds }: Suite, kind: ToolKind): boolean => kinds.includes(kind);

function reachOf(network: Sandbox["network"]): string {
  if (network === "full") return "";
  return network === "none" ? ", and reach no network" : `; ${networkText(network)}`;
}

const DESCRIPTIONS: Readonly<Record<ToolKind, (suite: Suite) => readonly string[]>> = {
  run: (suite) => {
    const { names, family, background, initialWaitSeconds, capabilities, notices } = suite;
    const { timeoutSeconds } = suite;
    const { persistent, detaches, sandbox } = capabilities;
    return [
      `Run a ${family} command and return its output and how it ended.`,
      persistent
        ? "Commands with the same shellId run in order in one shell, which keeps directory, variables and functions. Without a shellId a command has a shell of its own, and no state remains."
        : "Each command has a process of its own: no directory or variable remains for the next one. Commands with the same shellId run in order.",
      `A command that is not done after initial_wait (${initialWaitSeconds} s) is not ended: it goes on in the background under its shellId and keeps its output.`,
      background
        ? `Start servers and long work with "mode": "async"${
          timeoutSeconds > 0
            ? ` and "timeout": 0, as they are ended after ${timeoutSeconds} s otherwise`
            : ""
        }. With "until" one call waits until it is ready, such as "until": "/listening on/".`
        : "",
      background && detaches && suite.detach
        ? 'With "detach": true an async command outlives this session.'
        : "",
      `Standard input is at its end${capabilities.input ? ' unless "input" is true' : ""}${
        capabilities.terminal ? '; programs that need a terminal take "pty": true' : ""
      }.`,
      notices
        ? "You get a notice when a background command ends or asks for input: do not poll and do not sleep."
        : has(suite, "read")
        ? `No notice comes when a background command ends: ask ${names.read} with "until": "exit".`
        : "",
      sandbox === undefined
        ? ""
        : `A sandbox lets commands write only below ${sandbox.writable.join(", ")}${
          reachOf(sandbox.network)
        }.`,
      has(suite, "read")
        ? `Long output is shown in part; ${names.read} shows the rest, and "artifact://TASK" in a command is a file with all of it.`
        : "",
    ];
  },
  read: ({ names }) => [
    `Show what is new in the output of commands that ${names.run} started, also after they ended.`,
    'Returns at once, or waits up to "delay" seconds for what "until" says; a wait never ends the command, and several shellIds wait for the first news.',
    'Reading consumes nothing: "from" reads again from a byte on, "search" shows matching lines with their numbers.',
  ],
  write: ({ names }) => [
    `Type into a running command, then show what it answers. It must have been started by ${names.run} to take input.`,
    "Text is sent as it is; keys are written in braces, such as yes{enter} or {ctrl-c}. {ctrl-d} ends the input of a command without a terminal.",
    "Text for a shell or an interpreter is judged like a command.",
  ],
  stop: ({ names }) => [
    `End a command of ${names.run} with all of its processes, detached ones too, and close its shell.`,
    "Reports how it ended and which processes survived. Stopping what is over is no error.",
  ],
  list: () => [
    "List the commands that run, and those that ended in the background: shell, task, mode, state, process, start, and how much output you have not read.",
    '"sync" is waited for, "async" was started in the background, "promoted" went on there when its wait ended, and "detached" outlives this session.',
  ],
};
