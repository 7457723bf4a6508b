import type { CommandRequested, ExecutorChoice, ExecutorKind, Origin } from "../event/command.ts";

/**
 * The executor of commands that name none: `auto` means the session's shell in a session that stays
 * open, and a process of its own for a command that is alone in its session.
 */
export type ExecutorPreference = "process" | "shell" | "auto";

/** Choose the executor of a command; what pins it to a process of its own beats every wish. */
export function chooseExecutor(
  { executor, terminal, input, split, detach, origin }: CommandRequested,
  { preference, kept, pinned, shellOrigin }: {
    readonly preference: ExecutorPreference;
    /** The session stays open for more commands. */
    readonly kept: boolean;
    /** Why every command needs a process of its own. */
    readonly pinned?: string;
    /** The origin whose command started the session's shell, and whose environment it has. */
    readonly shellOrigin?: Origin;
  },
): ExecutorChoice {
  const wish = terminal === undefined
    ? wished(executor, preference, kept)
    : onTerminal(executor === "shell" ? "terminalShell" : "terminal");
  if (wish.kind === "process") return wish;
  if (split === true) return process("its outputs are kept apart");
  if (input !== undefined && wish.kind === "shell") return process("it takes input");
  if (detach === true) return process("it outlives the host");
  if (pinned !== undefined) return process(pinned);
  // A shell holds the environment of its origin: the model must not find what the user has.
  if (wish.kind !== "terminal" && shellOrigin !== undefined && shellOrigin !== origin) {
    const reason = `the session's shell is that of origin "${shellOrigin}"`;
    return terminal === undefined ? process(reason) : { kind: "terminal", reason };
  }
  return wish;
}

function wished(
  asked: ExecutorKind | undefined,
  preference: ExecutorPreference,
  kept: boolean,
): ExecutorChoice {
  if (asked !== undefined) return { kind: asked, reason: "the call asks for it" };
  if (preference !== "auto") return { kind: preference, reason: "the runtime is set to it" };
  return kept
    ? { kind: "shell", reason: "its session is kept" }
    : process("it is alone in its session");
}

function onTerminal(kind: "terminal" | "terminalShell"): ExecutorChoice {
  return { kind, reason: "the call asks for a terminal" };
}

function process(reason: string): ExecutorChoice {
  return { kind: "process", reason };
}
