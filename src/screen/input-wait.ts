import type { ExecutionWaitingForInput } from "../event/execution.ts";
import type { ForegroundWait } from "../platform/terminal/foreground.ts";
import type { LineSettings } from "../platform/terminal/line-settings.ts";

/** What is known of a terminal that was silent for a moment. */
export interface InputEvidence {
  /** How its foreground process group waits. */
  readonly wait: ForegroundWait;
  /** Absent where it is not known. */
  readonly settings?: LineSettings | undefined;
  /** How long neither output nor input came, in milliseconds. */
  readonly quietMs: number;
  /** The text on the row of the cursor, up to the cursor. */
  readonly line: string;
  /** It claims to show its prompt. */
  readonly atPrompt?: boolean;
}

/** What a command that waits for input has shown. */
export type InputWait = Omit<ExecutionWaitingForInput, "type" | "commandId">;

/** Silence after which a program that reads its terminal is taken to wait, and one that may wait for other things. */
export const SURE_AFTER_MS = 100;
export const LIKELY_AFTER_MS = 500;

/** The end of a question, or of the prompt of a shell or an interpreter. */
const ASKS = /(?:[?:>$#%\u276f\]\)]|\b(?:y\/n|yes\/no))\s*$/i;
const ASKS_FOR_PASSWORD = /\b(?:password|passphrase|passcode|pin|token|secret)\b[^\n]{0,60}:\s*$/i;

/**
 * Decide whether a program waits for input.
 *
 * One that is blocked in a read of its terminal does. One that waits for any of several things
 * does when it has asked for single keys, as editors, pagers and line editors do, or when it shows
 * no input, or when a question stands before the cursor; a claim to be at the prompt only makes that
 * known sooner.
 */
export function inputWait(evidence: InputEvidence): InputWait | undefined {
  const { wait, settings, quietMs, line, atPrompt = false } = evidence;
  if (quietMs < SURE_AFTER_MS || wait === "neither") return undefined;
  const hidden = settings?.echo === false && settings.canonical;
  const sure = wait === "read" || (wait === "poll" && hidden);
  if (!sure) {
    if (quietMs < LIKELY_AFTER_MS && !atPrompt) return undefined;
    const keys = wait === "poll" && settings?.canonical === false;
    if (!ASKS.test(line) && !(keys && atPrompt)) {
      // Before its cursor stands what it draws.
      return keys ? { password: false, keys } : undefined;
    }
  }
  const prompt = line.trim();
  return { ...(prompt === "" ? {} : { prompt }), password: hidden || ASKS_FOR_PASSWORD.test(line) };
}
