import * as v from "valibot";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { type LineConversation, openLines } from "../../platform/control/line-conversation.ts";
import { ownerOf } from "../../platform/owner/owner-lock.ts";
import type { RunResult } from "../result.ts";
import { isNews, type RunNews, type RunRequest } from "./guest/run-protocol.ts";
import { CONTROL_VERSION } from "./protocol.ts";
import { unlessSilent } from "./unless-silent.ts";

/** A connection to an owner that runs commands for others. */
export interface HostConversation {
  /**
   * Have a command run; it ends with this connection, unless it was promoted or detached.
   *
   * @param hear Told what happens, in order; the host waits for what it answers.
   * @throws {Error} When the host refuses, or is gone before it answered, or is stopped or hung.
   */
  run(
    request: RunRequest,
    hear: (news: RunNews) => Promise<void> | void,
  ): Promise<RunResult>;
  /** Hang up. Idempotent. */
  close(): void;
}

/**
 * Greet the owner of a directory. While somebody is connected it does not end for idleness.
 *
 * @returns `undefined` when nobody listens now: one begins, or ends, or there is none.
 * @throws {Error} When the owner runs nothing for others, or is stopped or hung.
 */
export async function meetHost(
  directory: string,
  clock: Clock = systemClock,
): Promise<HostConversation | undefined> {
  const owner = await ownerOf(directory);
  if (owner?.socket === undefined) return undefined;
  const lines = await openLines(owner.socket).catch(() => undefined);
  if (lines === undefined) return undefined;
  try {
    const { pid, socket } = owner;
    const next = (cannot: string) =>
      unlessSilent(() => lines.next(), { owner: { pid, socket }, clock }).catch((cause) => {
        throw new Error(`${cannot}: ${cause.message}`, { cause });
      });
    say(lines, { op: "hello" });
    const answer = await next(`Cannot use a session in "${directory}"`);
    const runs = answer === undefined ? "ending" : helloOf(directory, answer);
    if (runs === "no") {
      throw new Error(
        `Cannot use a session in "${directory}": process ${owner.pid} owns it and runs nothing for ` +
          "others; wait until it has ended, or use another directory",
      );
    }
    if (runs === "yes") return conversation(lines, next);
    lines.close();
    return undefined;
  } catch (cause) {
    lines.close();
    throw cause;
  }
}

/** @param next The next line, from a host that gives signs of life; else it says what cannot be done. */
function conversation(
  lines: LineConversation,
  next: (cannot: string) => Promise<string | undefined>,
): HostConversation {
  return {
    run: async (request, hear) => {
      const cannot = `Cannot tell what became of "${request.command}"`;
      say(lines, request);
      for (;;) {
        const line = await next(cannot);
        if (line === undefined) throw new Error(`${cannot}: its host is gone`);
        const said: unknown = JSON.parse(line);
        if (v.is(REFUSAL, said)) throw new Error(said.error);
        if (v.is(NEWS, said) && isNews(said.news)) await hear(said.news);
        else if (v.is(ANSWER, said) && isResult(said.result)) return said.result;
        else {throw new Error(
            `Cannot read "${line.slice(0, 80)}": its host speaks another language`,
          );}
      }
    },
    close: () => lines.close(),
  };
}

function say(lines: LineConversation, request: RunRequest | { readonly op: "hello" }): void {
  lines.send(JSON.stringify({ v: CONTROL_VERSION, ...request }));
}

function helloOf(directory: string, line: string): "yes" | "no" | "ending" {
  const said: unknown = JSON.parse(line);
  if (v.is(REFUSAL, said)) throw new Error(said.error);
  if (v.is(HELLO, said)) return said.result.runs;
  throw new Error(`Cannot ask the owner of "${directory}": it answers in another language`);
}

const REFUSAL = v.object({ ok: v.literal(false), error: v.string() });
const HELLO = v.object({
  ok: v.literal(true),
  result: v.object({ runs: v.picklist(["yes", "no", "ending"]) }),
});
const NEWS = v.object({ news: v.unknown() });
const ANSWER = v.object({ ok: v.literal(true), result: v.unknown() });

function isResult(value: unknown): value is RunResult {
  return v.is(
    v.looseObject({
      taskId: v.string(),
      sessionId: v.string(),
      outcome: v.looseObject({ type: v.string() }),
      leftovers: v.array(v.object({ pid: v.number(), command: v.string() })),
    }),
    value,
  );
}
