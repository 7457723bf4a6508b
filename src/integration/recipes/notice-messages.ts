import type { NoticeInbox } from "../../notification/notice-inbox.ts";

/** A message as every chat interface takes it. */
export interface UserMessage {
  readonly role: "user";
  readonly content: string;
}

/**
 * The messages of the next call of a model, with the notices that it has not seen, and in their
 * places those that earlier calls have added. An inbox is for one conversation.
 *
 * It fits the point that each framework has for that: `prepareStep` of the AI SDK,
 * `callModelInputFilter` of OpenAI agents, the loop around `generateToolResponse()` of Anthropic, and
 * a pre-model hook of LangChain.
 */
export async function withNotices<Message>(
  messages: readonly Message[],
  inbox: NoticeInbox,
): Promise<(Message | UserMessage)[]> {
  return await inbox.into(messages, (content): UserMessage => ({ role: "user", content }));
}
