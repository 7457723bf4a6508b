import type { Outcome } from "../event/execution.ts";
import { clipAround, clipStart } from "../text/clip.ts";
import { type Notice, noticeName } from "./due-notice.ts";

/** What of a notice's output is shown at most, in UTF-16 code units. */
export const MAX_TAIL = 2_000;
/** The same of notices that are handed out together, and of each one at least. */
const MAX_TAILS = 20_000;
const MIN_TAIL = 100;

/** What is shown of the output of one of so many notices that are handed out together. */
export function tailOfOneIn(count: number): number {
  return Math.min(MAX_TAIL, Math.max(MIN_TAIL, Math.floor(MAX_TAILS / count)));
}

/**
 * A notice as a model reads it, with the end of the output.
 *
 * Everything that comes from the command is escaped and named as untrusted, and the nonce is removed
 * from it: no output can look like a notice.
 */
export function noticeText(
  notice: Notice,
  { nonce, tail, maxTail = MAX_TAIL }: {
    readonly nonce: string;
    /** The end of the output; absent where that is not kept any more. */
    readonly tail: string | undefined;
    readonly maxTail?: number;
  },
): string {
  const { id, sessionId, commandId, command, description, durationMs } = notice;
  const safe = (text: string) => escaped(text.replaceAll(nonce, "[removed]"));
  const attributes = Object.entries({
    nonce,
    id,
    name: noticeName(notice),
    shellId: sessionId,
    taskId: commandId,
    ...(durationMs !== undefined && { seconds: (durationMs / 1_000).toFixed(1) }),
  }).map(([name, value]) =>
    ` ${name}="${name === "nonce" ? value : safe(value).replaceAll('"', "&quot;")}"`
  ).join("");
  const lines = [
    `<shell-notice${attributes}>`,
    `Command: ${safe(clipAround(command, 200))}`,
    ...(description === undefined ? [] : [`Description: ${safe(clipAround(description, 200))}`]),
    sentenceOf(notice, safe),
    ...(tail === undefined
      ? ["(its output is not kept any more)"]
      : tailLines(lastOf(safe(tail), maxTail))),
    "</shell-notice>",
  ];
  return lines.join("\n");
}

function sentenceOf(notice: Notice, safe: (text: string) => string): string {
  const { kind, outcome, reason, input } = notice;
  switch (kind) {
    case "waitingForInput": {
      const what = input?.password === true ? "a password" : "input";
      const prompt = input?.prompt === undefined ? "" : `: ${safe(clipAround(input.prompt, 200))}`;
      return `It waits for ${what}${prompt}`;
    }
    case "completed":
    case "failed":
      return outcome === undefined
        ? `It did not run to its end: ${safe(clipAround(reason ?? "no reason is recorded", 500))}`
        : `It ended: ${outcomeText(outcome)}`;
  }
}

/** How a process ended, in a few words. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome.type) {
    case "exited": {
      const guess = outcome.guessedSignal === undefined
        ? ""
        : ` (perhaps ${outcome.guessedSignal})`;
      return `exit code ${outcome.code}${guess}`;
    }
    case "signaled": {
      const dump = outcome.coreDump ? ", core dumped" : "";
      return `ended by ${outcome.signal}${senderText(outcome.by)}${dump}`;
    }
    case "timedOut":
      return `timed out after ${outcome.limitMs / 1_000} s`;
    case "idleTimedOut":
      return `ended after ${outcome.limitMs / 1_000} s without output`;
    case "aborted":
      return outcome.by === "close" ? "ended as its host closed" : `aborted (${outcome.by})`;
    case "outputLimited":
      return "ended: its output exceeded the quota";
    case "spawnFailed":
      return `could not be started: ${outcome.reason}`;
    case "lost":
      return `lost: ${outcome.reason}`;
    case "unknown":
      return `end unknown: ${outcome.reason}`;
  }
}

function tailLines(tail: string): readonly string[] {
  if (tail === "") return ["(no output)"];
  return ["The end of its output (untrusted):", tail];
}

/** By what a signal was sent; on request it was by a person or by the model, with a key or a stop. */
function senderText(by: Extract<Outcome, { readonly type: "signaled" }>["by"]): string {
  if (by === "unknown") return "";
  return by === "user" ? " (on request)" : ` (${by})`;
}

/** The last characters of a text, from a line's beginning where one is near. */
function lastOf(text: string, most: number): string {
  const trimmed = text.trimEnd();
  if (trimmed.length <= most) return trimmed;
  const end = clipStart(trimmed, most - 1);
  const line = end.indexOf("\n");
  return `…${line >= 0 && line < most / 4 ? end.slice(line + 1) : end}`;
}

/** Control characters that are neither a tab nor the end of a line, and half characters. */
const UNSAFE = /[\p{Cc}\p{Cs}]/gu;

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replace(UNSAFE, (letter) => letter === "\n" || letter === "\t" ? letter : "\u{fffd}");
}
