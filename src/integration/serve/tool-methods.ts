import { asapScheduler, filter, map, merge, type Observable, observeOn } from "rxjs";
import * as v from "valibot";
import { callId, type RequestMessage, type WireFormat } from "../../control/message.ts";
import type { CommandId } from "../../event/command.ts";
import { type Method, method, type RequestKind } from "../../control/method.ts";
import type { QuestionChange } from "./open-questions.ts";
import type { ToolService } from "./tool-service.ts";

const toolCall = v.strictObject({
  tool: v.string(),
  input: v.optional(v.unknown()),
  owner: v.exactOptional(v.string()),
  updates: v.exactOptional(v.boolean()),
});
const answers = v.picklist(["once", "session", "always", "deny"]);
const subjects = v.picklist(["tools", "notices", "background"]);

/** The calls that wait, by the commands that they started or type into. */
export type WaitingCalls = Map<CommandId, string | number>;

/** What a client of tools can ask for, besides `cancel`. */
export function toolMethods(
  { tools, notices, owner, questions }: ToolService,
  waiting: WaitingCalls,
): readonly Method[] {
  return [
    method(kind("tool", toolCall), ({ tool, input, owner, updates }, { id, signal, update }) => {
      if (id === undefined) throw new Error(`Cannot call "${tool}": the request has no id`);
      let started: CommandId | undefined;
      const onTask = (taskId: CommandId) => void waiting.set(started = taskId, id);
      return tools.call(tool, input, {
        signal,
        onTask,
        ...(owner !== undefined && { owner }),
        ...(updates === true && { onUpdate: (report) => void update(report) }),
      }).finally(() => {
        // Another call may type into it since.
        if (started !== undefined && waiting.get(started) === id) waiting.delete(started);
      });
    }),
    method(kind("promote", v.strictObject({ promote: v.string() })), ({ promote: id }) => {
      if (tools.promote(id)) return true;
      throw new Error(`Cannot promote "${id}": there is no such task`);
    }),
    method(
      kind("ack", v.strictObject({ ack: v.union([v.string(), v.array(v.string())]) })),
      ({ ack }) => {
        notices.ack([ack].flat());
        return true;
      },
    ),
    method(
      kind("answer", v.strictObject({ answer: v.string(), with: answers })),
      ({ answer: askId, with: given }) => {
        if (questions?.answer(askId, given) === true) return true;
        throw new Error(`Cannot answer "${askId}": no such question is open`);
      },
    ),
    method(kind("get", v.strictObject({ get: subjects })), async ({ get }) => {
      switch (get) {
        case "tools":
          return tools.tools.map(({ name, description, schema }) => ({
            name,
            description,
            schema,
          }));
        case "notices":
          return await notices.drain(owner);
        case "background":
          return notices.background(owner);
      }
    }),
  ];
}

/** What a client of tools is sent without asking. */
export function toolNotifications(
  { notices, owner, events, questions }: ToolService,
  waiting: WaitingCalls,
): Observable<RequestMessage> {
  return merge(
    ...(events === undefined ? [] : [events.pipe(map((params) => ({ method: "event", params })))]),
    ...(questions === undefined ? [] : [questions.changes.pipe(
      // A command can be a question before the call that starts it has its task.
      observeOn(asapScheduler),
      map((change) => questionChange(change, waiting)),
    )]),
    notices.pipe(
      filter((notice) => notice.owner === owner),
      map((params) => ({ method: "notice", params })),
    ),
  );
}

function questionChange(change: QuestionChange, waiting: WaitingCalls): RequestMessage {
  const { type, ...params } = change;
  const id = waiting.get(change.taskId);
  return type === "asked"
    ? { method: "ask", params: { ...(id !== undefined && { id }), ...params } }
    : { method: "withdrawn", params: change.askId };
}

function kind<Params>(
  method: string,
  params: v.GenericSchema<Params>,
): RequestKind<Params, unknown> {
  return { method, params, result: v.unknown() };
}

const METHODS = ["tool", "cancel", "promote", "ack", "answer", "get"] as const;
const request = v.looseObject({ id: v.exactOptional(callId) });

/** The format of `docs/serve.md`: a field names the method, as in `{id, tool, input}` or `{notice}`. */
export const toolFormat: WireFormat = {
  form: `a request, which has one of the fields ${METHODS.join(", ")}, ` +
    "and as id, where it has one, a string or a number",
  read: (value) => {
    const { success, output } = v.safeParse(request, value);
    const method = success ? METHODS.find((name) => name in output) : undefined;
    if (!success || method === undefined) return undefined;
    const { id, ...params } = output;
    return { method, params, ...(id !== undefined && { id }) };
  },
  write: (message) => "method" in message ? { [message.method]: message.params } : message,
};
