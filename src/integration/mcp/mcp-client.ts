import {
  acceptedContent,
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Answer } from "../../event/permission.ts";
import { shown } from "../../value/shown.ts";
import type { DeliveredNotice } from "../../notification/notice-board.ts";
import type { NoticeInbox } from "../../notification/notice-inbox.ts";
import type { Question } from "../../permission/asker.ts";
import { messageOf } from "../../platform/failure.ts";
import { randomIds } from "../../platform/ids.ts";
import { clipStart } from "../../text/clip.ts";
import type { ToolSuite } from "../../tool/create-tools.ts";
import type { ToolResult, ToolUpdate } from "../../tool/tool.ts";
import { McpCall, type OpenQuestion } from "./mcp-call.ts";
import type { McpQuestions } from "./mcp-questions.ts";

/** What serving one client needs. */
interface McpClientOptions {
  readonly tools: ToolSuite;
  readonly inbox: NoticeInbox;
  /** Absent: what is to be asked is denied. */
  readonly questions: McpQuestions | undefined;
  /** Whether the client of a request takes questions. */
  readonly elicits: (context: ServerContext) => boolean;
}

/** Serves one round of a tool call. */
export type ServeCall = (
  tool: string,
  input: unknown,
  context: ServerContext,
) => Promise<CallToolResult | InputRequiredResult>;

/** Serve the calls of one MCP client: their questions, their progress, and the notices that they carry. */
export function callsOfClient(
  { tools, inbox, questions, elicits }: McpClientOptions,
): ServeCall {
  /** Calls that wait for the answer to a question, by the state that the client sends back. */
  const suspended = new Map<string, { readonly call: McpCall; readonly open: OpenQuestion }>();
  const begin = (tool: string, input: unknown, context: ServerContext) =>
    new McpCall(elicits(context), async (call, signal) => {
      let forget = () => {};
      try {
        const onUpdate = progressOf(context);
        return await tools.call(tool, input, {
          signal,
          onTask: (taskId) => forget = questions?.started(taskId, call) ?? forget,
          ...(onUpdate && { onUpdate }),
        });
      } finally {
        forget();
      }
    });
  const resume = (state: string, { mcpReq }: ServerContext) => {
    const waiting = suspended.get(state);
    suspended.delete(state);
    const content = acceptedContent(mcpReq.inputResponses, ANSWER);
    waiting?.open.answer(answerOf(content?.["answer"]));
    return waiting?.call;
  };
  return async (tool, input, context) => {
    // The protocol acknowledges nothing: a later request shows that its results were read.
    inbox.received();
    const state = context.mcpReq.requestState<string>();
    const call = state === undefined ? begin(tool, input, context) : resume(state, context);
    if (call === undefined) {
      return {
        content: [{ type: "text", text: "Cannot answer: the call is over" }],
        isError: true,
      };
    }
    const { signal } = context.mcpReq;
    if (signal.aborted) call.abort();
    signal.addEventListener("abort", () => call.abort(), { once: true });
    let step = await call.step();
    while ("question" in step && !isModern(context)) {
      await elicit(step, context);
      step = await call.step();
    }
    // The client reads no result of a request that it has cancelled.
    if (!("question" in step)) return resultOf(step, signal.aborted ? [] : await inbox.take());
    const key = randomIds.next("call");
    suspended.set(key, { call, open: step });
    return inputRequired({
      requestState: key,
      inputRequests: { [ANSWER]: inputRequired.elicit(elicitation(step.question)) },
    });
  };
}

/** Whether a request is one of the newer protocol, in which a question is a result, and its answer a request. */
function isModern({ mcpReq }: ServerContext): boolean {
  return mcpReq.envelope !== undefined;
}

/** Ask the client of the older protocol while its call waits. */
async function elicit(
  { question, over, answer, fail }: OpenQuestion,
  { mcpReq }: ServerContext,
): Promise<void> {
  try {
    const { action, content } = await mcpReq.elicitInput(elicitation(question), {
      relatedRequestId: mcpReq.id,
      timeout: NEVER_MS,
      signal: over,
    });
    answer(answerOf(action === "accept" ? content?.["answer"] : undefined));
  } catch (cause) {
    fail(`the client gave no answer: ${messageOf(cause)}`);
  }
}

/** The longest that a timer takes: {@linkcode McpCall} limits the time of an answer. */
const NEVER_MS = 2 ** 31 - 1;

/** The name of the field in which an answer comes. */
const ANSWER = "permission";

/** Whatever is not one of the answers denies. */
function answerOf(given: unknown): Answer {
  return given === "once" || given === "session" || given === "always" ? given : "deny";
}

function elicitation({ order, typedInto, concerns, suggestions }: Question) {
  const { command, cwd } = order;
  const whole = (text: string) => shown(text, { keep: "\n\t", most: 4_000 });
  const reasons = concerns.map(({ reason }) => `- ${whole(reason)}`).join("\n");
  const [what, title, allowed] = typedInto === undefined
    ? [`Run this in ${whole(cwd)}?`, "Run it", suggestions.map(whole).join(", ")]
    : [`Type this into "${whole(typedInto)}"?`, "Type it", "all that is typed into it"];
  const rules = allowed === "" ? "" : `\nThe answers session and always allow ${allowed}`;
  return {
    message: `${what}\n\n${whole(command)}\n\n${reasons}${rules}`,
    requestedSchema: {
      type: "object" as const,
      properties: {
        answer: {
          type: "string" as const,
          title,
          enum: ["once", "session", "always", "deny"],
        },
      },
      required: ["answer"],
    },
  };
}

/** Report how a command goes on, to a client that wants progress. */
function progressOf({ mcpReq }: ServerContext): ((update: ToolUpdate) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (update) => {
    const message = progressOfUpdate(update);
    if (message === undefined) return;
    const params = { progressToken, progress: ++progress, message };
    // The client may be gone.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
}

/**
 * Only the result reports the end: clients report an error for progress that they read together with
 * it.
 */
function progressOfUpdate(update: ToolUpdate): string | undefined {
  switch (update.type) {
    case "started":
      return update.pid === 0 ? "started" : `started as process ${update.pid}`;
    case "output":
      return clipStart(update.text.trimEnd().split("\n").at(-1) ?? "", 200);
    case "fallback":
      return `run by ${update.executor}`;
    case "exited":
    case "timeout":
      return undefined;
  }
}

function resultOf(
  { text, isError, details }: ToolResult,
  notices: readonly DeliveredNotice[],
): CallToolResult {
  return {
    content: [text, ...notices.map((notice) => notice.text)]
      .map((text) => ({ type: "text" as const, text })),
    isError,
    _meta: { "shellflow/details": details },
  };
}
