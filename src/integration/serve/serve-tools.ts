import { Conversation } from "../../control/conversation.ts";
import { toolFormat, toolMethods, toolNotifications, type WaitingCalls } from "./tool-methods.ts";
import type { ToolService } from "./tool-service.ts";
import type { LineChannel } from "../../platform/control/line-channel.ts";

/** Tools that are served to one client. */
export interface ServedTools {
  /** Resolves when the client has ended its input and has every answer; rejects when it cannot be answered. */
  readonly ended: Promise<void>;
  /** End every wait, and resolve when the last answers are sent. */
  close(): Promise<void>;
}

/** Serve tools to one client, in the lines of JSON that `shellflow serve` speaks. */
export function serveTools(channel: LineChannel, service: ToolService): ServedTools {
  const { runtimeId, owner, notices, tools } = service;
  const waiting: WaitingCalls = new Map();
  const methods = toolMethods(service, waiting);
  const client = new Conversation(channel, { methods, format: toolFormat });
  void client.notify("ready", {
    runtimeId,
    owner,
    nonce: notices.nonce,
    background: notices.background(owner),
    tools: tools.tools.map(({ name }) => name),
  });
  const notifications = toolNotifications(service, waiting).subscribe(({ method, params }) =>
    void client.notify(method, params)
  );
  return {
    // A question that has no answer by then would keep its call waiting for ever.
    ended: client.read().finally(() => service.questions?.close()).then(() => client.settled()),
    close: async () => {
      client.abort();
      await client.settled();
      notifications.unsubscribe();
    },
  };
}
