import type { CommandRequested, ExecutorChoice, ExecutorKind, Origin } from "../event/command.ts";

/**
 * What runs commands that do not say so themselves: `auto` is the session's shell for a session that
 * somebody keeps, and a process of its own for a command that is alone in its session.
 */
export type ExecutorPreference = ExecutorKind | "auto";

/** What decides between the executors. */
export interface ChoiceFacts {
  readonly preference: ExecutorPreference;
  /** Somebody keeps the session, so that it takes more commands than one. */
  readonly kept: boolean;
  /** Why nothing but a process of its own can run any command. */
  readonly pinned?: string;
  /** Who has started the session's shell, and whose environment it has. */
  readonly shellOrigin?: Origin;
}

/** Choose what is to run a command; what pins it to a process of its own beats every wish. */
export function chooseExecutor(
  { executor, detach, origin }: CommandRequested,
  { preference, kept, pinned, shellOrigin }: ChoiceFacts,
): ExecutorChoice {
  const wish = wished(executor, preference, kept);
  if (wish.kind === "process") return wish;
  if (detach === true) return process("it outlives the host");
  if (pinned !== undefined) return process(pinned);
  // Who shares a shell shares all that is in it: what a person has is not for the model to find.
  if (shellOrigin !== undefined && shellOrigin !== origin) {
    return process(`the session's shell is that of origin "${shellOrigin}"`);
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

function process(reason: string): ExecutorChoice {
  return { kind: "process", reason };
}
