import * as v from "valibot";
import { callId, type WireFormat } from "./message.ts";

const METHODS = ["tool", "cancel", "promote", "ack", "answer", "get"] as const;
const request = v.looseObject({ id: v.exactOptional(callId) });

/** The format of `docs/serve.md`: a field names the method, as in `{id, tool, input}` or `{notice}`. */
export const toolFormat: WireFormat = {
  read: (value) => {
    const { success, output } = v.safeParse(request, value);
    const method = success ? METHODS.find((name) => name in output) : undefined;
    if (!success || method === undefined) return undefined;
    const { id, ...params } = output;
    return { method, params, ...(id !== undefined && { id }) };
  },
  write: (message) => "method" in message ? { [message.method]: message.params } : message,
};
